import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { undoListText, writtenText } from "../render/answers/written.ts";
import { changeInput, exitCodeOfWritten } from "./common/written.ts";

const Output = t.object({
	...Written,
	title: t.optional.text("What was taken back"),
	changes: t.optional.objects("With `list`: the changes in this workspace, the last one first", {
		id: t.text(),
		title: t.text(),
		files: t.integer(),
		at: t.integer("Milliseconds since the epoch"),
		undone: t.optional.flag(),
	}),
});

export const undo = defineOperation({
	name: "undo",
	title: "Undo a change",
	description:
		"Takes back a change that pi-lsp has written: the last one, or the one that `id` names; all its files or none. What has changed in them since is kept; if it stands in the way, the answer says where.",
	effect: "write",
	input: t.object({
		id: t.optional.text("u7, as the answer to the change says (default: the last)"),
		list: t.optional.flag("List the changes that can be taken back"),
		...changeInput,
	}),
	output: Output,
	positional: ["id"],
	example: {
		input: { id: "u7" },
		output: {
			title: "rename greet → welcome",
			written: ["src/greet.ts"],
			diff: "--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1,1 +1,1 @@\n-export function welcome(): void {}\n+export function greet(): void {}\n",
			undo: "u8",
		},
	},
	async run({ id, list = false, dry_run: dryRun }, on) {
		if (list) return { written: [], diff: "", changes: await on.edits.list() };
		const { planned, title, merged } = await on.edits.undo(id, dryRun);
		const notes = merged.map((path) => `${path} has changed since; that is kept.`);
		return { title, written: [], diff: planned.diff, planned, ...(notes.length > 0 ? { notes } : {}) };
	},
	render(output) {
		if (output.changes) return undoListText(output.changes);
		return writtenText(`taken back: ${output.title}`, output);
	},
	exitCode: (output) => (output.changes ? 0 : exitCodeOfWritten(output)),
});
