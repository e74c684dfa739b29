import { rmSync, statSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commitAll } from "../changes/repository.ts";
import { compilerErrors, errorsOf, type Project, withProject } from "./project.ts";

const right = "export const a: number = 1;\n";
const wrong = `export const a: number = "";\n`;
const user = `import { a } from "./a.ts";\nexport const n: number = a;\n`;

/** The errors of a file now, after a comparison with the compiler's own, which must be the same. */
async function proven(project: Project, file: string): Promise<string[]> {
	const report = await project.check([file]);
	expect(report.files.map(({ state }) => state)).toEqual(["fresh"]);
	const errors = errorsOf(report);
	expect(errors).toEqual((await compilerErrors(project.ws)).filter((line) => line.startsWith(`${file} `)));
	return errors;
}

describe("the answer is about the current content of the disk:", () => {
	test("a file that was changed while it was open is read again", () =>
		withProject({ "src/a.ts": right }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual([]);
			project.ws.write("src/a.ts", wrong);
			expect(await proven(project, "src/a.ts")).toEqual(["src/a.ts 1:14 2322"]);
			project.ws.write("src/a.ts", right);
			expect(await proven(project, "src/a.ts")).toEqual([]);
		}));

	test("an edit of the same size with its old modification time is detected", () =>
		withProject({ "src/a.ts": "export const a: number = 11;\n" }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual([]);
			const path = project.ws.path("src/a.ts");
			const { atime, mtime, size } = statSync(path);
			project.ws.write("src/a.ts", wrong);
			utimesSync(path, atime, mtime);
			expect(statSync(path)).toMatchObject({ size, mtime });
			expect(await proven(project, "src/a.ts")).toEqual(["src/a.ts 1:14 2322"]);
		}));

	test("a dependency that was opened once and edited by another program is detected", () =>
		withProject({ "src/a.ts": right, "src/b.ts": user }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual([]);
			expect(await proven(project, "src/b.ts")).toEqual([]);
			project.ws.write("src/a.ts", `export const a = "";\n`);
			expect(await proven(project, "src/b.ts")).toEqual(["src/b.ts 2:14 2322"]);
		}));

	test("a dependency that was never opened and was edited by another program is detected", () =>
		withProject({ "src/a.ts": right, "src/b.ts": user }, async (project) => {
			expect(await proven(project, "src/b.ts")).toEqual([]);
			project.ws.write("src/a.ts", `export const a = "";\n`);
			expect(await proven(project, "src/b.ts")).toEqual(["src/b.ts 2:14 2322"]);
		}));

	test("a file that was created after the server's start resolves its imports", () =>
		withProject({ "src/a.ts": right }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual([]);
			project.ws.write("src/b.ts", user);
			expect(await proven(project, "src/b.ts")).toEqual([]);
			project.ws.write("src/deep/c.ts", user.replace("./a.ts", "../a.ts").replace("n: number", "n: string"));
			expect(await proven(project, "src/deep/c.ts")).toEqual(["src/deep/c.ts 2:14 2322"]);
		}));

	test("a dependency that was created after the file that needs it is found", () =>
		withProject({ "src/b.ts": user }, async (project) => {
			expect(await proven(project, "src/b.ts")).toEqual(["src/b.ts 1:19 2307"]);
			project.ws.write("src/a.ts", right);
			expect(await proven(project, "src/b.ts")).toEqual([]);
		}));

	test("a file that was removed is missing, and its users have errors", () =>
		withProject({ "src/a.ts": right, "src/b.ts": user }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual([]);
			expect(await proven(project, "src/b.ts")).toEqual([]);
			rmSync(project.ws.path("src/a.ts"));
			await expect(project.check(["src/a.ts"])).rejects.toMatchObject({ code: "LSP_FILE_NOT_FOUND" });
			expect(await proven(project, "src/b.ts")).toEqual(["src/b.ts 1:19 2307"]);
		}));

	test("a file that was removed after an edit of it, and is still open from that, is missing for its users", () =>
		withProject({ "src/a.ts": right, "src/b.ts": user }, async (project) => {
			await project.edit("src/a.ts", "export const a: number = 2;\n");
			rmSync(project.ws.path("src/a.ts"));
			expect(await proven(project, "src/b.ts")).toEqual(["src/b.ts 1:19 2307"]);
		}));

	test("a change of the project's own options is detected", () =>
		withProject({ "src/a.ts": "export function f(x) {\n\treturn x;\n}\n" }, async (project) => {
			expect(await proven(project, "src/a.ts")).toEqual(["src/a.ts 1:19 7006"]);
			project.ws.write("tsconfig.json", project.ws.read("tsconfig.json").replace('"strict":true', '"strict":false'));
			expect(await proven(project, "src/a.ts")).toEqual([]);
		}));

	test("each of 20 edits in a row is judged by itself", () =>
		withProject({ "src/a.ts": right }, async (project) => {
			for (let round = 0; round < 20; round++) {
				const isWrong = round % 3 === 0;
				project.ws.write("src/a.ts", isWrong ? wrong : right);
				expect(errorsOf(await project.check(["src/a.ts"])), `round ${round}`).toEqual(
					isWrong ? ["src/a.ts 1:14 2322"] : [],
				);
			}
		}));
});

