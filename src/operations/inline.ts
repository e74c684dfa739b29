import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { offersRefactoring } from "../contract/refactorings.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { actionRange } from "./common/action-range.ts";
import { chooseRefactoring } from "./common/choose-refactoring.ts";
import { At } from "./common/inputs.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

export const inline = defineOperation({
	name: "inline",
	title: "Inline a variable or a function",
	description:
		"Puts the value of a variable, or the body of a function that is called, in the place of its name, as the language server does. Name the variable, or the call by its line. Shows the diff, new errors, and what undoes it. Servers of TypeScript 4 to 6, Go and Rust can.",
	effect: "write",
	requests: ["textDocument/codeAction"],
	offeredBy: (server) => offersRefactoring(server, "inline"),
	input: t.object({
		file: At.file,
		symbol: At.symbol,
		line: At.line,
		column: At.column,
		pattern: At.pattern,
		as: t.optional.text("Enough of the server's title where it has several: all callers"),
		...changeInput,
	}),
	output: t.object({ ...Written, title: t.text("What the server calls it") }),
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/sum.ts", symbol: "twice", line: 2 },
		output: {
			title: "Inline variable",
			written: ["src/sum.ts"],
			diff: "--- a/src/sum.ts\n+++ b/src/sum.ts\n@@ -2,2 +2,1 @@\n-\tconst twice = a * 2;\n-\treturn twice + 1;\n+\treturn a * 2 + 1;\n",
			undo: "u7",
		},
	},
	run: ({ file, as, dry_run: dryRun, ...position }, on) =>
		on.ask({ file, linters: true, whole: true }, async (query) => {
			const action = await chooseRefactoring(query, "inline", await actionRange(query, position), as);
			const { title } = action;
			return { ...writtenAnswer(await on.edits.planAction(query, action, { title, dryRun })), title };
		}),
	render: (output, { symbol }) => writtenText(`inlined ${symbol ?? "it"}: ${output.title}`, output),
	exitCode: exitCodeOfWritten,
});
