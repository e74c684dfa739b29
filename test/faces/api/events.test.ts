import { expect, test } from "vitest";
import { createSession } from "../../../src/faces/api/session.ts";
import type { Session } from "../../../src/faces/api/types.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000 }',
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": 'import { greet } from "./greet.ts";\n\nexport const loud: string = greet("you");\n',
};
const broken = "export function greet(name: string): number {\n\treturn name.length;\n}\n";

/** A session whose servers run in this process, and its events, a line for each. */
async function listening(ws: Workspace, body: (session: Session, heard: string[], stop: () => void) => Promise<void>) {
	const session = createSession({ cwd: ws.root, daemon: false });
	const heard: string[] = [];
	session.on("servers", ({ servers }) => void heard.push(...servers.map(({ id, state }) => `${id} ${state}`)));
	const stop = session.on("diagnostics", (report) => {
		const { files } = report as { files: readonly { path: string; diagnostics: readonly object[] }[] };
		heard.push(...files.map(({ path, diagnostics }) => `${path} ${diagnostics.length}`));
	});
	try {
		await body(session, heard, stop);
	} finally {
		await session.close();
	}
}

const hears = (heard: readonly string[], line: string) =>
	until(`it hears "${line}"`, () => (heard.includes(line) ? met(0) : notYet(heard.join())));

test("A session gets events about servers, and about open files whose diagnostics a change on disk has altered", () =>
	withWorkspace(project, (ws) =>
		listening(ws, async (session, heard, stop) => {
			await session.check("src/app.ts");
			await hears(heard, "typescript ready");
			ws.write("src/greet.ts", broken);
			await hears(heard, "src/app.ts 1");
			ws.write("src/greet.ts", project["src/greet.ts"]);
			await hears(heard, "src/app.ts 0");
			expect(heard.filter((line) => line.startsWith("src/"))).toEqual(["src/app.ts 1", "src/app.ts 0"]);
			// A later listener gets the running servers, and a removed one gets nothing more.
			const later: string[] = [];
			session.on("servers", ({ servers }) => void later.push(...servers.map(({ id }) => id)));
			await hears(later, "typescript");
			stop();
			const again: string[] = [];
			session.on("diagnostics", () => void again.push("heard"));
			ws.write("src/greet.ts", broken);
			await hears(again, "heard");
			expect(heard.filter((line) => line.startsWith("src/"))).toHaveLength(2);
		}),
	));
