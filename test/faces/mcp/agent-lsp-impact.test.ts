import { mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { commitAll } from "../../changes/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "./client.ts";
import { SEED_PROJECT } from "./seed-project.ts";

const profile = { args: ["--profile", "agent-lsp"] };

test("get_change_impact and blast_radius mark changed exports only, and detect_changes reports the risk", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			const [example, consumer] = [ws.path("src/example.ts"), ws.path("src/consumer.ts")];
			const whole = await ask("get_change_impact", { changed_files: [example] });
			expect(whole.changed_symbols.map(({ name }: { readonly name: string }) => name)).toContain("Person");
			commitAll(ws);
			ws.write("src/example.ts", ws.read("src/example.ts").replace("add(a: number, b", "add(a: number, b?"));
			const impact = await ask("blast_radius", { changed_files: [example] });
			const add = { name: "add", file: example, line: 4 };
			expect(impact.changed_symbols).toEqual([add]);
			expect(impact.affected_symbols).toMatchObject([{ ...add, change: "signature", test_callers: [] }]);
			expect(impact.non_test_callers).toEqual([expect.objectContaining({ file: consumer, line: 4 })]);
			expect(impact).toMatchObject({ test_files: [], test_functions: [], warnings: [], indexed: true });
			const changes = await ask("detect_changes", { workspace_root: ws.root });
			expect(changes).toMatchObject({
				scope: "unstaged",
				changed_files: [example],
				changed_symbols: [{ ...add, change: "signature", risk: expect.stringMatching(/medium|high/) }],
			});
			expect(await ask("detect_changes", { scope: "staged" })).toMatchObject({ changed_symbols: [] });
		}),
	));

test("get_cross_repo_references lists the library's own references, those of each consumer and its implementations, and warns of consumers that it could not search", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const { name } = JSON.parse(ws.read("package.json"));
			ws.write("../app/package.json", JSON.stringify({ name: "app", type: "module", dependencies: { [name]: "*" } }));
			ws.write("../app/main.ts", `import { add } from "${name}/src/example.ts";\nadd(1, 2);\n`);
			mkdirSync(ws.path("../app/node_modules"));
			symlinkSync("../../ws", ws.path("../app/node_modules", name));
			ws.write("../old/package.json", JSON.stringify({ name: "old", dependencies: { [name]: "*" } }));
			ws.write("../old/main.ts", `import { add } from "${name}";\nadd(1, 2);\n`);
			const installed = ws.path("../old/node_modules", name);
			ws.write(`../old/node_modules/${name}/package.json`, JSON.stringify({ name, version: "0.9.0", types: "a.d.ts" }));
			ws.write(`../old/node_modules/${name}/a.d.ts`, "export declare function add(a: number, b: number): number;\n");
			const [symbol_file, app, gone] = [ws.path("src/example.ts"), ws.path("../app"), ws.path("../gone")];
			const column = (ws.read("src/example.ts").split("\n")[3]?.indexOf("add") ?? 0) + 1;
			const given = {
				symbol_file,
				line: 4,
				column,
				consumer_roots: [app, gone, ws.path("../old")],
				language_id: "typescript",
			};
			const found = JSON.parse(await text("get_cross_repo_references", given));
			const uses = [
				{ file: ws.path("../app/main.ts"), line: 1, column: 10 },
				{ file: ws.path("../app/main.ts"), line: 2, column: 1 },
			];
			expect(found).toMatchObject({
				symbol: "add",
				consumer_references: { [app]: uses, [gone]: [] },
				references: uses.map((each) => ({ ...each, repo: app })),
				warnings: [
					`${gone}: ${gone} does not exist.`,
					`${ws.path("../old")}: it uses ${name} 0.9.0 in ${installed}, not this checkout, with 2 references`,
				],
			});
			expect(found.library_references).toContainEqual(
				expect.objectContaining({ file: ws.path("src/consumer.ts"), line: 4 }),
			);
			ws.write("src/shape.ts", "export interface Shape {\n\tarea(): number;\n}\n");
			const square = `import type { Shape } from "${name}/src/shape.ts";\nexport class Square implements Shape {\n\tarea() {\n\t\treturn 1;\n\t}\n}\n`;
			ws.write("../app/square.ts", square);
			const shape = { symbol_file: ws.path("src/shape.ts"), line: 1, column: 18, consumer_roots: [app] };
			const { implementers } = JSON.parse(await text("get_cross_repo_references", shape));
			expect(implementers).toEqual([{ file: ws.path("../app/square.ts"), line: 2, column: 14, repo: app }]);
		}),
	));
