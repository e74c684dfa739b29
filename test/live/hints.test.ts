import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { connectDaemon } from "../../src/daemon/lifecycle/connect.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { withServers } from "./languages.ts";

const manifest = '{ "type": "module", "devDependencies": { "typescript": "^5.4.0" } }';

test("a hint of TypeScript 5.9 from before an edit is not attributed to the edit", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			"package.json": manifest,
			".pi-lsp.json": '{ "severity": "hint" }',
			"a.ts": 'import { b } from "./b.ts";\nexport const a = 1;\n',
			"b.ts": "export const b = 1;\n",
		},
		async (ws) => {
			const daemon = await connectDaemon(withServers(ws.env));
			try {
				const call = { cwd: ws.root, session: "s", call: "1", file: ws.path("a.ts") };
				const text = ws.read("a.ts");
				daemon.notify("baseline", { ...call, text });
				const edited = `${text}export function f(unused: number) {}\n`;
				ws.write("a.ts", edited);
				const { report } = await daemon.call<{ report: CheckReport }>("check_edit", {
					...call,
					scope: "affected",
					budget: 60_000,
				});
				const hints = report.files[0]?.diagnostics.map(({ line, severity, ...rest }) => [line, severity, rest.new]);
				expect(hints).toEqual([
					[1, "hint", false],
					[3, "hint", true],
				]);
			} finally {
				daemon.close();
			}
		},
	));
