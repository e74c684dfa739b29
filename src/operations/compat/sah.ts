import { type Severity, worseState } from "../../contract/check-report.ts";
import { type Alias, defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { unprovenText } from "../../render/check/diagnostics.ts";
import type { Locations } from "../common/inputs.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { HoverText } from "../hover.ts";
import { inputFrom } from "./input-from.ts";
import { throwIfUnproven } from "./unproven.ts";

const tool = {
	profile: "sah",
	name: "lsp",
	toError: ({ code, message, details }) => ({ error: { code, message, details } }),
} as const satisfies Partial<Alias<unknown, never>>;

const file = { file_path: t.text("Absolute path to the file") };
const position = {
	...file,
	line: t.positive("Line number (1-based). Required for definition, references, hover."),
	column: t.positive("Column number (1-based). Required for definition, references, hover."),
};
const positionTable = { file: "file_path", line: "line", column: "column" } as const;
const filters = ["error", "warning", "info", "hint", "all"] as const;

export const definition = defineAlias({
	...tool,
	choice: "definition",
	description: "Find the definition location of a symbol.",
	input: t.object(position),
	toInput: inputFrom(positionTable),
	toOutput: ({ places }: Locations, _given, { absolute }) => ({
		definitions: places.map(({ path, line, column, text = "", indent = "" }) => ({
			file_path: absolute(path),
			line,
			column,
			preview: indent + text,
		})),
	}),
});

export const references = defineAlias({
	...tool,
	choice: "references",
	description: "Find all references to a symbol.",
	input: t.object({
		...position,
		include_declaration: t.optional.flag("Include the declaration in results (references only)", { default: true }),
	}),
	toInput: inputFrom({ ...positionTable, declaration: "include_declaration" }, { declaration: true }),
	toOutput: ({ places, total }: Locations, _given, { absolute }) => ({
		references: places.map(({ path, line, column, text = "", indent = "", declaration = false }) => ({
			file_path: absolute(path),
			line,
			column,
			preview: indent + text,
			is_declaration: declaration,
		})),
		total_count: total,
	}),
});

export const diagnostics = defineAlias({
	...tool,
	choice: "diagnostics",
	description: "Get compiler diagnostics for a file.",
	input: t.object({
		...file,
		severity_filter: t.optional.oneOf(filters, "Filter by minimum severity (diagnostics only)", { default: "all" }),
		limit: t.optional.integer("Maximum number of results to return (diagnostics only)", { default: 100 }),
	}),
	toInput: ({ file_path, severity_filter: filter = "all", limit = 100 }) => ({
		file: file_path,
		severity: filter === "all" ? ("hint" as Severity) : filter,
		limit,
	}),
	toOutput: ({ files, summary, omitted }: Diagnostics, _given, { absolute }) => {
		throwIfUnproven(files);
		return {
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
						related: related.map((location) => ({
							file_path: absolute(location.path),
							line: location.line,
							message: location.message,
						})),
					}),
				),
			),
			summary,
			...(omitted.diagnostics > 0 ? { omitted: omitted.diagnostics } : {}),
			state: files.map(({ state }) => state).reduce(worseState, "fresh"),
		};
	},
	note: unprovenText,
});

export const hover = defineAlias({
	...tool,
	choice: "hover",
	description: "Get hover information (type, docs) for a symbol.",
	input: t.object(position),
	toInput: inputFrom(positionTable),
	toOutput: ({ text }: HoverText) => ({ contents: text === "" ? null : contentsOf(text) }),
});

/** Type fence, before it rust-analyzer's module fence, after it documentation. */
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
