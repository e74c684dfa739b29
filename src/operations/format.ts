import type { Position, TextEdit } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { File, Lines } from "./common/inputs.ts";
import { lineRangeOf } from "./common/line-range.ts";
import { changeInput, exitCodeOfWritten, ReturnEdit, ReturnedEdit, writtenAnswer } from "./common/written.ts";
import { formatDocument, formatRange } from "./compat/agent-lsp-changes.ts";

const [whole, part] = ["textDocument/formatting", "textDocument/rangeFormatting"];

const Output = t.object({ ...Written, edit: ReturnedEdit });

export const format = defineOperation({
	name: "format",
	title: "Format a file",
	description:
		"Formats a file, or some lines of it, as its formatter or language server does: with the project's settings (its formatter's, .editorconfig), else with the indentation that the file has. Shows the diff and what undoes it.",
	effect: "write",
	requests: [whole],
	aliases: [formatDocument, formatRange],
	input: t.object({
		file: File,
		...Lines,
		column: t.optional.positive("Where the piece begins on `line`, 1-based"),
		end_column: t.optional.positive("Behind its last character on `end_line`"),
		tab_size: t.optional.positive("Columns of one step (default: as .editorconfig says, else the file's)", {
			maximum: 16,
		}),
		insert_spaces: t.optional.flag("Spaces instead of tabs (default: likewise)"),
		return_edit: ReturnEdit,
		...changeInput,
	}),
	output: Output,
	positional: ["file"],
	example: {
		input: { file: "src/app.ts" },
		output: {
			written: ["src/app.ts"],
			diff: "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,1 @@\n-const a=1\n+const a = 1;\n",
			undo: "u7",
		},
	},
	async run({ file, dry_run: dryRun, return_edit, tab_size, insert_spaces, column, end_column, ...lines }, on) {
		const { answers, unanswered } = await on.askEach({ file, linters: true }, async (query) => {
			const found = await query.formatting();
			const { tabSize, insertSpaces } = found;
			const options = { ...found, tabSize: tab_size ?? tabSize, insertSpaces: insert_spaces ?? insertSpaces };
			if (lines.line === undefined)
				return { asked: query, edits: await query.request<TextEdit[] | null>(whole, undefined, { options }) };
			const { first, last } = lineRangeOf(lines, query.lines.length);
			const range = query.lineRange(first, last);
			const at = (line: number, spot: number) => query.position({ line, column: spot });
			if (column !== undefined) range.start = await at(first, column);
			if (end_column !== undefined) range.end = await at(last, end_column);
			if (isBehind(range.start, range.end))
				throw new LspError("LSP_INVALID_INPUT", "The end of the range is in front of its start.");
			return { asked: query, edits: await query.request<TextEdit[] | null>(part, undefined, { range, options }) };
		});
		const isFormatter = ({ answer }: (typeof answers)[number]) => answer.asked.server.config.role === "linter";
		const { asked, edits } = (answers.find(isFormatter) ?? answers[0]!).answer;
		const { uri, path } = asked.document;
		const title = `format ${asked.displayPath(path)}`;
		const edit = edits && edits.length > 0 ? [{ changes: { [uri]: edits } }] : [];
		const options = { title, dryRun, keepsLineEnds: false };
		if (!return_edit) return writtenAnswer(await on.edits.plan(asked, edit, options), unanswered);
		const answered = await on.edits.answer(asked, edit, options);
		return { ...writtenAnswer(answered, unanswered), edit: answered.edit };
	},
	render: (output, { file }) => writtenText(`formatted ${file}`, output),
	exitCode: exitCodeOfWritten,
});

function isBehind(a: Position, b: Position): boolean {
	return a.line > b.line || (a.line === b.line && a.character > b.character);
}
