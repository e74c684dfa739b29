import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { movesSymbols } from "../contract/refactorings.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { symbolInput } from "./common/symbol-change.ts";
import { exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

export const moveSymbol = defineOperation({
	name: "move_symbol",
	title: "Move a symbol to another file",
	description:
		"Moves a declaration of a file's top level to another file or to a new one, with the imports that it needs and those of all that use it. Shows the diff, new errors, and what undoes it. Servers of TypeScript 4 to 6 can, and gopls to a new file of the package.",
	effect: "write",
	requests: ["textDocument/codeAction"],
	offeredBy: movesSymbols,
	input: t.object({
		file: symbolInput.file,
		symbol: symbolInput.symbol,
		to: t.optional.text("The file that takes it (default: a new one, which the server names)"),
		dry_run: symbolInput.dry_run,
	}),
	output: t.object({ ...Written, symbol: t.text(), to: t.optional.text() }),
	positional: ["file", "symbol", "to"],
	example: {
		input: { file: "src/greet.ts", symbol: "loud", to: "src/loud.ts" },
		output: {
			symbol: "loud",
			to: "src/loud.ts",
			written: ["src/greet.ts", "src/loud.ts"],
			diff: "--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1,2 +1,1 @@\n-export const loud = true;\n export function greet(): void {}\n--- /dev/null\n+++ b/src/loud.ts\n@@ -0,0 +1,1 @@\n+export const loud = true;\n",
			undo: "u7",
		},
	},
	async run({ file, symbol, to, dry_run: dryRun }, on) {
		const planned = await on.edits.moveSymbol({ file, symbol, to, dryRun });
		const shown = planned.to === undefined ? {} : { to: planned.to };
		return { ...writtenAnswer(planned, planned.notes), symbol: planned.symbol, ...shown };
	},
	render: (output) => writtenText(`moved ${output.symbol} → ${output.to ?? "another file"}`, output),
	exitCode: exitCodeOfWritten,
});
