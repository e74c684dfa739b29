import { Type } from "@sinclair/typebox";
import { LspError } from "../../../contract/errors.ts";
import type { ValueOf } from "../../../contract/schema.ts";
import type { NewText } from "../../../planning/new-text.ts";
import { replacedIn, replacedInput } from "./replaced.ts";

/** On the command line its file's path, or `-` for standard input. */
const textFrom = (description: string) => Type.Optional(Type.String({ description, contentMediaType: "text/plain" }));

const inPi = {
	oldText: Type.Optional(Type.String({ description: "The same as `old_text`" })),
	newText: Type.Optional(Type.String({ description: "The same as `new_text`" })),
};

/** One file, or several as a diff; also the input of pi's `edit` and `write`. */
export const newTextInput = {
	path: Type.Optional(Type.String({ description: "The same as `file`" })),
	...inPi,
	file: Type.Optional(Type.String({ description: "Path of the edited file, relative to the working directory" })),
	content: textFrom("Its whole new text"),
	...replacedInput,
	edits: Type.Optional(
		Type.Array(Type.Object({ ...replacedInput, ...inPi }, { additionalProperties: false }), {
			minItems: 1,
			description: "Instead: several parts, which all refer to the text as it is",
		}),
	),
	patch: textFrom("Instead of `file`: a unified diff of one or more files"),
};

const NewTextInput = Type.Object(newTextInput);

/** Throws LSP_INVALID_INPUT. */
export function newTextOf(input: ValueOf<typeof NewTextInput>): NewText {
	const { path, file = path, content, patch, edits, ...given } = input;
	if (path !== undefined && path !== file) throw new LspError("LSP_INVALID_INPUT", "Give `file` or `path`, not two.");
	const single = replacedIn(named(given));
	if (single && edits) throw new LspError("LSP_INVALID_INPUT", "Give either `edits`, or one text or place.");
	const several = edits?.map((each) => replacedIn(named(each)) ?? { next: "" });
	return { file, content, patch, replaced: single ? [single] : several };
}

function named<Given extends { readonly oldText?: string; readonly newText?: string }>({
	oldText,
	newText,
	...given
}: Given) {
	return {
		...(oldText === undefined ? {} : { old_text: oldText }),
		...(newText === undefined ? {} : { new_text: newText }),
		...given,
	};
}
