import { mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { errorsOf, withProject } from "./project.ts";

const a = "export const a: number = 1;\n";
const user = 'import { a } from "./a.ts";\nexport const user: number = a;\n';

test("a file that a command deletes breaks its importers, and one that comes back fixes them", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user, "src/other.ts": "export {};\n" }, async (project) => {
		await project.check(["src/user.ts"]);
		const gone = await project.command({ "src/a.ts": null });
		expect(errorsOf(gone)).toEqual(["src/user.ts 1:19 2307"]);
		const back = await project.command({ "src/a.ts": a });
		const user = back.files.filter(({ path }) => path === "src/user.ts");
		expect(user).toMatchObject([{ state: "fresh", diagnostics: [], fixed: 1 }]);
	}));

test("a command's changes are known to a daemon that is notified of the command after them", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		await project.check(["src/user.ts"]);
		const report = await project.command({ "src/new.ts": "export const n: number = '';\n" }, { heardLate: true });
		expect(errorsOf(report)).toEqual(["src/new.ts 1:14 2322"]);
	}));

test("a file that a command moves breaks those files that name its old path", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		await project.check(["src/user.ts"]);
		const moved = await project.command({ "src/a.ts": null, "src/b.ts": a });
		expect(errorsOf(moved)).toEqual(["src/user.ts 1:19 2307"]);
	}));

test("a module that a barrel no longer re-exports breaks the barrel's users, and fixes them once it is restored", () =>
	withProject(
		{
			"src/a.ts": a,
			"src/index.ts": 'export * from "./a.ts";\n',
			"src/user.ts": 'import { a } from "./index.ts";\nexport const user: number = a;\n',
		},
		async (project) => {
			const broken = await project.edit("src/index.ts", "export {};\n");
			expect(errorsOf(broken, { judged: true })).toEqual(["src/user.ts 1:10 2305 new"]);
			const mended = await project.edit("src/index.ts", 'export * from "./a.ts";\n');
			expect(errorsOf(mended)).toEqual([]);
			expect(mended.files.find(({ path }) => path === "src/user.ts")).toMatchObject({ fixed: 1 });
		},
	));

test("an export that comes back fixes its importers", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		expect(errorsOf(await project.edit("src/a.ts", a.replace(" a:", " b:")))).toEqual(["src/user.ts 1:10 2305"]);
		const back = await project.edit("src/a.ts", a);
		expect(back.files.map(({ path, diagnostics }) => [path, diagnostics.length])).toEqual([
			["src/a.ts", 0],
			["src/user.ts", 0],
		]);
	}));

test("an edit reports that a file is fixed whose error only a query has shown", () => {
	const barrel = 'export { a } from "./a.ts";\n';
	const importer = user.replace("a.ts", "index.ts");
	return withProject({ "src/a.ts": a, "src/index.ts": barrel, "src/user.ts": importer }, async (project) => {
		await project.edit("src/user.ts", `${importer}// clean\n`);
		project.ws.write("src/index.ts", barrel.replace("a }", "a as b }"));
		expect(errorsOf(await project.check(["src/user.ts"]))).toEqual(["src/user.ts 1:10 2305"]);
		const mended = await project.edit("src/index.ts", barrel);
		expect(mended.files.find(({ path }) => path === "src/user.ts")).toMatchObject({ diagnostics: [], fixed: 1 });
	});
});

test("A file of a linked package that is written fixes its importers", () => {
	const files = {
		"packages/core/package.json": '{ "name": "core", "type": "module", "exports": { "./*.js": "./src/*.ts" } }',
		"packages/core/src/b.ts": "export {};\n",
		"src/user.ts": 'import { a } from "core/a.js";\nexport const user: number = a;\n',
	};
	return withProject(files, async (project) => {
		mkdirSync(project.ws.path("node_modules"), { recursive: true });
		symlinkSync("../packages/core", project.ws.path("node_modules/core"));
		const user = `${files["src/user.ts"]}\n`;
		expect(errorsOf(await project.edit("src/user.ts", user))).toEqual(["src/user.ts 1:19 2307"]);
		const mended = await project.edit("packages/core/src/a.ts", a);
		expect(errorsOf(mended)).toEqual([]);
		expect(mended.files.find(({ path }) => path === "src/user.ts")).toMatchObject({ diagnostics: [], fixed: 1 });
	});
});

test("An edit that removes an import reports the errors in other files that end with the type of that import", () => {
	const made = 'import { make } from "./make.ts";\nexport const a = () => make();\n';
	const files = {
		"src/make.ts": "export const make = () => 1;\n",
		"src/a.ts": made,
		"src/relay.ts": 'import { a } from "./a.ts";\nexport const relay = () => [a()];\n',
		"src/user.ts": 'import { relay } from "./relay.ts";\nexport const user: string[] = relay();\n',
	};
	return withProject(files, async (project) => {
		expect(errorsOf(await project.check(["src/user.ts"]))).toEqual(["src/user.ts 2:14 2322"]);
		const edited = await project.edit("src/a.ts", made.replace(/.*\n/, ""));
		expect(errorsOf(edited)).toEqual(["src/a.ts 1:24 2304"]);
		expect(edited.files.find(({ path }) => path === "src/user.ts")).toMatchObject({ diagnostics: [], fixed: 1 });
	});
});

