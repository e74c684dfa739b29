import { LspError } from "../../../contract/errors.ts";
import { type FieldsOf, t } from "../../../contract/schema.ts";
import type { Replaced } from "../../../planning/new-text.ts";

export const replacedInput = {
	old_text: t.optional.text("The text that is replaced; it must occur once"),
	new_text: t.optional.text("The text in its place"),
	line: t.optional.positive("Instead of `old_text`: where the piece begins, 1-based"),
	column: t.optional.positive("1-based, in UTF-16 units (default 1)"),
	end_line: t.optional.positive("Where the piece ends (default: it is empty)"),
	end_column: t.optional.positive("Behind its last character (default: the end of `end_line`)"),
};

/** Undefined for an empty input. Throws LSP_INVALID_INPUT. */
export function replacedIn(given: FieldsOf<typeof replacedInput>): Replaced | undefined {
	const { old_text: old, new_text: next, line, column, end_line: endLine, end_column: endColumn } = given;
	if (next === undefined) {
		if (Object.values(given).every((each) => each === undefined)) return undefined;
		throw new LspError("LSP_INVALID_INPUT", "Give `new_text`, the text in the place of what is replaced.");
	}
	return { old, piece: line === undefined ? undefined : { line, column, endLine, endColumn }, next };
}
