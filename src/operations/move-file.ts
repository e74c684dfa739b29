import type { Static } from "@sinclair/typebox";
import { defineOperation, type Operation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { count } from "../render/count.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

const Input = t.object({
	from: t.text("The file or directory, relative to the working directory"),
	to: t.text("Its new path, or a directory that takes it"),
	...changeInput,
	exclude: t.optional.texts("Globs of files that stay as they are"),
	confirm: t.optional.flag("Also do what the server wants to be confirmed"),
});

const Output = t.object({
	...Written,
	from: t.text(),
	to: t.text(),
	places: t.integer("How many places that name it are changed"),
});

function defineMove<const Name extends string>(
	name: Name,
	title: string,
): Operation<Name, typeof Input, typeof Output> {
	return defineOperation({
		name,
		title,
		description:
			"Moves a file or a directory, and changes what imports it, all or nothing; shows the diff, new errors, and what undoes it. Says so where no server follows the imports.",
		effect: "write",
		requests: ["workspace/willRenameFiles"],
		input: Input,
		output: Output,
		positional: ["from", "to"],
		example: {
			input: { from: "src/greet.ts", to: "src/lib/greet.ts" },
			output: {
				from: "src/greet.ts",
				to: "src/lib/greet.ts",
				places: 1,
				written: ["src/app.ts", "src/lib/greet.ts"],
				diff: 'rename from src/greet.ts\nrename to src/lib/greet.ts\n--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,1 @@\n-import { greet } from "./greet.ts";\n+import { greet } from "./lib/greet.ts";\n',
				undo: "u7",
			},
		},
		async run({ from, to, dry_run: dryRun, exclude, confirm }, on) {
			const planned = await on.edits.move(from, to, { dryRun, exclude, confirmed: confirm });
			const places = Object.values(planned.places).reduce((sum, each) => sum + each, 0);
			return { ...writtenAnswer(planned, planned.notes), from: planned.from, to: planned.to, places };
		},
		render(output: Static<typeof Output>) {
			const { from, to, places } = output;
			const follow = places > 0 ? ` · ${count(places, "place follows", "places follow")}` : "";
			return writtenText(`moved ${from} → ${to}${follow}`, output);
		},
		exitCode: exitCodeOfWritten,
	});
}

export const moveFile = defineMove("move_file", "Move a file or a directory");

export const renameFile = defineMove("rename_file", "Rename a file or a directory");
