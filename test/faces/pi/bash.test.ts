import { describe, expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { bash, write } from "./calls.ts";
import { conversationText, type ModelRequest } from "./model-request.ts";
import { runPi } from "./run-pi.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	"src/a.ts": "export function area(w: number): number {\n\treturn w * w;\n}\n",
	"src/b.ts": 'import { area } from "./a.ts";\n\nexport const b = area(2);\n',
};
const DONE = { text: "Done." };

describe("files that a command changed are checked like those that an edit changed", () => {
	test("a file that the command names is checked, also before any server runs", () =>
		withWorkspace(project, async (ws) => {
			const run = await runPi(ws, [{ calls: [bash("sed -i 's/return w \\* w/return String(w)/' src/a.ts")] }, DONE]);
			expect(run.result()).toContain("The command changed 1 file. LSP errors detected in this file, please fix:");
			expect(run.result()).toContain("ERROR [2:2] Type 'string' is not assignable to type 'number'. (ts2322)");
			expect(run.result()).toContain("1 error is new with this edit.");
		}));

	test("a new file that the command names is checked, also before any server runs", () =>
		withWorkspace(project, async (ws) => {
			const run = await runPi(ws, [{ calls: [bash(`echo 'const x: number = "1";' > src/c.ts`)] }, DONE]);
			expect(run.result()).toContain("The command changed 1 file. LSP errors detected in this file, please fix:");
			expect(run.result()).toContain('<diagnostics file="src/c.ts">');
			expect(run.result()).toContain("1 error is new with this edit.");
		}));

	test("a file that the command does not name is checked, and so is an importer that it broke", () =>
		withWorkspace({ ...project, ".pi-lsp.json": `{ "graceMs": 20000 }` }, async (ws) => {
			ws.write(
				"change.sh",
				"sed -i 's/w: number/w: string/' src/[a].ts; echo 'const x: number = \"1\";' > src/c.ts; false\n",
			);
			const run = await runPi(ws, [
				{ calls: [write("src/a.ts", project["src/a.ts"] ?? "")] },
				{ calls: [bash("sh change")] },
				{ calls: [bash("sh change.sh")] },
				DONE,
			]);
			expect(run.result(1)).not.toContain("<diagnostics");
			const text = run.result(2);
			expect(text).toContain("The command changed 2 files.");
			expect(text).toContain('<diagnostics file="src/c.ts">');
			expect(text).toContain("(ts2362)");
			expect(text).toContain('LSP errors detected in other files, 1 file:\n<diagnostics file="src/b.ts">');
		}));

	test("a command that changed many files is answered at once, and its errors are reported once before the turn ends", () => {
		const many = Object.fromEntries(
			Array.from({ length: 12 }, (_, index) => [`src/m${index}.ts`, `export const m${index}: number = ${index};\n`]),
		);
		return withWorkspace({ ...project, ...many, ".pi-lsp.json": `{ "lateMs": 20000 }` }, async (ws) => {
			const format = `for f in src/m*.ts; do echo '// Formatted.' >> $f; done; sed -i 's/: number = 7/: string = 7/' src/m[7].ts`;
			const run = await runPi(ws, [
				{ calls: [write("src/a.ts", project["src/a.ts"] ?? "")] },
				{ calls: [bash(format)] },
				DONE,
				DONE,
			]);
			expect(run.result(1)).not.toContain("<diagnostics");
			const conversation = conversationText(run.requests.at(-1) as ModelRequest);
			const late = "Checked late, from an earlier command: The command changed 12 files. LSP errors";
			expect(conversation.split(late)).toHaveLength(2);
			expect(conversation.split("Type 'number' is not assignable to type 'string'. (ts2322)")).toHaveLength(2);
			expect(conversation).toContain('<diagnostics file="src/m7.ts">');
		});
	});

	test("a command that changes nothing keeps its own result, and starts no daemon", () =>
		withWorkspace(project, async (ws) => {
			const run = await runPi(ws, [{ calls: [bash("cat src/a.ts")] }, DONE]);
			expect(run.result()).toBe(project["src/a.ts"]);
			expect((await ws.cli(["status"])).stdout).toContain("not running");
		}));
});
