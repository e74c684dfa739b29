import { expect, test } from "vitest";
import { asLspError } from "../../src/contract/errors.ts";
import { met, never, notYet, until } from "../support/until.ts";
import { errorsOf, type Project, withProject } from "./project.ts";

const files = {
	"package.json": JSON.stringify({ name: "sample", type: "module", devDependencies: { typescript: "5.9.3" } }),
	"src/repeat.ts": "export interface RepeatConfig {\n\tdelay?: number;\n}\n",
	"src/when.ts": "/** Use {@link RepeatConfig#delay delay}, or @see */\nexport const when = 1;\n",
	"src/wrong.ts":
		// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file.
		"/**\n * Use {@link RepeatConfig#delay\n * delay}.\n *\n * @see RepeatConfig#delay\n */\nexport const wrong = `/** {@link ${missing}`;\n",
};

/** A server that has not read the project on a busy machine refuses the question. */
function askForDelay({ call }: Project): Promise<unknown> {
	return until("the references of `delay` are answered", () =>
		call("references", { file: "src/repeat.ts", symbol: "RepeatConfig.delay" }).then(met, (thrown) => {
			const { code, message } = asLspError(thrown);
			return code === "LSP_FILE_NOT_INDEXED" ? notYet(message) : never(message);
		}),
	);
}

test("references in TypeScript 5.9 leave no errors in links of comments", () =>
	withProject(files, async (project) => {
		const { ws, check } = project;
		await check(["src/repeat.ts", "src/when.ts", "src/wrong.ts"]);
		for (let n = 1; n <= 2; n++) {
			for (const file of ["src/when.ts", "src/wrong.ts"]) ws.write(file, `${ws.read(file)}// ${n}\n`);
			await askForDelay(project);
			expect(errorsOf(await check(["src/when.ts", "src/wrong.ts"]))).toEqual(["src/wrong.ts 7:36 2304"]);
		}
	}));

test("references leave no errors in links of files that are not open", () =>
	withProject(files, async (project) => {
		const { check, edit } = project;
		await check(["src/repeat.ts"]);
		await askForDelay(project);
		expect(errorsOf(await check(["src/when.ts"]))).toEqual([]);
		const report = await edit("src/repeat.ts", "export interface RepeatConfig {\n\tdelay?: string;\n}\n");
		expect(errorsOf(report)).toEqual([]);
	}));
