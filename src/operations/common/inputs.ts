import { Type } from "@sinclair/typebox";
import type { ValueOf } from "../../contract/schema.ts";

export const File = Type.String({ description: "Its path" });

export const At = {
	file: File,
	symbol: Type.Optional(Type.String({ description: "Its name, or Class.method" })),
	at: Type.Optional(
		Type.Array(Type.String(), {
			description: "More: NAME, LINE:NAME, FILE#NAME, FILE:LINE:COLUMN",
		}),
	),
	line: Type.Optional(Type.Integer({ minimum: 1, description: "1-based, to tell equal names apart" })),
	column: Type.Optional(Type.Integer({ minimum: 1, description: "1-based, in UTF-16 units, without a symbol" })),
	pattern: Type.Optional(
		Type.String({ description: "Instead of a symbol: text of the file with @@ in front of what is meant" }),
	),
	end_line: Type.Optional(Type.Integer({ minimum: 1, description: "The pattern begins on `line` to `end_line`" })),
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
	incomplete: Type.Optional(
		Type.String({
			description: "Why something may be missing: a server has not answered, or not read the whole project",
		}),
	),
};

export function incompleteFor(unanswered: readonly string[]): { readonly incomplete?: string } {
	return unanswered.length > 0 ? { incomplete: unanswered.join(" ") } : {};
}

export const NothingThere = {
	nothing: Type.Optional(Type.String({ description: "What stands at the place, where there is nothing to tell" })),
};

export function page(standard: number, things: string) {
	return {
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many ${things} (default ${standard})` }),
		),
		offset: Type.Optional(Type.Integer({ minimum: 0, description: `Pass over the first so many ${things}` })),
	};
}

export const Unasked = {
	unasked: Type.Optional(
		Type.Array(Type.Object({ language: Type.String(), reason: Type.String() }), {
			description: "Languages of the workspace of which nothing was asked",
		}),
	),
};

export const FileCount = Type.Object({
	path: Type.String(),
	count: Type.Integer(),
	test: Type.Optional(Type.Boolean({ description: "It is a file of tests" })),
});

export type FileCount = ValueOf<typeof FileCount>;

/** No `text` outside the workspace. */
const Location = Type.Object({
	path: Type.String(),
	line: Type.Integer(),
	column: Type.Integer(),
	endLine: Type.Optional(Type.Integer()),
	endColumn: Type.Optional(Type.Integer({ description: "Behind its last character" })),
	text: Type.Optional(Type.String()),
	indent: Type.Optional(Type.String({ description: "The white space before `text`" })),
	declaration: Type.Optional(Type.Boolean({ description: "It is what declares the symbol, not a use of it" })),
	test: Type.Optional(Type.Boolean({ description: "In a file of tests" })),
});

export type Location = ValueOf<typeof Location>;

export const Locations = Type.Object({
	places: Type.Array(Location),
	total: Type.Integer(),
	tests: Type.Optional(Type.Integer({ description: "How many of the total are in tests" })),
});

export type Locations = ValueOf<typeof Locations>;

export const Lines = {
	line: Type.Optional(Type.Integer({ minimum: 1, description: "First line, 1-based; without it the whole file" })),
	end_line: Type.Optional(Type.Integer({ minimum: 1, description: "Last line; `line` alone without it" })),
};
