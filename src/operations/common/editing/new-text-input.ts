import { Type } from "@sinclair/typebox";
import { LspError } from "../../../contract/errors.ts";
import { t, type ValueOf } from "../../../contract/schema.ts";
import type { NewText, PartOfEdit } from "../../../planning/new-text.ts";
import { replacedIn, replacedInput } from "./replaced.ts";

/** On the command line a file's path, or `-` for standard input. */
const textFrom = (description: string) => t.optional.text(description, { contentMediaType: "text/plain" });

const inPi = {
	oldText: t.optional.text("The same as `old_text`"),
	newText: t.optional.text("The same as `new_text`"),
};
const deleted = t.optional.flag("The file is deleted");

/** Also takes the input of pi's `edit` and `write`. */
export const newTextInput = {
	path: t.optional.text("The same as `file`"),
	...inPi,
	file: t.optional.text("Path of the edited file, relative to the working directory"),
	content: textFrom("Its whole new text"),
	deleted,
	...replacedInput,
	edits: t.optional.list(
		Type.Object(
			{
				file: t.optional.text("Another file than the one above"),
				path: t.optional.text("The same as `file`"),
				content: t.optional.text("Its whole new text"),
				deleted,
				...replacedInput,
				...inPi,
			},
			{ additionalProperties: false },
		),
		"Instead: several parts, of one or more files, which all refer to the texts as they are",
		{ minItems: 1 },
	),
	patch: textFrom("Instead of `file`: a unified diff of one or more files"),
};

const NewTextInput = t.object(newTextInput);

/** Throws LSP_INVALID_INPUT. */
export function newTextOf({ patch, edits, ...given }: ValueOf<typeof NewTextInput>): NewText {
	const single = partOf(given);
	const isPart = isGiven(single);
	if (isPart && edits) throw new LspError("LSP_INVALID_INPUT", "Give either `edits`, or one text or place.");
	const { file } = single;
	const parts = edits?.map((each) => {
		const part = partOf(each);
		return isGiven(part) ? { ...part, file: part.file ?? file } : { file: part.file ?? file, replaced: { next: "" } };
	});
	return { patch, parts: parts ?? (isPart || file !== undefined ? [single] : undefined) };
}

type Given = Omit<ValueOf<typeof NewTextInput>, "patch" | "edits">;

function partOf({ path, file = path, content, deleted: isDeleted, oldText, newText, ...given }: Given): PartOfEdit {
	if (path !== undefined && path !== file) throw new LspError("LSP_INVALID_INPUT", "Give `file` or `path`, not two.");
	const inWords = {
		...(oldText === undefined ? {} : { old_text: oldText }),
		...(newText === undefined ? {} : { new_text: newText }),
	};
	return { file, content, isDeleted, replaced: replacedIn({ ...inWords, ...given }) };
}

function isGiven({ content, isDeleted, replaced }: PartOfEdit): boolean {
	return content !== undefined || isDeleted === true || replaced !== undefined;
}
