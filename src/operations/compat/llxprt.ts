import { defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";
import type { Locations } from "../common/inputs.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { HoverText } from "../hover.ts";
import type { Outline } from "../symbols.ts";
import type { WorkspaceSymbols } from "../workspace-symbols.ts";
import { inputFrom } from "./input-from.ts";

/** Parameters are 0-based; answers are 1-based lines `path:line:column`. */
const profile = "llxprt";

const position = t.object({
	filePath: t.text("Path of the file"),
	line: t.integer("0-based line", { minimum: 0 }),
	character: t.integer("0-based column", { minimum: 0 }),
});

function positionInput({ filePath, line, character }: { filePath: string; line: number; character: number }) {
	return { file: filePath, line: Number(line) + 1, column: Number(character) + 1 };
}

/** Models misread an empty text, in pi as an image. */
function linesOf(lines: readonly string[], nothing: string): string {
	return lines.length > 0 ? lines.join("\n") : nothing;
}

function locationLines({ places }: Locations, nothing: string): string {
	return linesOf(
		places.map(({ path, line, column }) => `${path}:${line}:${column}`),
		nothing,
	);
}

export const definition = defineAlias({
	profile,
	name: "lsp_goto_definition",
	description: "Navigate to the definition of a symbol at a given position.",
	input: position,
	toInput: positionInput,
	toOutput: (output: Locations) => locationLines(output, "No definition found"),
});

export const references = defineAlias({
	profile,
	name: "lsp_find_references",
	description: "Find all references to a symbol at a given position.",
	input: position,
	toInput: (given) => ({ ...positionInput(given), declaration: true }),
	toOutput: (output: Locations) => locationLines(output, "No references found"),
});

export const hover = defineAlias({
	profile,
	name: "lsp_hover",
	description: "Get type information and documentation for a symbol.",
	input: position,
	toInput: positionInput,
	toOutput: ({ text }: HoverText) => text || "No hover information",
});

export const symbols = defineAlias({
	profile,
	name: "lsp_document_symbols",
	description: "List all symbols (functions, classes, variables) in a file.",
	input: t.object({ filePath: position.properties.filePath }),
	toInput: inputFrom({ file: "filePath" }),
	toOutput: ({ symbols: found }: Outline) =>
		linesOf(
			found.map(({ name, line, column }) => `${name} - ${line}:${column}`),
			"No symbols found",
		),
});

export const workspaceSymbols = defineAlias({
	profile,
	name: "lsp_workspace_symbols",
	description: "Search for symbols across the entire workspace.",
	input: t.object({ query: t.text("A name, or letters of it in their order") }),
	toInput: inputFrom({ query: "query" }, { limit: 1000 }),
	toOutput: ({ symbols: found }: WorkspaceSymbols) =>
		linesOf(
			found.map(({ symbol, path, line, column = 1 }) => `${symbol.split(".").at(-1)} - ${path}:${line}:${column}`),
			"No symbols found",
		),
});

export const diagnostics = defineAlias({
	profile,
	name: "lsp_diagnostics",
	description: "Retrieve current diagnostics for all known files.",
	input: t.object({}),
	toInput: inputFrom({}, { scope: "open" as const, severity: "hint" as const }),
	toOutput({ files }: Diagnostics) {
		const lines = [...files]
			.sort((a, b) => a.path.localeCompare(b.path))
			.flatMap(({ path, diagnostics: found }) =>
				found.map(({ line, column, severity, message }) => {
					const kind = severity === "error" ? "" : `${severity}: `;
					return `${path}:${line}:${column} ${kind}${message}`;
				}),
			);
		const isProven = files.every(({ state }) => state === "fresh");
		const nothing = isProven ? "No diagnostics found" : "Nothing is proven";
		return linesOf(lines, files.length === 0 ? "No file is open in a server" : nothing);
	},
	note: unprovenText,
});
