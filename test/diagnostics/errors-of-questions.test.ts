import { expect, test } from "vitest";
import { errorsOf, withProject } from "./project.ts";

const files = {
	"package.json": JSON.stringify({ name: "sample", type: "module", devDependencies: { typescript: "5.9.3" } }),
	"src/repeat.ts": "export interface RepeatConfig {\n\tdelay?: number;\n}\n",
	"src/when.ts": "/** Use {@link RepeatConfig#delay delay}, or @see */\nexport const when = 1;\n",
	"src/wrong.ts":
		// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file.
		"/**\n * Use {@link RepeatConfig#delay\n * delay}.\n *\n * @see RepeatConfig#delay\n */\nexport const wrong = `/** {@link ${missing}`;\n",
};

const askForDelay = { file: "src/repeat.ts", symbol: "RepeatConfig.delay" };

test("references in TypeScript 5.9 leave no errors in links of comments", () =>
	withProject(files, async ({ ws, check, call }) => {
		await check(["src/repeat.ts", "src/when.ts", "src/wrong.ts"]);
		for (let n = 1; n <= 2; n++) {
			for (const file of ["src/when.ts", "src/wrong.ts"]) ws.write(file, `${ws.read(file)}// ${n}\n`);
			await call("references", askForDelay);
			expect(errorsOf(await check(["src/when.ts", "src/wrong.ts"]))).toEqual(["src/wrong.ts 7:36 2304"]);
		}
	}));

test("references leave no errors in links of files that are not open", () =>
	withProject(files, async ({ check, edit, call }) => {
		await check(["src/repeat.ts"]);
		await call("references", askForDelay);
		expect(errorsOf(await check(["src/when.ts"]))).toEqual([]);
		const report = await edit("src/repeat.ts", "export interface RepeatConfig {\n\tdelay?: string;\n}\n");
		expect(errorsOf(report)).toEqual([]);
	}));
