import { t, type ValueOf } from "../../contract/schema.ts";

export const File = t.text("Its path");

export const At = {
	file: File,
	symbol: t.optional.text("Its name, or Class.method"),
	at: t.optional.texts("More: NAME, LINE:NAME, FILE#NAME, FILE:LINE:COLUMN"),
	line: t.optional.positive("1-based, to tell equal names apart"),
	column: t.optional.positive("1-based, in UTF-16 units, without a symbol"),
	pattern: t.optional.text("Instead of a symbol: text of the file with @@ in front of what is meant"),
	end_line: t.optional.positive("The pattern begins on `line` to `end_line`"),
};

/** Not offered by `core`: each costs tokens. */
export const rareFields: ReadonlySet<string> = new Set([
	"pattern",
	"column",
	"end_line",
	"limit",
	"offset",
	"timeout",
	"format",
	"language",
	"code",
	"dry_run",
	"staged",
	"index",
	"base",
	"allow_nothing",
	"exclude",
	"confirm",
	"return_edit",
	"group_by",
	"concurrent",
]);

export const Incomplete = {
	incomplete: t.optional.text("Why something may be missing: a server has not answered, or not read the whole project"),
};

export function incompleteFor(unanswered: readonly string[]): { readonly incomplete?: string } {
	return unanswered.length > 0 ? { incomplete: unanswered.join(" ") } : {};
}

export const NothingThere = {
	nothing: t.optional.text("What stands at the place, where there is nothing to tell"),
};

export function page(standard: number, things: string) {
	return {
		limit: t.optional.positive(`At most this many ${things} (default ${standard})`),
		offset: t.optional.integer(`Pass over the first so many ${things}`, { minimum: 0 }),
	};
}

export const Unasked = {
	unasked: t.optional.objects("Languages of the workspace of which nothing was asked", {
		language: t.text(),
		reason: t.text(),
	}),
};

export const FileCount = t.object({
	path: t.text(),
	count: t.integer(),
	test: t.optional.flag("It is a file of tests"),
});

export type FileCount = ValueOf<typeof FileCount>;

/** No `text` outside the workspace. */
const Location = t.object({
	path: t.text(),
	line: t.integer(),
	column: t.integer(),
	endLine: t.optional.integer(),
	endColumn: t.optional.integer("Behind its last character"),
	text: t.optional.text(),
	indent: t.optional.text("The white space before `text`"),
	declaration: t.optional.flag("It is what declares the symbol, not a use of it"),
	test: t.optional.flag("In a file of tests"),
});

export type Location = ValueOf<typeof Location>;

export const Locations = t.object({
	places: t.list(Location),
	total: t.integer(),
	tests: t.optional.integer("How many of the total are in tests"),
});

export type Locations = ValueOf<typeof Locations>;

export const Lines = {
	line: t.optional.positive("First line, 1-based; without it the whole file"),
	end_line: t.optional.positive("Last line; `line` alone without it"),
};
