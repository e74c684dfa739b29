import { expect, test } from "vitest";
import { affectedIn, errorsOf, withProject } from "./project.ts";

test("an importer in another dialect is requested with its own language id", () =>
	withProject(
		{
			"tsconfig.json": JSON.stringify({
				compilerOptions: {
					strict: true,
					module: "nodenext",
					jsx: "preserve",
					types: [],
					noEmit: true,
					allowImportingTsExtensions: true,
				},
				include: ["src"],
			}),
			"src/jsx.d.ts": "declare namespace JSX { interface IntrinsicElements { div: { title: string } } }\n",
			"src/a.ts": 'export const title: string = "";\n',
			"src/view.tsx": 'import { title } from "./a.ts";\nexport const view = <div title={title} />;\n',
		},
		async (project) => {
			const broken = await project.edit("src/a.ts", "export const title: number = 1;\n");
			expect(affectedIn(broken)).toEqual(["src/view.tsx"]);
			expect(errorsOf(broken)).toEqual(["src/view.tsx 2:26 2322"]);
			// The file keeps its language id after it has been opened.
			await project.check(["src/view.tsx"]);
			expect(errorsOf(await project.edit("src/a.ts", 'export const title: string = "x";\n'))).toEqual([]);
		},
	));

test("a file of a project that no open file belongs to is not called clean without a request", () =>
	withProject(
		{
			"tsconfig.json": JSON.stringify({ files: [], references: [{ path: "core" }, { path: "lib" }] }),
			...Object.fromEntries(
				["core", "lib"].map((name) => [
					`${name}/tsconfig.json`,
					JSON.stringify({
						compilerOptions: { strict: true, module: "nodenext", types: [], composite: true, rootDir: "." },
						...(name === "lib" ? { references: [{ path: "../core" }] } : {}),
					}),
				]),
			),
			"core/a.ts": "export const a: number = 1;\n",
			"core/user.ts": 'import { a } from "./a.js";\nexport const user: number = a;\n',
			"lib/b.ts": 'import { user } from "../core/user.js";\nexport const b: number = user;\n',
		},
		async (project) => {
			expect(errorsOf(await project.check(["lib/b.ts"]))).toEqual([]);
			expect(errorsOf(await project.edit("core/a.ts", 'export const a: string = "";\n'))).toEqual([
				"core/user.ts 2:14 2322",
			]);
			// The server has been restarted: only lib is loaded, and core's errors are still there.
			await project.call("restart", {});
			const later = await project.edit(
				"lib/b.ts",
				'import { user } from "../core/user.js";\nexport const b: string = user;\n',
			);
			expect(errorsOf(later)).toEqual(["lib/b.ts 2:14 2322"]);
			expect(affectedIn(later)).not.toContain("core/user.ts");
		},
	));
