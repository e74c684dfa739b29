import { Type } from "@sinclair/typebox";
import { LspError } from "../../../contract/errors.ts";
import type { ValueOf } from "../../../contract/schema.ts";
import type { NewText } from "../../../planning/new-text.ts";
import { replacedIn, replacedInput } from "./replaced.ts";

/** A text; the command line takes the path of a file that holds it, or `-` for standard input. */
const textFrom = (description: string) => Type.Optional(Type.String({ description, contentMediaType: "text/plain" }));

/** An edit of one file, or of several as a diff. */
export const newTextInput = {
	file: Type.Optional(Type.String({ description: "Path of the edited file, relative to the working directory" })),
	content: textFrom("Its whole new text"),
	...replacedInput,
	edits: Type.Optional(
		Type.Array(Type.Object({ ...replacedInput, new_text: Type.String() }, { additionalProperties: false }), {
			minItems: 1,
			description: "Instead: several parts, which all refer to the text as it is",
		}),
	),
	patch: textFrom("Instead of `file`: a unified diff of one or more files"),
};

const NewTextInput = Type.Object(newTextInput);

/** Throws LSP_INVALID_INPUT. */
export function newTextOf({ file, content, patch, edits, ...given }: ValueOf<typeof NewTextInput>): NewText {
	const single = replacedIn(given);
	if (single && edits) throw new LspError("LSP_INVALID_INPUT", "Give either `edits`, or one text or place.");
	const several = edits?.map((each) => replacedIn(each) ?? { next: each.new_text });
	return { file, content, patch, replaced: single ? [single] : several };
}
