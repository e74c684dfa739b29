import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { offersRefactoring } from "../contract/refactorings.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { actionRange } from "./common/action-range.ts";
import { chooseRefactoring } from "./common/choose-refactoring.ts";
import { File, Lines } from "./common/inputs.ts";
import { requireName } from "./common/new-name.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

const method = "textDocument/codeAction";

export const extract = defineOperation({
	name: "extract",
	title: "Extract a function, a variable or a type",
	description:
		"Makes a function, a variable, a constant or a type of an expression or of statements, as the language server does: parameters, results and types are its work. Shows the diff, new errors, and what undoes it. Servers of TypeScript 4 to 6, Go, Rust and C++ can.",
	effect: "write",
	requests: [method],
	offeredBy: (server) => offersRefactoring(server, "extract"),
	input: t.object({
		file: File,
		text: t.optional.text("What is extracted, as it stands there; with `line` if it does so several times"),
		as: t.optional.text("Enough of the server's title where it has several: function, constant, module scope"),
		name: t.optional.text("For what is extracted (default: the server's own)"),
		line: t.optional.positive("Of the text; without it the first line, 1-based"),
		end_line: Lines.end_line,
		column: t.optional.positive("Where it begins on `line`, 1-based"),
		end_column: t.optional.positive("Behind its last character"),
		...changeInput,
	}),
	output: t.object({
		...Written,
		title: t.text("What the server calls it"),
		name: t.optional.text("Of what was extracted"),
	}),
	positional: ["file", "text"],
	example: {
		input: { file: "src/sum.ts", text: "a*2", as: "constant", name: "twice" },
		output: {
			title: "Extract to constant in enclosing scope",
			name: "twice",
			written: ["src/sum.ts"],
			diff: "--- a/src/sum.ts\n+++ b/src/sum.ts\n@@ -2,1 +2,2 @@\n-\treturn a*2 + 1;\n+\tconst twice = a*2;\n+\treturn twice + 1;\n",
			undo: "u7",
		},
	},
	async run({ file, text, as, name, dry_run: dryRun, ...place }, on) {
		const planned = await on.edits.extract({
			file,
			name,
			dryRun,
			given: text === undefined ? undefined : { text, line: place.line },
			place: (query) => actionRange(query, place),
			choose(query, range) {
				if (name !== undefined) requireName("_", name, query.document.languageId);
				return chooseRefactoring(query, "extract", range, as);
			},
		});
		const named = planned.name === undefined ? {} : { name: planned.name };
		return { ...writtenAnswer(planned), title: planned.title, ...named };
	},
	render: (output) => writtenText(`extracted ${output.name ?? "it"}: ${output.title}`, output),
	exitCode: exitCodeOfWritten,
});
