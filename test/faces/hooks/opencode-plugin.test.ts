import process from "node:process";
import { expect, test } from "vitest";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withPlugin } from "./plugin.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/c.ts": 'export const c: string = "c";\n',
	"src/d.ts": 'export const d: string = "d";\n',
};
const error = "Type 'number' is not assignable to type 'string'. (ts2322)";

test("opencode's plugin keeps one process, whose answers reach their own one of several edits, and starts another when it has exited", () =>
	withWorkspace(project, async (ws) => {
		await ws.cli(["check", "src/c.ts"]);
		await withPlugin(ws, {}, async (plugin, started) => {
			let calls = 0;
			const edit = async (file: string, text: string): Promise<string> => {
				const call = { tool: "write", sessionID: "s", callID: `call-${++calls}`, args: { filePath: ws.path(file) } };
				await plugin["tool.execute.before"](call, { args: call.args });
				ws.write(file, text);
				const output = { output: "Wrote file." };
				await plugin["tool.execute.after"](call, output);
				return output.output;
			};
			expect(await edit("src/c.ts", "export const c: string = 1;\n")).toContain(error);
			const [c, d] = await Promise.all([
				edit("src/c.ts", 'export const c: string = "é";\n'),
				edit("src/d.ts", "export const d: string = 2;\n"),
			]);
			expect([c, d]).toEqual(["Wrote file.", expect.stringContaining("src/d.ts")]);
			const [first = 0, ...more] = started();
			expect(more).toEqual([]);
			process.kill(first, "SIGKILL");
			await until("another process answers", async () => {
				await edit("src/c.ts", `export const c: string = "${calls}";\n`);
				const text = await edit("src/c.ts", `export const c: string = ${calls};\n`);
				return text.includes(error) ? met(true) : notYet(text);
			});
			expect(started()).toHaveLength(2);
		});
	}));
