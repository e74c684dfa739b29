import { expect, test } from "vitest";
import { createInProcess } from "../../../src/daemon/in-process.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";

const count = 1200;
const names = Array.from({ length: count }, (_, index) => `src/d${index % 40}/a${index}.ts`);

test("A check of many files starts their server before it has looked for the servers of most others", () =>
	withWorkspace(
		{ ...TYPESCRIPT_PROJECT, ...Object.fromEntries(names.map((name) => [name, "export {};\n"])) },
		async (ws) => {
			let located = 0;
			let atStart: number | undefined;
			const caller = createInProcess((event) => {
				if (event === "starting") atStart ??= located;
			});
			const locate = caller.service.locate.bind(caller.service);
			caller.service.locate = (...args) => {
				located++;
				return locate(...args);
			};
			try {
				await caller.call("check", { cwd: ws.root, input: { files: names } });
				expect(located).toBeGreaterThanOrEqual(count);
				expect(atStart).toBeLessThan(count / 4);
			} finally {
				await caller.close();
			}
		},
	));
