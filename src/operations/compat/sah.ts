import { Type } from "@sinclair/typebox";
import type { CheckReport, Severity } from "../../contract/check-report.ts";
import { type Alias, defineAlias } from "../../contract/operation.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";
import { oneOf } from "../common/inputs.ts";

/** swissarmyhammer: one tool `lsp` with four operations; paths absolute, lines and columns 1-based. */
const seed = {
	profile: "sah",
	name: "lsp",
	toError: ({ code, message, details }) => ({ error: { code, message, details } }),
} as const satisfies Partial<Alias<unknown, never>>;

const file = { file_path: Type.String({ description: "Absolute path to the file" }) };
const position = {
	...file,
	line: Type.Integer({
		description: "Line number (1-based). Required for definition, references, hover.",
		minimum: 1,
	}),
	column: Type.Integer({
		description: "Column number (1-based). Required for definition, references, hover.",
		minimum: 1,
	}),
};
const filters = ["error", "warning", "info", "hint", "all"] as const;

interface FoundPlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
	readonly text?: string;
	readonly declaration?: boolean;
}

interface Found {
	readonly places: readonly FoundPlace[];
}

export const definition = defineAlias({
	...seed,
	choice: "definition",
	description: "Find the definition location of a symbol.",
	input: Type.Object(position),
	toInput: ({ file_path, line, column }) => ({ file: file_path, line, column }),
	toOutput: ({ places }: Found, _given, { absolute }) => ({
		definitions: places.map(({ path, line, column, text = "" }) => ({
			file_path: absolute(path),
			line,
			column,
			preview: text,
		})),
	}),
});

export const references = defineAlias({
	...seed,
	choice: "references",
	description: "Find all references to a symbol.",
	input: Type.Object({
		...position,
		include_declaration: Type.Optional(
			Type.Boolean({ description: "Include the declaration in results (references only)", default: true }),
		),
	}),
	toInput: ({ file_path, line, column, include_declaration = true }) => ({
		file: file_path,
		line,
		column,
		declaration: include_declaration,
	}),
	toOutput: ({ places, total }: Found & { readonly total: number }, _given, { absolute }) => ({
		references: places.map(({ path, line, column, text = "", declaration = false }) => ({
			file_path: absolute(path),
			line,
			column,
			preview: text,
			is_declaration: declaration,
		})),
		total_count: total,
	}),
});

export const diagnostics = defineAlias({
	...seed,
	choice: "diagnostics",
	description: "Get compiler diagnostics for a file.",
	input: Type.Object({
		...file,
		severity_filter: Type.Optional(oneOf(filters, "Filter by minimum severity (diagnostics only)", { default: "all" })),
		limit: Type.Optional(
			Type.Integer({ description: "Maximum number of results to return (diagnostics only)", default: 100 }),
		),
	}),
	toInput: ({ file_path, severity_filter: filter = "all", limit = 100 }) => ({
		file: file_path,
		severity: filter === "all" ? ("hint" as Severity) : filter,
		limit,
	}),
	toOutput: ({ files, summary }: CheckReport & { readonly summary: object }, _given, { absolute }) => ({
		diagnostics: files.flatMap(({ path, diagnostics: found }) =>
			found.map(
				({ line, column, endLine, endColumn, severity, code = null, message, source = null, related = [] }) => ({
					file_path: absolute(path),
					line,
					column,
					end_line: endLine,
					end_column: endColumn,
					severity,
					code,
					message,
					source,
					related: related.map((place) => ({
						file_path: absolute(place.path),
						line: place.line,
						message: place.message,
					})),
				}),
			),
		),
		summary,
	}),
	note: unprovenText,
});

export const hover = defineAlias({
	...seed,
	choice: "hover",
	description: "Get hover information (type, docs) for a symbol.",
	input: Type.Object(position),
	toInput: ({ file_path, line, column }) => ({ file: file_path, line, column }),
	toOutput: ({ text }: { readonly text: string }) => ({ contents: text === "" ? null : contentsOf(text) }),
});

/**
 * The parts of a hover that servers write as one Markdown text: the type in a fence, and in front of it, from
 * rust-analyzer, the module in one of its own; what is not code is the documentation. Null for a part that is not there.
 */
function contentsOf(text: string) {
	const fences: string[] = [];
	let rest = text;
	for (;;) {
		const fence = /^\s*```[^\n]*\n([\s\S]*?)\n?```[ \t]*(?:\n|$)/.exec(rest);
		if (!fence || fences.length === 2) break;
		fences.push(fence[1] ?? "");
		rest = rest.slice(fence[0].length);
	}
	const module = fences.length === 2 ? (fences[0] ?? null) : null;
	return {
		type_info: fences.at(-1) ?? null,
		documentation: rest.replace(/^\s*(?:---\s*\n)?/, "").trim() || null,
		source_module: module,
	};
}
