import { severities } from "../../contract/check-report.ts";
import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { symbolKindNumber } from "../../contract/protocol-kinds.ts";
import { t, type ValueOf } from "../../contract/schema.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";
import type { Locations } from "../common/inputs.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { HoverText } from "../hover.ts";
import type { Outline, OutlineSymbol } from "../symbols.ts";
import { inputFrom } from "./input-from.ts";
import { throwIfUnproven } from "./unproven.ts";

export const profile = "agent-lsp";

export const file = { file_path: t.text("Absolute path to the file") };

/** Accepted, but unused. */
export const language = {
	language_id: t.optional.text("Language identifier"),
};

export const position = t.object({
	...file,
	...language,
	line: t.optional.positive("Line (1-based)"),
	column: t.optional.positive("Column (1-based)"),
	position_pattern: t.optional.text("Instead of line and column: text of the file with @@ in front of what is meant"),
	line_scope_start: t.optional.positive("position_pattern stands on or below this line"),
	line_scope_end: t.optional.positive("position_pattern begins on or above this line"),
});

type GivenPosition = ValueOf<typeof position>;

export function positionInput({ file_path: file, line, column, position_pattern: pattern, ...scope }: GivenPosition) {
	if (pattern === undefined)
		return { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
	const { line_scope_start: first, line_scope_end: last } = scope;
	return {
		file,
		pattern,
		...(first === undefined ? {} : { line: first }),
		...(last === undefined ? {} : { end_line: last }),
	};
}

interface Range {
	readonly line: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
}

/** LSP's range is 0-based. */
export function lspRange({ line, column = 1, endLine = line, endColumn = column }: Range) {
	return {
		start: { line: line - 1, character: column - 1 },
		end: { line: endLine - 1, character: endColumn - 1 },
	};
}

/** Answers are 1-based. */
export function locations(name: string, description: string) {
	return defineAlias({
		profile,
		name,
		description: `${description}.`,
		input: position,
		toInput: positionInput,
		toOutput: toLocations,
	});
}

function toLocations({ places }: Locations, _given: unknown, { absolute }: AliasContext) {
	return places.map(({ path, line, column, endLine = line, endColumn = column }) => ({
		file: absolute(path),
		line,
		column,
		end_line: endLine,
		end_column: endColumn,
	}));
}

export const references = defineAlias({
	profile,
	name: "get_references",
	alsoNamed: ["find_references"],
	description: "All locations where a symbol is referenced across the workspace.",
	input: t.object({
		...position.properties,
		include_declaration: t.optional.flag("Include the symbol's own declaration", { default: false }),
	}),
	toInput: ({ include_declaration: declaration = false, ...given }) => ({ ...positionInput(given), declaration }),
	toOutput: toLocations,
});

export const hover = defineAlias({
	profile,
	name: "get_info_on_location",
	alsoNamed: ["inspect_symbol"],
	description: "Type signature and documentation of the symbol at a position, as the language server shows them.",
	input: position,
	toInput: positionInput,
	toOutput: ({ text }: HoverText) => text,
});

const diagnosticsMs = 25_000;

export const diagnostics = defineAlias({
	profile,
	name: "get_diagnostics",
	description: "Diagnostic messages of a file, or of all open files.",
	input: t.object({
		file_path: t.optional.text("Absolute path to a specific file; without it all open files"),
		group_by: t.optional.oneOf(["symbol"], "Groups by the declaration around each, as {symbols, ungrouped}"),
	}),
	toInput: ({ file_path: path, group_by }) => ({
		...(group_by === undefined ? {} : { group_by }),
		...(path === undefined ? { scope: "open" as const } : { file: path }),
		severity: "hint" as const,
		limit: 10_000,
		timeout: diagnosticsMs,
	}),
	toOutput({ files }: Diagnostics, { file_path, group_by }, { uri }) {
		if (file_path !== undefined) throwIfUnproven(files);
		const unproven = files.filter(({ state }) => state !== "fresh");
		const states = Object.fromEntries(unproven.map(({ path, state }) => [uri(path), state]));
		const found =
			group_by === undefined
				? Object.fromEntries(files.map(({ path, diagnostics: all }) => [uri(path), all.map(toLspDiagnostic)]))
				: groupedBySymbol(files, uri);
		return unproven.length > 0 ? { ...found, _meta: { state: states } } : found;
	},
	note: unprovenText,
});

type Found = Diagnostics["files"][number]["diagnostics"][number];

function toLspDiagnostic({ severity, code, source, message, ...range }: Found) {
	return {
		range: lspRange(range),
		severity: severities.indexOf(severity) + 1,
		...(code === undefined ? {} : { code: /^\d+$/.test(code) ? Number(code) : code }),
		...(source === undefined ? {} : { source }),
		message,
	};
}

function groupedBySymbol(files: Diagnostics["files"], uri: (path: string) => string) {
	const symbols = files.flatMap(({ path, diagnostics: all }) =>
		[...new Set(all.flatMap(({ symbol }) => symbol ?? []))].map((symbol) => ({
			symbol,
			uri: uri(path),
			diagnostics: all.filter((each) => each.symbol === symbol).map(toLspDiagnostic),
		})),
	);
	const left = files.map(({ path, diagnostics: all }) => [uri(path), all.filter(({ symbol }) => !symbol)] as const);
	const ungrouped = left.filter(([, all]) => all.length > 0).map(([path, all]) => [path, all.map(toLspDiagnostic)]);
	return { symbols, ungrouped: Object.fromEntries(ungrouped) };
}

export const symbols = defineAlias({
	profile,
	name: "get_document_symbols",
	alsoNamed: ["list_symbols"],
	description: "All symbols defined in a file, as a tree.",
	input: t.object({
		...file,
		...language,
		format: t.optional.oneOf(["json", "outline"], "`outline`: name [Kind] :line, indented, for a fifth of the tokens", {
			default: "json",
		}),
	}),
	toInput: inputFrom({ file: "file_path" }),
	toOutput: ({ symbols: found }: Outline, { format }) =>
		format === "outline" ? outlineLines(found) : found.map(toDocumentSymbol),
	toMeta: ({ characters }, answer) => tokenSavings(characters, answer),
});

/** agent-lsp counts four characters as a token. */
export function tokenSavings(characters: number | undefined, answer: unknown) {
	if (characters === undefined) return undefined;
	const whole = Math.ceil(characters / 4);
	const returned = Math.ceil((typeof answer === "string" ? answer : JSON.stringify(answer)).length / 4);
	return {
		token_savings: { tokens_full_file: whole, tokens_returned: returned, tokens_saved: Math.max(whole - returned, 0) },
	};
}

/** LSP's DocumentSymbol, but 1-based. */
function toDocumentSymbol(symbol: OutlineSymbol): object {
	const { name, kind, detail, line, column, endLine, endColumn, nameLine, nameColumn, children } = symbol;
	return {
		name,
		...(detail === undefined ? {} : { detail }),
		kind: symbolKindNumber(kind),
		range: { start: { line, character: column }, end: { line: endLine, character: endColumn } },
		selectionRange: {
			start: { line: nameLine, character: nameColumn },
			end: { line: nameLine, character: nameColumn + name.length },
		},
		...(children.length > 0 ? { children: children.map(toDocumentSymbol) } : {}),
	};
}

function outlineLines(symbols: readonly OutlineSymbol[], depth = 0): string {
	return symbols
		.map(({ name, kind, nameLine, children }) => {
			const own = `${"  ".repeat(depth)}${name} [${pascalCase(kind)}] :${nameLine}`;
			return children.length > 0 ? `${own}\n${outlineLines(children, depth + 1)}` : own;
		})
		.join("\n");
}

export function pascalCase(kind: string): string {
	return kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
