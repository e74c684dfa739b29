import { beforeAll, describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { Files } from "../support/workspace.ts";
import { affectedIn, compilerErrors, errorsOf, withProject } from "./project.ts";

interface Case {
	readonly files: Files;
	/** The new text of `src/a.ts`. */
	readonly after: string;
	/** The files that it breaks; the compiler gives the errors themselves. */
	readonly breaks: readonly string[];
}

const user = `import { f } from "./a.ts";\nexport const n: number = f(1);\n`;

const cases: Readonly<Record<string, Case>> = {
	"a changed parameter": {
		files: { "src/a.ts": "export function f(x: number): number {\n\treturn x;\n}\n", "src/b.ts": user },
		after: "export function f(x: string): number {\n\treturn x.length;\n}\n",
		breaks: ["src/b.ts"],
	},
	"a parameter more": {
		files: { "src/a.ts": "export function f(x: number): number {\n\treturn x;\n}\n", "src/b.ts": user },
		after: "export function f(x: number, y: number): number {\n\treturn x + y;\n}\n",
		breaks: ["src/b.ts"],
	},
	"a removed export": {
		files: { "src/a.ts": "export const f = (x: number) => x;\nexport const g = 1;\n", "src/b.ts": user },
		after: "export const g = 1;\n",
		breaks: ["src/b.ts"],
	},
	"a renamed export": {
		files: { "src/a.ts": "export const f = (x: number) => x;\n", "src/b.ts": user },
		after: "export const h = (x: number) => x;\n",
		breaks: ["src/b.ts"],
	},
	"an export that is no longer one": {
		files: { "src/a.ts": "export const f = (x: number) => x;\nexport const g = f;\n", "src/b.ts": user },
		after: "const f = (x: number) => x;\nexport const g = f;\n",
		breaks: ["src/b.ts"],
	},
	"an inferred return type": {
		files: { "src/a.ts": "export function f(x: number) {\n\treturn x;\n}\n", "src/b.ts": user },
		after: "export function f(x: number) {\n\treturn String(x);\n}\n",
		breaks: ["src/b.ts"],
	},
	"a type inferred through another declaration of the file": {
		files: {
			"src/a.ts": "function a() {\n\treturn 1;\n}\nexport const b = a();\n",
			"src/b.ts": `import { b } from "./a.ts";\nexport const n: number = b;\n`,
		},
		after: 'function a() {\n\treturn "";\n}\nexport const b = a();\n',
		breaks: ["src/b.ts"],
	},
	"a type inferred through two declarations and a class": {
		files: {
			"src/a.ts": "const a = () => 1;\nconst b = () => a();\nexport class C {\n\tvalue = b();\n}\n",
			"src/b.ts": `import { C } from "./a.ts";\nexport const n: number = new C().value;\n`,
		},
		after: 'const a = () => "";\nconst b = () => a();\nexport class C {\n\tvalue = b();\n}\n',
		breaks: ["src/b.ts"],
	},
	"a member of a class": {
		files: {
			"src/a.ts": "export class C {\n\tf(): number {\n\t\treturn 1;\n\t}\n\tg() {}\n}\n",
			"src/b.ts": `import { C } from "./a.ts";\nexport const n: number = new C().f();\n`,
		},
		after: 'export class C {\n\tf(): string {\n\t\treturn "";\n\t}\n\tg() {}\n}\n',
		breaks: ["src/b.ts"],
	},
	"a removed member": {
		files: {
			"src/a.ts": "export class C {\n\tf() {}\n\tg() {}\n}\n",
			"src/b.ts": `import { C } from "./a.ts";\nnew C().f();\n`,
		},
		after: "export class C {\n\tg() {}\n}\n",
		breaks: ["src/b.ts"],
	},
	"an abstract member that subclasses lack": {
		files: {
			"src/a.ts": "export abstract class C {\n\tg() {}\n}\n",
			"src/b.ts": `import { C } from "./a.ts";\nexport class D extends C {}\n`,
		},
		after: "export abstract class C {\n\tabstract f(): void;\n\tg() {}\n}\n",
		breaks: ["src/b.ts"],
	},
	"a constructor": {
		files: {
			"src/a.ts": "export class C {\n\tconstructor(readonly x: number) {}\n}\n",
			"src/b.ts": `import { C } from "./a.ts";\nnew C(1);\n`,
		},
		after: "export class C {\n\tconstructor(readonly x: string) {}\n}\n",
		breaks: ["src/b.ts"],
	},
	"a property that an interface asks for": {
		files: {
			"src/a.ts": "export interface P {\n\tx: number;\n}\n",
			"src/b.ts": `import type { P } from "./a.ts";\nexport const p: P = { x: 1 };\n`,
		},
		after: "export interface P {\n\tx: number;\n\ty: number;\n}\n",
		breaks: ["src/b.ts"],
	},
	"a type alias": {
		files: {
			"src/a.ts": "export type T = string | number;\n",
			"src/b.ts": `import type { T } from "./a.ts";\nexport const t: T = 1;\n`,
		},
		after: "export type T = string;\n",
		breaks: ["src/b.ts"],
	},
	"a type alias behind another one": {
		files: {
			"src/a.ts": "type T = number;\nexport interface P {\n\tx: T;\n}\n",
			"src/b.ts": `import type { P } from "./a.ts";\nexport const p: P = { x: 1 };\n`,
		},
		after: "type T = string;\nexport interface P {\n\tx: T;\n}\n",
		breaks: ["src/b.ts"],
	},
	"a member of an enum": {
		files: {
			"src/a.ts": "export const enum E {\n\tA,\n\tB,\n}\n",
			"src/b.ts": `import { E } from "./a.ts";\nexport const e = E.B;\n`,
		},
		after: "export const enum E {\n\tA,\n}\n",
		breaks: ["src/b.ts"],
	},
	"a default export": {
		files: {
			"src/a.ts": "export default function () {\n\treturn 1;\n}\n",
			"src/b.ts": `import f from "./a.ts";\nexport const n: number = f();\n`,
		},
		after: 'export default function () {\n\treturn "";\n}\n',
		breaks: ["src/b.ts"],
	},
	"an export under another name": {
		files: {
			"src/a.ts": "const f = (x: number) => x;\nexport { f as g };\n",
			"src/b.ts": `import { g } from "./a.ts";\nexport const n: number = g(1);\n`,
		},
		after: "const f = (x: string) => x;\nexport { f as g };\n",
		breaks: ["src/b.ts"],
	},
	"a re-export that is taken back": {
		files: {
			"src/c.ts": "export const f = (x: number) => x;\n",
			"src/a.ts": `export { f } from "./c.ts";\nexport const g = 1;\n`,
			"src/b.ts": user,
		},
		after: "export const g = 1;\n",
		breaks: ["src/b.ts"],
	},
	"what is seen through a re-export of everything": {
		files: {
			"src/a.ts": "export const f = (x: number) => x;\n",
			"src/all.ts": `export * from "./a.ts";\n`,
			"src/b.ts": user.replace("./a.ts", "./all.ts"),
		},
		after: "export const f = (x: string) => x;\n",
		breaks: ["src/b.ts"],
	},
	"a removed export that is seen through a re-export of everything": {
		files: {
			"src/a.ts": "export const f = (x: number) => x;\nexport const g = 1;\n",
			"src/all.ts": `export * from "./a.ts";\n`,
			"src/b.ts": user.replace("./a.ts", "./all.ts"),
		},
		after: "export const g = 1;\n",
		breaks: ["src/b.ts"],
	},
	"what is seen through the whole module": {
		files: {
			"src/a.ts": "export const f = (x: number) => x;\n",
			"src/b.ts": `import * as a from "./a.ts";\nexport const n: number = a.f(1);\n`,
		},
		after: "export const f = (x: string) => x;\n",
		breaks: ["src/b.ts"],
	},
	"what an import at run time sees": {
		files: {
			"src/a.ts": "export const f = (x: number) => x;\n",
			"src/b.ts": `export const n: Promise<number> = import("./a.ts").then((a) => a.f(1));\n`,
		},
		after: "export const f = (x: string) => x;\n",
		breaks: ["src/b.ts"],
	},
	"a type whose users infer theirs from it, two files on": {
		files: {
			"src/a.ts": "export const f = () => 1;\n",
			"src/m.ts": `import { f } from "./a.ts";\nexport const m = f();\n`,
			"src/b.ts": `import { m } from "./m.ts";\nexport const n: number = m;\n`,
		},
		after: 'export const f = () => "";\n',
		breaks: ["src/b.ts"],
	},
	"the type that a declared constant's value narrows": {
		files: {
			"src/a.ts": `const mode: "x" | "y" = "x";\nexport const settings = { mode };\n`,
			"src/b.ts": `import { settings } from "./a.ts";\nexport const only: "x" = settings.mode;\n`,
		},
		after: `const mode: "x" | "y" = "y";\nexport const settings = { mode };\n`,
		breaks: ["src/b.ts"],
	},
	"several files at once": {
		files: {
			"src/a.ts": "export const f = (x: number) => x;\n",
			"src/b.ts": user,
			"src/deep/c.ts": user.replace("./a.ts", "../a.ts"),
			"src/deep/deeper/d.ts": user.replace("./a.ts", "../../a.ts"),
		},
		after: "export const f = (x: string) => x;\n",
		breaks: ["src/b.ts", "src/deep/c.ts", "src/deep/deeper/d.ts"],
	},
	"a file that became no module": {
		files: { "src/a.ts": "export const f = (x: number) => x;\n", "src/b.ts": user },
		after: "const f = (x: number) => x;\nvoid f;\n",
		breaks: ["src/b.ts"],
	},
	"a global declaration": {
		files: {
			"src/a.ts": "declare global {\n\tinterface Shared {\n\t\tx: number;\n\t}\n}\nexport {};\n",
			"src/b.ts": "export const s: Shared = { x: 1 };\n",
		},
		after: "declare global {\n\tinterface Shared {\n\t\tx: string;\n\t}\n}\nexport {};\n",
		breaks: ["src/b.ts"],
	},
};

const quiet =
	"/** Says it. */\nexport function f(x: number): number {\n\treturn x;\n}\nconst local = 1;\nvoid local;\n";

/** Edits that are invisible outside of their file. */
const silent: Readonly<Record<string, string>> = {
	"inside a function's body": quiet.replace("return x;", "return x + 1;"),
	"of a comment": quiet.replace("Says it.", "Says it louder."),
	"of white space and line ends": quiet.replace("{\n\treturn x;\n}", "{ return   x; }"),
	"that adds a declaration": `${quiet}export const added = 2;\n`,
	"that makes an error of its own": quiet.replace("return x;", 'return "x";'),
	"that adds lines above": `// one\n// two\n${quiet}`,
};

const all: Readonly<Record<string, Case>> = {
	...cases,
	...Object.fromEntries(
		Object.entries(silent).map(([name, after]) => [
			name,
			{ files: { "src/a.ts": quiet, "src/b.ts": user }, after, breaks: [] },
		]),
	),
};

/**
 * Each case has a directory of its own in one project, so that one server and one run of the compiler judge them all.
 */
function pathIn(name: string, file: string): string {
	return file.replace("src/", `src/c${Object.keys(all).indexOf(name)}/`);
}

function of(name: string, errors: readonly string[]): string[] {
	return errors
		.filter((line) => line.startsWith(pathIn(name, "src/")))
		.map((line) => line.replace(pathIn(name, "src/"), "src/"));
}

let judge: readonly string[] = [];
const reports = new Map<string, CheckReport>();

beforeAll(async () => {
	const files = Object.entries(all).flatMap(([name, { files: own }]) =>
		Object.entries(own).map(([file, text]) => [pathIn(name, file), text]),
	);
	await withProject(Object.fromEntries(files), async (project) => {
		expect(await compilerErrors(project.ws)).toEqual([]);
		for (const [name, { after }] of Object.entries(all))
			reports.set(name, await project.edit(pathIn(name, "src/a.ts"), after));
		judge = await compilerErrors(project.ws);
	});
});

/** The report of a case's edit, as in a project with no other files. */
function reportOf(name: string): CheckReport {
	const report = reports.get(name);
	if (!report) throw new Error(`no report of ${name}`);
	return report;
}

describe("an edit that breaks other files reports exactly the errors that the compiler finds, as new", () => {
	test.each(Object.keys(cases))("%s", (name) => {
		const expected = of(name, judge);
		expect([...new Set(expected.map((line) => line.split(" ")[0]))]).toEqual(all[name]?.breaks);
		expect(of(name, errorsOf(reportOf(name), { judged: true }))).toEqual(expected.map((line) => `${line} new`));
		expect(reportOf(name).omitted.files).toBe(0);
	});
});

describe("an edit that is invisible outside of its file requests no other file", () => {
	test.each(Object.keys(silent))("%s", (name) => {
		// The other cases share the session, which checks again the files that it knows to be broken.
		expect(affectedIn(reportOf(name)).filter((path) => path.startsWith(pathIn(name, "src/")))).toEqual([]);
		expect(of(name, errorsOf(reportOf(name)))).toEqual(of(name, judge));
	});
});

test("a syntax error is reported together with what it breaks in other files, of which the compiler reports nothing yet", () =>
	withProject({ "src/a.ts": "export const f = (x: number) => x;\n", "src/b.ts": user }, async (project) => {
		const report = await project.edit("src/a.ts", "export const f = (x: number => x;\n");
		const own = errorsOf({ ...report, files: report.files.filter(({ role }) => role === "edited") });
		for (const line of await compilerErrors(project.ws)) expect(own).toContain(line);
	}));

test("errors of other files that were there before the edit are reported as old", () =>
	withProject(
		{
			"src/a.ts": "export const f = (x: number) => x;\n",
			"src/b.ts": `import { f } from "./a.ts";\nexport const s: string = f(1);\nexport const n: number = f(1);\n`,
		},
		async (project) => {
			const report = await project.edit("src/a.ts", "export const f = (x: number) => x > 1;\n");
			expect(errorsOf(report, { judged: true })).toEqual(["src/b.ts 2:14 2322 new", "src/b.ts 3:14 2322 new"]);
			const next = await project.edit("src/a.ts", "export const f = (_x: number): boolean => true;\n");
			expect(errorsOf(next, { judged: true }).filter((line) => line.endsWith("new"))).toEqual([]);
		},
	));

test("a repair of the file clears the files that it broke", () =>
	withProject({ "src/a.ts": "export const f = (x: number) => x;\n", "src/b.ts": user }, async (project) => {
		expect(errorsOf(await project.edit("src/a.ts", "export const f = (x: string) => x;\n"))).not.toEqual([]);
		expect(errorsOf(await project.edit("src/a.ts", "export const f = (x: number) => x;\n"))).toEqual([]);
		expect(errorsOf(await project.check(["src/a.ts", "src/b.ts"]))).toEqual([]);
	}));
