import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { actionRange } from "./common/action-range.ts";
import { actionCalled } from "./common/choose-action.ts";
import { At } from "./common/inputs.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

const { at: _, ...Position } = At;

export const applyCodeAction = defineOperation({
	name: "apply_code_action",
	title: "Apply a fix or a refactoring",
	description:
		"Does what `code_actions` lists, by its title: a fix, an import, an extraction, an inlining; in all files or in none. Shows the diff, new errors, and what undoes it.",
	effect: "write",
	requests: ["textDocument/codeAction"],
	input: t.object({
		file: Position.file,
		title: t.text("The action's title, or enough of it"),
		symbol: Position.symbol,
		line: Position.line,
		column: Position.column,
		pattern: Position.pattern,
		end_line: t.optional.positive("The last line of what it is about"),
		end_column: t.optional.positive("Behind its last character, with `column`"),
		kind: t.optional.text("Only actions of this kind: refactor.extract, …"),
		...changeInput,
		confirm: t.optional.flag("Also do what the server wants to be confirmed"),
	}),
	output: t.object({ ...Written, title: t.text() }),
	positional: ["file", "title"],
	example: {
		input: { file: "src/app.ts", title: "greet.ts", line: 3 },
		output: {
			title: 'Add import from "./greet.ts"',
			written: ["src/app.ts"],
			diff: '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,2 @@\n+import { greet } from "./greet.ts";\n greet();\n',
			undo: "u7",
		},
	},
	run: ({ file, title: wanted, kind, dry_run: dryRun, confirm, ...position }, on) =>
		on.ask({ file, linters: true }, async (query) => {
			const actions = await query.codeActions(await actionRange(query, position), { kind });
			const action = actionCalled(wanted, actions, query);
			const { title } = action;
			const planned = await on.edits.planAction(query, action, { title, dryRun, confirmed: confirm });
			return { ...writtenAnswer(planned), title };
		}),
	render: (output) => writtenText(`applied "${output.title}"`, output),
	exitCode: exitCodeOfWritten,
});
