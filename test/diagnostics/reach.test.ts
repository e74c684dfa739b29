import { expect, test } from "vitest";
import { errorsOf, withProject } from "./project.ts";

const a = "export const a: number = 1;\n";
const user = 'import { a } from "./a.ts";\nexport const user: number = a;\n';

test("a file that a command deletes breaks its importers, and one that comes back mends them", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user, "src/other.ts": "export {};\n" }, async (project) => {
		await project.check(["src/user.ts"]);
		const gone = await project.command({ "src/a.ts": null });
		expect(gone.flatMap((report) => errorsOf(report))).toEqual(["src/user.ts 1:19 2307"]);
		const back = await project.command({ "src/a.ts": a });
		const told = back.flatMap(({ files }) => files.filter(({ path }) => path === "src/user.ts"));
		expect(told).toMatchObject([{ state: "fresh", diagnostics: [], fixed: 1 }]);
	}));

test("what a command did is known to a daemon that hears of the command after its changes", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		await project.check(["src/user.ts"]);
		const reports = await project.command({ "src/new.ts": "export const n: number = '';\n" }, { heardLate: true });
		expect(reports.flatMap((report) => errorsOf(report))).toEqual(["src/new.ts 1:14 2322"]);
	}));

test("a file that a command moves breaks those that name its old place", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		await project.check(["src/user.ts"]);
		const moved = await project.command({ "src/a.ts": null, "src/b.ts": a });
		const told = moved.map(({ files }) => files.map(({ path, role, state }) => `${path} ${role} ${state}`).join(", "));
		const errors = [...new Set(moved.flatMap((report) => errorsOf(report)))];
		expect(errors, told.join("; ")).toEqual(["src/user.ts 1:19 2307"]);
	}));

test("a module that a barrel passes on no more breaks the barrel's users, and put back it mends them", () =>
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

test("an export that comes back mends its importers", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user }, async (project) => {
		expect(errorsOf(await project.edit("src/a.ts", a.replace(" a:", " b:")))).toEqual(["src/user.ts 1:10 2305"]);
		const back = await project.edit("src/a.ts", a);
		expect(back.files.map(({ path, diagnostics }) => [path, diagnostics.length])).toEqual([
			["src/a.ts", 0],
			["src/user.ts", 0],
		]);
	}));

/** Each file infers the type of the one before it: the last is further away than is looked at in front of the answer. */
function chain(length: number): Record<string, string> {
	const files: Record<string, string> = { "src/m0.ts": "export const v0 = (): number => 1;\n" };
	for (let i = 1; i <= length; i++)
		files[`src/m${i}.ts`] = `import { v${i - 1} } from "./m${i - 1}.ts";\nexport const v${i} = () => v${i - 1}();\n`;
	files["src/end.ts"] = `import { v${length} } from "./m${length}.ts";\nexport const end: number = v${length}();\n`;
	return files;
}

test("an error that travels far through inferred types is told behind the answer, once", () =>
	withProject(chain(6), async (project) => {
		await project.check(["src/end.ts"]);
		const report = await project.edit("src/m0.ts", 'export const v0 = (): string => "";\n');
		const late = await project.late();
		const all = [report, ...late].flatMap((each) => errorsOf(each, { judged: true }));
		expect(all).toEqual(["src/end.ts 2:14 2322 new"]);
		expect(await project.late()).toEqual([]);
		// Once told of, it is looked at again in front of the answer, however far away it is.
		const mended = await project.edit("src/m0.ts", "export const v0 = (): number => 2;\n");
		expect(mended.files.find(({ path }) => path === "src/end.ts")).toMatchObject({ diagnostics: [], fixed: 1 });
	}));

test("what nobody was told of is told with the next edit", () =>
	withProject({ ...chain(6), "src/x.ts": "export const x = 1;\n" }, async (project) => {
		await project.check(["src/end.ts"]);
		await project.edit("src/m0.ts", 'export const v0 = (): string => "";\n');
		// The second look is cut off, or its result never fetched.
		const next = await project.edit("src/x.ts", "export const x = 2;\n");
		const late = await project.late();
		const all = [next, ...late].flatMap((each) => errorsOf(each, { judged: true }));
		expect(all).toEqual(["src/end.ts 2:14 2322 new"]);
	}));

test("another session's edit does not end the look behind this one's", () =>
	withProject({ ...chain(6), "src/x.ts": "export const x = 1;\n" }, async (project) => {
		await project.check(["src/end.ts"]);
		await project.edit("src/m0.ts", 'export const v0 = (): string => "";\n');
		await project.edit("src/x.ts", "export const x = 2;\n", "affected", "other");
		const mine = await project.late();
		expect(mine.flatMap((each) => errorsOf(each, { judged: true }))).toEqual(["src/end.ts 2:14 2322 new"]);
		const others = await project.late("other");
		expect(others.flatMap((each) => errorsOf(each))).toEqual([]);
	}));

test("an error that another session's edit caused is not blamed on this one's", () =>
	withProject({ "src/a.ts": a, "src/user.ts": user, "src/b.ts": "export const b = 1;\n" }, async (project) => {
		await project.edit("src/user.ts", `${user}export const more = 1;\n`);
		await project.edit("src/a.ts", 'export const a: string = "";\n', "affected", "other");
		const mine = await project.edit("src/user.ts", `${user}export const more = 2;\n`);
		expect(mine.files[0]?.diagnostics).toMatchObject([{ code: "2322", new: false }]);
		expect(mine.files[0]?.diagnostics[0]?.earlier).toBeUndefined();
		const elsewhere = await project.edit("src/b.ts", "export const b: number = 2;\n");
		expect(errorsOf(elsewhere, { judged: true }).filter((line) => line.endsWith("new"))).toEqual([]);
	}));