test("An edit that removes the import of a name which the language also has reports the broken users", () => {
	const handler = 'import type { Error } from "./error.ts";\nexport function handle(error: Error): void {}\n';
	const files = {
		"src/error.ts": "export interface Error {\n\treadonly code: number;\n}\n",
		"src/handler.ts": handler,
		"src/user.ts": 'import { handle } from "./handler.ts";\nhandle({ code: 1 });\n',
	};
	return withProject(files, async (project) => {
		expect(errorsOf(await project.check(["src/user.ts"]))).toEqual([]);
		const edited = await project.edit("src/handler.ts", handler.replace(/.*\n/, ""));
		expect(errorsOf(edited)).toEqual(["src/user.ts 2:10 2353"]);
	});
});

test("An edit reports that it has fixed an error of another session in a file with errors that its own session has seen", () => {
	const user = 'import { a } from "./a.ts";\nimport { b } from "./b.ts";\nexport const user: number[] = [a, b];\n';
	const files = { "src/a.ts": a, "src/b.ts": a.replaceAll(" a", " b"), "src/user.ts": user };
	return withProject(files, async (project) => {
		expect(errorsOf(await project.edit("src/a.ts", "export {};\n"))).toEqual(["src/user.ts 1:10 2305"]);
		await project.edit("src/b.ts", "export {};\n", "affected", "other");
		const mended = await project.edit("src/b.ts", files["src/b.ts"]);
		expect(mended.files.find(({ path }) => path === "src/user.ts")).toMatchObject({ fixed: 1 });
	});
});

/**
 * Each file infers its type from the one before; the last is further away than the search in front of the answer
 * reaches.
 */
function chain(length: number): Record<string, string> {
	const files: Record<string, string> = { "src/m0.ts": "export const v0 = (): number => 1;\n" };
	for (let i = 1; i <= length; i++)
		files[`src/m${i}.ts`] = `import { v${i - 1} } from "./m${i - 1}.ts";\nexport const v${i} = () => v${i - 1}();\n`;
	files["src/end.ts"] = `import { v${length} } from "./m${length}.ts";\nexport const end: number = v${length}();\n`;
	return files;
}

test("an error that travels far through inferred types is reported, once, and its repair as well", () =>
	withProject(chain(6), async (project) => {
		await project.check(["src/end.ts"]);
		const report = await project.edit("src/m0.ts", 'export const v0 = (): string => "";\n');
		expect(errorsOf(report, { judged: true })).toEqual(["src/end.ts 2:14 2322 new"]);
		expect(await project.late()).toEqual([]);
		const mended = await project.edit("src/m0.ts", "export const v0 = (): number => 2;\n");
		expect(mended.files.find(({ path }) => path === "src/end.ts")).toMatchObject({ diagnostics: [], fixed: 1 });
	}));

test("an edit's effects are reported once, with the next edit if there was no earlier request", () =>
	withProject({ ...chain(6), "src/x.ts": "export const x = 1;\n" }, async (project) => {
		await project.check(["src/end.ts"]);
		const first = await project.editAlone("src/m0.ts", 'export const v0 = (): string => "";\n');
		const next = await project.edit("src/x.ts", "export const x = 2;\n");
		const all = [first, next].flatMap((each) => errorsOf(each, { judged: true }));
		expect(all).toEqual(["src/end.ts 2:14 2322 new"]);
	}));

test("an error that the next edit fixes is no longer reported", () =>
	withProject(chain(6), async (project) => {
		await project.check(["src/end.ts"]);
		const broken = await project.editAlone("src/m0.ts", 'export const v0 = (): string => "";\n');
		const mended = await project.edit("src/m0.ts", "export const v0 = (): number => 3;\n");
		expect(errorsOf(mended)).toEqual([]);
		const fixed = mended.files.find(({ path }) => path === "src/end.ts")?.fixed;
		expect(errorsOf(broken).length).toBe(fixed ?? 0);
	}));

test("errors that one session's edit caused are reported to that session alone", () =>
	withProject({ ...chain(6), "src/x.ts": "export const x = 1;\n" }, async (project) => {
		await project.check(["src/end.ts"]);
		const first = await project.editAlone("src/m0.ts", 'export const v0 = (): string => "";\n');
		const other = await project.edit("src/x.ts", "export const x = 2;\n", "affected", "other");
		const mine = [first, ...(await project.late())];
		expect(mine.flatMap((each) => errorsOf(each, { judged: true }))).toEqual(["src/end.ts 2:14 2322 new"]);
		expect(errorsOf(other)).toEqual([]);
	}));

test("an error that another session's edit caused is not attributed to this session's edit", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user, "src/b.ts": "export const b = 1;\n" }, async (project) => {
		await project.edit("src/user.ts", `${user}export const more = 1;\n`);
		await project.edit("src/a.ts", 'export const a: string = "";\n', "affected", "other");
		const mine = await project.edit("src/user.ts", `${user}export const more = 2;\n`);
		expect(mine.files[0]?.diagnostics).toMatchObject([{ code: "2322", new: false }]);
		expect(mine.files[0]?.diagnostics[0]?.earlier).toBeUndefined();
		const elsewhere = await project.edit("src/b.ts", "export const b: number = 2;\n");
		expect(errorsOf(elsewhere, { judged: true }).filter((line) => line.endsWith("new"))).toEqual([]);
	}));

test("an error in another file belongs to the session as long as its edits leave it there", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		const asString = 'export const a: string = "";\n';
		expect(errorsOf(await project.edit("src/a.ts", asString), { judged: true })).toEqual(["src/user.ts 2:14 2322 new"]);
		await project.edit(
			"src/a.ts",
			`${asString}export const b = 1;\nexport type A = string;\n`.replace("a: string", "a: A"),
		);
		const mine = await project.edit("src/user.ts", `${user}export const more = 1;\n`);
		expect(mine.files[0]?.diagnostics).toMatchObject([{ code: "2322", new: false, earlier: true }]);
	}));
