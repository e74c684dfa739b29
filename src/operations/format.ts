import { Type } from "@sinclair/typebox";
import type { TextEdit } from "vscode-languageserver-protocol";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { writtenText } from "../render/answers/written.ts";
import { indentationOf } from "./common/indentation.ts";
import { File, Lines } from "./common/inputs.ts";
import { lineRangeOf } from "./common/line-range.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

const [whole, part] = ["textDocument/formatting", "textDocument/rangeFormatting"];

export const format = defineOperation({
	name: "format",
	title: "Format a file",
	description:
		"Formats a file, or some lines of it, as its formatter or language server does: with the project's settings, else with the indentation that the file has. Shows the diff and what undoes it.",
	effect: "write",
	requests: [whole],
	input: Type.Object({ file: File, ...Lines, ...changeInput }),
	output: Type.Object(Written),
	positional: ["file"],
	example: {
		input: { file: "src/app.ts" },
		output: {
			written: ["src/app.ts"],
			diff: "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,1 @@\n-const a=1\n+const a = 1;\n",
			undo: "u7",
		},
	},
	async run({ file, dry_run: dryRun, ...lines }, on) {
		const answers = await on.askEach(
			file,
			async (asked) => {
				const options = indentationOf(asked.lines);
				if (lines.line === undefined)
					return { asked, edits: await asked.request<TextEdit[] | null>(whole, undefined, { options }) };
				const { first, last } = lineRangeOf(lines, asked.lines.length);
				const range = asked.lineRange(first, last);
				return { asked, edits: await asked.request<TextEdit[] | null>(part, undefined, { range, options }) };
			},
			{ linters: true },
		);
		// A project that has a formatter beside its language server means that one.
		const isFormatter = ({ answer }: (typeof answers)[number]) => answer.asked.server.config.role === "linter";
		const { asked, edits } = (answers.find(isFormatter) ?? answers[0]!).answer;
		const { uri, path } = asked.document;
		const title = `format ${asked.displayPath(path)}`;
		const edit = edits && edits.length > 0 ? [{ changes: { [uri]: edits } }] : [];
		return writtenAnswer(await on.edits.plan(asked, edit, { title, dryRun, keepsLineEnds: false }));
	},
	render: (output, { file }) => writtenText(`formatted ${file}`, output),
	exitCode: exitCodeOfWritten,
});
