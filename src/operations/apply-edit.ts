import { Type } from "@sinclair/typebox";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { replacedIn, replacedInput } from "./common/editing/replaced.ts";
import { File } from "./common/inputs.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";
import { applyWorkspaceEdit } from "./compat/agent-lsp-changes.ts";

const unknownEdit = "It is not known on which text this edit was made; its positions were taken as they are.";

const Output = t.object({ ...Written, path: t.text() });

export const applyEdit = defineOperation({
	name: "apply_edit",
	title: "Change a text in a file",
	description:
		"Replaces a text that occurs once in a file, or the piece at a place. If it does not occur as given, the only lines that differ in white space alone are replaced. Shows the diff, new errors, and what undoes it.",
	effect: "write",
	aliases: [applyWorkspaceEdit],
	input: t.object({
		file: t.optional(File),
		...replacedInput,
		new_text: t.optional.text("The text in its place"),
		hash: t.optional.text("SHA-256 of the file that is meant; with another content nothing is written"),
		edit: t.optional(
			Type.Object(
				{
					changes: t.optional.anyObject(),
					documentChanges: t.optional.list(t.anyObject()),
					changeAnnotations: t.optional.anyObject(),
				},
				{
					additionalProperties: false,
					contentMediaType: "application/json",
					description: "Instead of all these: a WorkspaceEdit, as `return_edit` answers with it",
				},
			),
		),
		...changeInput,
	}),
	output: Output,
	positional: ["file", "old_text", "new_text"],
	example: {
		input: { file: "src/greet.ts", old_text: "hello", new_text: "welcome" },
		output: {
			path: "src/greet.ts",
			written: ["src/greet.ts"],
			diff: '--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1,1 +1,1 @@\n-const word = "hello";\n+const word = "welcome";\n',
			undo: "u7",
		},
	},
	async run({ file, hash, edit, new_text: next, dry_run: dryRun, ...given }, on) {
		if (edit !== undefined) {
			const planned = await on.edits.given(edit, dryRun);
			const notes = planned.isKnown ? [] : [unknownEdit];
			return { path: planned.planned.files.join(", "), ...writtenAnswer(planned, notes) };
		}
		if (file === undefined || next === undefined)
			throw new LspError("LSP_INVALID_INPUT", "Give the file and its new text, or an edit.");
		const replaced = replacedIn({ ...given, new_text: next }) ?? { next };
		const { planned, isExact } = await on.edits.text(file, { ...replaced, hash }, dryRun);
		const notes = isExact ? [] : ["The text differs in white space from the one that was given."];
		return { path: file, written: [], diff: planned.diff, planned, ...(notes.length > 0 ? { notes } : {}) };
	},
	render: (output) => writtenText(`changed: ${output.path}`, output),
	exitCode: exitCodeOfWritten,
});
