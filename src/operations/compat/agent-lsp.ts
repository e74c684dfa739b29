import { Type } from "@sinclair/typebox";
import type { CheckReport } from "../../contract/check-report.ts";
import { defineAlias, type Reader } from "../../contract/operation.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";
import { oneOf } from "../common/inputs.ts";
import type { Outlined } from "../symbols.ts";

/** agent-lsp is asked with 1-based positions; what it answers counts as its reference says. */
export const profile = "agent-lsp";

export const file = { file_path: Type.String({ description: "Absolute path to the file" }) };

/** Taken and not needed: a file's language follows from the file. */
export const language = {
	language_id: Type.Optional(Type.String({ description: "Language identifier" })),
};

/** Where a question points. */
export const place = Type.Object({
	...file,
	...language,
	line: Type.Optional(Type.Integer({ minimum: 1, description: "Line (1-based)" })),
	column: Type.Optional(Type.Integer({ minimum: 1, description: "Column (1-based)" })),
	position_pattern: Type.Optional(
		Type.String({ description: "Instead of line and column: text of the file with @@ in front of what is meant" }),
	),
});

interface Position {
	readonly file_path: string;
	readonly line?: number;
	readonly column?: number;
	readonly position_pattern?: string;
}

/** The seed's position as one of ours. */
export function at({ file_path, line, column, position_pattern: pattern }: Position) {
	const spot = {
		...(line === undefined ? {} : { line }),
		...(column === undefined ? {} : { column }),
	};
	return { file: file_path, ...(pattern === undefined ? spot : { pattern }) };
}

export interface Range {
	readonly line: number;
	readonly column?: number;
	readonly endLine?: number;
	readonly endColumn?: number;
}

/** A range as LSP has it, from 0. */
export function range({ line, column = 1, endLine = line, endColumn = column }: Range) {
	return {
		start: { line: line - 1, character: column - 1 },
		end: { line: endLine - 1, character: endColumn - 1 },
	};
}

interface Found {
	readonly places: readonly {
		readonly path: string;
		readonly line: number;
		readonly column: number;
		readonly endLine?: number;
		readonly endColumn?: number;
	}[];
}

/** A tool that answers with places: absolute paths, 1-based. */
export function places(name: string, description: string) {
	return defineAlias({
		profile,
		name,
		description: `${description}.`,
		input: place,
		toInput: at,
		toOutput: located,
	});
}

function located({ places: found }: Found, _given: unknown, { absolute }: { absolute(path: string): string }) {
	return found.map(({ path, line, column, endLine = line, endColumn = column }) => ({
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
	description: "All locations where a symbol is referenced across the workspace.",
	input: Type.Object({
		...place.properties,
		include_declaration: Type.Optional(
			Type.Boolean({ description: "Include the symbol's own declaration", default: false }),
		),
	}),
	toInput: ({ include_declaration: declaration = false, ...given }) => ({ ...at(given), declaration }),
	toOutput: located,
});

export const hover = defineAlias({
	profile,
	name: "get_info_on_location",
	description: "Type signature and documentation of the symbol at a position, as the language server shows them.",
	input: place,
	toInput: at,
	toOutput: ({ text }: { readonly text: string }) => text,
});

/** LSP's severities, from 1. */
const severities = ["error", "warning", "info", "hint"];

export const diagnostics = defineAlias({
	profile,
	name: "get_diagnostics",
	description: "Diagnostic messages of a file, or of all open files.",
	input: Type.Object({
		file_path: Type.Optional(
			Type.String({ description: "Absolute path to a specific file; without it all open files" }),
		),
	}),
	toInput: ({ file_path: path }) => ({
		...(path === undefined ? { scope: "open" as const } : { file: path }),
		severity: "hint" as const,
		limit: 10_000,
	}),
	// The one answer that counts from 0, as LSP does.
	toOutput: ({ files }: CheckReport, _given, { uri }) =>
		Object.fromEntries(
			files.map(({ path, diagnostics: found }) => [
				uri(path),
				found.map(({ line, column, endLine, endColumn, severity, code, source, message }) => ({
					range: {
						start: { line: line - 1, character: column - 1 },
						end: { line: endLine - 1, character: endColumn - 1 },
					},
					severity: severities.indexOf(severity) + 1,
					...(code === undefined ? {} : { code: /^\d+$/.test(code) ? Number(code) : code }),
					...(source === undefined ? {} : { source }),
					message,
				})),
			]),
		),
	note: unprovenText,
});

export const symbols = defineAlias({
	profile,
	name: "get_document_symbols",
	description: "All symbols defined in a file, as a tree.",
	input: Type.Object({
		...file,
		...language,
		format: Type.Optional(
			oneOf(["json", "outline"], "`outline`: name [Kind] :line, indented, for a fifth of the tokens", {
				default: "json",
			}),
		),
	}),
	toInput: ({ file_path: path }) => ({ file: path }),
	toOutput: ({ symbols: found }: { readonly symbols: readonly Outlined[] }, { format }, reader) =>
		format === "outline" ? outlined(found) : found.map((symbol) => treeOf(symbol, reader)),
});

function treeOf(symbol: Outlined, reader: Reader): object {
	const { name, kind, line, column, endLine, endColumn, nameLine, nameColumn, children } = symbol;
	return {
		name,
		kind: reader.symbolKind(kind),
		range: { start: { line, character: column }, end: { line: endLine, character: endColumn } },
		selectionRange: {
			start: { line: nameLine, character: nameColumn },
			end: { line: nameLine, character: nameColumn + name.length },
		},
		...(children.length > 0 ? { children: children.map((child) => treeOf(child, reader)) } : {}),
	};
}

function outlined(symbols: readonly Outlined[], depth = 0): string {
	return symbols
		.map(({ name, kind, nameLine, children }) => {
			const word = kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
			const own = `${"  ".repeat(depth)}${name} [${word}] :${nameLine}`;
			return children.length > 0 ? `${own}\n${outlined(children, depth + 1)}` : own;
		})
		.join("\n");
}