test("lines and columns equal those of the compiler, whatever the file contains", () => {
	const bad = `const x: number = "";`;
	const files = {
		"src/crlf.ts": `export {};\r\n// one\r\n  ${bad}\r\nvoid x;\r\n`,
		"src/cr.ts": `export {};\r${bad}\rvoid x;\r`,
		"src/mixed.ts": `export {};\r\n// a\n// b\r${bad}\nvoid x;`,
		"src/bom.ts": `\ufeff${bad}\nvoid x;\nexport {};\n`,
		"src/bom-crlf.ts": `\ufeffexport {};\r\n/* 👍 */ ${bad}\r\nvoid x;\r\n`,
		"src/astral.ts": `export {};\n/* 👍👩‍👩‍👧 𝒳 */ ${bad} void x;\n`,
		"src/combining.ts": `export {};\n/* e\u0301 ñ 日本 */ ${bad} void x;\n`,
		"src/tabs.ts": `export {};\n\t\t \t${bad}\n\t\tvoid x;\n`,
		"src/empty.ts": "",
		"src/no-end.ts": `export {};\n${bad} void x; y`,
		"src/shebang.ts": `#!/usr/bin/env node\n${bad}\nvoid x;\nexport {};\n`,
	};
	return withProject(files, async (project) => {
		const judge = await compilerErrors(project.ws);
		expect(judge.length).toBeGreaterThanOrEqual(11);
		expect(errorsOf(await project.check(Object.keys(files)))).toEqual(judge);
	});
});

test("U+2028 ends no line: lines are counted as in an editor", () =>
	withProject({ "src/a.ts": `export {};\n/* \u2028 \u2029 */ const x: number = ""; void x;\n` }, async (project) => {
		expect(errorsOf(await project.check(["src/a.ts"]))).toEqual(["src/a.ts 2:17 2322"]);
	}));

test("new and old are distinguished between HEAD and two checks of the same file", () =>
	withProject({ "src/a.ts": wrong }, async (project) => {
		// Without git there is nothing to compare with.
		expect(errorsOf(await project.check(["src/a.ts"]), { judged: true })).toEqual(["src/a.ts 1:14 2322"]);
		commitAll(project.ws);
		expect(errorsOf(await project.check(["src/a.ts"]), { judged: true })).toEqual(["src/a.ts 1:14 2322 old"]);
		project.ws.write("src/a.ts", `// added\n${wrong}const b: string = 1;\nvoid b;\n`);
		expect(errorsOf(await project.check(["src/a.ts"]), { judged: true })).toEqual([
			"src/a.ts 2:14 2322 old",
			"src/a.ts 3:7 2322 new",
		]);
	}));

test("parallel edits of one file are each compared with the text before them, and an error is new to one of them", () =>
	withProject({ "src/a.ts": right }, async (project) => {
		const reports = await Promise.all([
			project.edit("src/a.ts", `${right}const b: string = 1;\nvoid b;\n`, "file"),
			project.edit("src/a.ts", `${right}const b: string = 1;\nvoid b;\nconst c: string = 2;\nvoid c;\n`, "file"),
		]);
		const judged = reports.flatMap((report) => errorsOf(report, { judged: true }));
		const news = judged.filter((line) => line.endsWith(" new"));
		expect(news.toSorted()).toEqual(["src/a.ts 2:7 2322 new", "src/a.ts 4:7 2322 new"]);
		expect(await proven(project, "src/a.ts")).toHaveLength(2);
	}));

test("a file that the edit creates has only new errors", () =>
	withProject({ "src/a.ts": right }, async (project) => {
		expect(errorsOf(await project.edit("src/new.ts", wrong), { judged: true })).toEqual(["src/new.ts 1:14 2322 new"]);
	}));
