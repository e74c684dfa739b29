import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { preferredAction } from "../contract/preferred-action.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { File } from "./common/inputs.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

const kind = "source.organizeImports";

export const organizeImports = defineOperation({
	name: "organize_imports",
	title: "Organize imports",
	description:
		"Sorts the imports of a file and removes those that nothing uses, as its server or a linter of the project does it. Shows the diff, new errors, and what undoes it.",
	effect: "write",
	requests: ["textDocument/codeAction"],
	input: t.object({ file: File, ...changeInput }),
	output: t.object(Written),
	positional: ["file"],
	example: {
		input: { file: "src/app.ts" },
		output: {
			written: ["src/app.ts"],
			diff: '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,2 +1,1 @@\n-import { none } from "./none.ts";\n greet();\n',
			undo: "u7",
		},
	},
	run: ({ file, dry_run: dryRun }, on) =>
		on.ask({ file, linters: true }, async (query) => {
			const actions = await query.codeActions(query.lineRange(1, query.lines.length), { kind });
			const action = preferredAction(actions) ?? actions[0];
			if (!action)
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${query.server.config.id} organizes no imports here.`);
			const title = `organize imports of ${query.displayPath(query.document.path)}`;
			return writtenAnswer(await on.edits.planAction(query, action, { title, dryRun }));
		}),
	render: (output, { file }) => writtenText(`imports organized in ${file}`, output),
	exitCode: exitCodeOfWritten,
});
