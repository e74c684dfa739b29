import { Type } from "@sinclair/typebox";

/** Pieces of schema that operations share, to be spread into their inputs and outputs. */

/** A string out of a list. Not a union of literals: that becomes `anyOf`, which Google's API refuses. */
export function oneOf<const Values extends readonly string[]>(
	values: Values,
	description: string,
	more: { readonly default?: Values[number] } = {},
) {
	return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description, ...more });
}

export const File = Type.String({ description: "Path, relative to the working directory" });

/** Where a question points: the name of a symbol says it best; a line narrows it down; a column is the last resort. */
export const At = {
	file: File,
	symbol: Type.Optional(Type.String({ description: "Its name, or a dotted path such as Class.method" })),
	at: Type.Optional(
		Type.Array(Type.String(), {
			description: "More positions: NAME, LINE:NAME, LINE:COLUMN, FILE#NAME, FILE:LINE:COLUMN",
		}),
	),
	line: Type.Optional(Type.Integer({ minimum: 1, description: "1-based, to tell equal names apart" })),
	column: Type.Optional(Type.Integer({ minimum: 1, description: "1-based, in UTF-16 units, without a symbol" })),
	pattern: Type.Optional(
		Type.String({ description: "Instead of a symbol: text of the file with @@ in front of what is meant" }),
	),
	end_line: Type.Optional(Type.Integer({ minimum: 1, description: "The pattern begins on `line` to `end_line`" })),
};

/** Fields that every face takes and that core does not advertise: what they cost is more than what they give. */
export const rareFields: ReadonlySet<string> = new Set(["pattern", "end_line", "limit", "offset", "timeout", "format"]);

/** In answers that are made of more than one file. */
export const Incomplete = {
	incomplete: Type.Optional(
		Type.String({ description: "Why something may be missing: the server has not read the whole project yet" }),
	),
};

/** In empty answers about a position. */
export const Nothing = {
	nothing: Type.Optional(Type.String({ description: "What stands at the place, where there is nothing to tell" })),
};

/** A part of a long answer. */
export function page(standard: number, things: string) {
	return {
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many ${things} (default ${standard})` }),
		),
		offset: Type.Optional(Type.Integer({ minimum: 0, description: `Pass over the first so many ${things}` })),
	};
}
/** In answers that are made of what several servers know. */
export const Unasked = {
	unasked: Type.Optional(
		Type.Array(Type.Object({ language: Type.String(), reason: Type.String() }), {
			description: "Languages of the workspace of which nothing was asked",
		}),
	),
};

/** How many places there are in a file. */
export const FileCount = Type.Object({
	path: Type.String(),
	count: Type.Integer(),
	test: Type.Optional(Type.Boolean({ description: "It is a file of tests" })),
});

/** A place in a file with its line of source; no text for places outside the workspace. */
const Place = Type.Object({
	path: Type.String(),
	line: Type.Integer(),
	column: Type.Integer(),
	endLine: Type.Optional(Type.Integer()),
	endColumn: Type.Optional(Type.Integer({ description: "Behind its last character" })),
	text: Type.Optional(Type.String()),
	declaration: Type.Optional(Type.Boolean({ description: "It is what declares the symbol, not a use of it" })),
	test: Type.Optional(Type.Boolean({ description: "In a file of tests" })),
});

/** Places, and how many there are in all. */
export const Places = {
	places: Type.Array(Place),
	total: Type.Integer(),
	tests: Type.Optional(Type.Integer({ description: "How many of the total are in tests" })),
};

/** Lines of a file; the whole file without them. */
export const Lines = {
	line: Type.Optional(Type.Integer({ minimum: 1, description: "First line, 1-based; without it the whole file" })),
	end_line: Type.Optional(Type.Integer({ minimum: 1, description: "Last line; `line` alone without it" })),
};

export const severityNames = ["error", "warning", "info", "hint"] as const;
const stateNames = ["fresh", "timed_out", "unavailable", "untrusted", "unsupported", "too_large", "binary"] as const;

const Diagnostic = Type.Object({
	line: Type.Integer(),
	column: Type.Integer(),
	endLine: Type.Integer(),
	endColumn: Type.Integer(),
	severity: oneOf(severityNames, "How much it matters"),
	code: Type.Optional(Type.String()),
	source: Type.Optional(Type.String()),
	message: Type.String(),
	related: Type.Optional(
		Type.Array(Type.Object({ path: Type.String(), line: Type.Integer(), message: Type.String() }), {
			description: "Places that it refers to",
		}),
	),
	new: Type.Optional(Type.Boolean()),
	earlier: Type.Optional(Type.Boolean()),
	suggestion: Type.Optional(Type.String({ description: "What the server would do about it" })),
	environmental: Type.Optional(Type.Boolean({ description: "It follows from what the file's `environment` says" })),
});

/** The report of a check. */
export const CheckReport = Type.Object({
	files: Type.Array(
		Type.Object({
			path: Type.String(),
			role: oneOf(["edited", "affected"], "Asked for, or depending on one that was"),
			state: oneOf(stateNames, "What is proven"),
			reason: Type.Optional(Type.String()),
			diagnostics: Type.Array(Diagnostic),
			fixed: Type.Optional(Type.Integer({ description: "Errors that were there before and are gone" })),
			environment: Type.Optional(
				Type.String({ description: "The one cause of most of its errors that lies outside of its text" }),
			),
		}),
	),
	servers: Type.Array(
		Type.Object({
			id: Type.String(),
			version: Type.Optional(Type.String()),
			root: Type.String(),
			strategy: Type.String(),
			state: oneOf(stateNames, "What is proven"),
			ms: Type.Number(),
		}),
	),
	omitted: Type.Object({ diagnostics: Type.Integer(), files: Type.Integer() }),
	changes: Type.Optional(
		Type.Array(
			Type.Object({
				name: Type.String(),
				before: Type.String(),
				after: Type.String(),
				callers: Type.Integer({ description: "References in other files" }),
				files: Type.Integer({ description: "The files that they are in" }),
				failing: Type.Integer({ description: "Those that are errors now" }),
			}),
			{ description: "Exported declarations whose signature changed" },
		),
	),
	withheld: Type.Optional(
		Type.Array(Type.String(), {
			description: "Servers that would do more if the repository were trusted; see `pi-lsp trust`",
		}),
	),
});
