import { Type } from "@sinclair/typebox";
import type { CheckReport } from "../../contract/check-report.ts";
import { defineAlias } from "../../contract/operation.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";

/**
 * The six tools of llxprt's language server integration. Parameters and answers are those of the product: positions count from 0, answers are lines `path:line:column`, which count from 1.
 */
const profile = "llxprt";

const place = Type.Object({
	filePath: Type.String({ description: "Path of the file" }),
	line: Type.Integer({ minimum: 0, description: "0-based line" }),
	character: Type.Integer({ minimum: 0, description: "0-based column" }),
});

interface FoundPlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
}

interface Found {
	readonly places: readonly FoundPlace[];
}

interface FoundSymbol {
	readonly name: string;
	readonly line: number;
	readonly column: number;
}

interface FoundName {
	readonly symbol: string;
	readonly path: string;
	readonly line: number;
	readonly column?: number;
}

/** The seed's position as one of ours. */
function at({ filePath, line, character }: { filePath: string; line: number; character: number }) {
	return { file: filePath, line: Number(line) + 1, column: Number(character) + 1 };
}

function lines(places: readonly FoundPlace[]): string {
	return places.map(({ path, line, column }) => `${path}:${line}:${column}`).join("\n");
}

export const definition = defineAlias({
	profile,
	name: "lsp_goto_definition",
	description: "Navigate to the definition of a symbol at a given position.",
	input: place,
	toInput: at,
	toOutput: ({ places }: Found) => lines(places),
});

export const references = defineAlias({
	profile,
	name: "lsp_find_references",
	description: "Find all references to a symbol at a given position.",
	input: place,
	toInput: (given) => ({ ...at(given), declaration: true }),
	toOutput: ({ places }: Found) => lines(places),
});

export const hover = defineAlias({
	profile,
	name: "lsp_hover",
	description: "Get type information and documentation for a symbol.",
	input: place,
	toInput: at,
	toOutput: ({ text }: { readonly text: string }) => text || "No hover information",
});

export const symbols = defineAlias({
	profile,
	name: "lsp_document_symbols",
	description: "List all symbols (functions, classes, variables) in a file.",
	input: Type.Object({ filePath: place.properties.filePath }),
	toInput: ({ filePath }) => ({ file: filePath }),
	toOutput: ({ symbols: found }: { readonly symbols: readonly FoundSymbol[] }) =>
		found.map(({ name, line, column }) => `${name} - ${line}:${column}`).join("\n"),
});

export const workspaceSymbols = defineAlias({
	profile,
	name: "lsp_workspace_symbols",
	description: "Search for symbols across the entire workspace.",
	input: Type.Object({ query: Type.String({ description: "A name, or letters of it in their order" }) }),
	toInput: ({ query }) => ({ query, limit: 1000 }),
	toOutput: ({ symbols: found }: { readonly symbols: readonly FoundName[] }) =>
		found
			.map(({ symbol, path, line, column = 1 }) => `${symbol.split(".").at(-1)} - ${path}:${line}:${column}`)
			.join("\n"),
});

export const diagnostics = defineAlias({
	profile,
	name: "lsp_diagnostics",
	description: "Retrieve current diagnostics for all known files.",
	input: Type.Object({}),
	toInput: () => ({ scope: "open" as const, severity: "hint" as const }),
	toOutput: ({ files }: CheckReport) =>
		[...files]
			.sort((a, b) => a.path.localeCompare(b.path))
			.flatMap(({ path, diagnostics: found }) =>
				found.map(({ line, column, message }) => `${path}:${line}:${column} ${message}`),
			)
			.join("\n"),
	note: unprovenText,
});
