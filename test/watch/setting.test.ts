import { describe, expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const files = {
	...TYPESCRIPT_PROJECT,
	"src/a.ts": 'import { value } from "./dep.ts";\nexport const n: number = value;\n',
	"src/dep.ts": "export const value: number = 1;\n",
};
const good = files["src/dep.ts"];
const bad = 'export const value: string = "";\n';

/** Edits a dependency by another program, and expects every answer to include it. */
async function expectRightAnswers(ws: Workspace, env = ws.env): Promise<void> {
	for (const text of [good, bad, good, bad, good]) {
		ws.write("src/dep.ts", text);
		const { stdout } = await ws.cli(["check", "src/a.ts"], { env });
		expect(stdout.includes("2322"), stdout).toBe(text === bad);
	}
}

const configure = (ws: Workspace, watch: string) => ws.write("../config/pi-lsp/config.json", JSON.stringify({ watch }));
const status = async (ws: Workspace) => (await ws.cli(["status"])).stdout;

describe("the watcher of pi-lsp", () => {
	test("is selected by the user's setting, and named in the status if it is not native", () =>
		withWorkspace(files, async (ws) => {
			await expectRightAnswers(ws);
			expect(await status(ws)).not.toContain("watch");
			for (const setting of ["poll", "portable"]) {
				configure(ws, setting);
				await expectRightAnswers(ws);
				expect(await status(ws)).toContain(`, watch: ${setting}, `);
			}
			configure(ws, "native");
			await expectRightAnswers(ws);
			expect(await status(ws)).not.toContain("watch");
		}));

	test("is not selected by a repository", () =>
		withWorkspace({ ...files, ".pi-lsp.json": '{ "watch": "poll" }' }, async (ws) => {
			await expectRightAnswers(ws);
			const text = await status(ws);
			expect(text).not.toContain("watch: poll");
			expect(text).toContain(".pi-lsp.json");
		}));

	test("is off with PI_LSP_DISABLE_WATCHERS=1, and answers are right", () =>
		withWorkspace(files, async (ws) => {
			await expectRightAnswers(ws, { ...ws.env, PI_LSP_DISABLE_WATCHERS: "1" });
			expect(JSON.parse((await ws.cli(["status", "--json"])).stdout)).toMatchObject({
				servers: [{ watch: { state: "off", directories: 0 } }],
			});
		}));
});
