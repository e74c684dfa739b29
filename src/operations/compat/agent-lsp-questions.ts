import { Type } from "@sinclair/typebox";
import { defineAlias, type Reader } from "../../contract/operation.ts";
import { oneOf } from "../common/inputs.ts";
import { at, file, language, place, profile, type Range, range } from "./agent-lsp.ts";

/**
 * The tools of agent-lsp that answer in forms of LSP's own. Where its reference says so they count from
 * 0; what a request of LSP carries and ours do not (edits of actions, whole ranges of hierarchy items) is not told.
 */

const lines = {
	...file,
	...language,
	start_line: Type.Integer({ minimum: 1, description: "Start line of the range (1-based)" }),
	start_column: Type.Integer({ minimum: 1, description: "Start column (1-based)" }),
	end_line: Type.Integer({ minimum: 1, description: "End line of the range (1-based)" }),
	end_column: Type.Integer({ minimum: 1, description: "End column (1-based)" }),
};

/** LSP's DocumentHighlightKind, from 1. */
const highlightKinds = ["text", "read", "write"];

export const highlights = defineAlias({
	profile,
	name: "get_document_highlights",
	description: "All occurrences of a symbol within its file.",
	input: place,
	toInput: at,
	toOutput: ({ highlights: found }: { readonly highlights: readonly (Range & { readonly kind: string })[] }) =>
		found.map((each) => ({ range: range(each), kind: highlightKinds.indexOf(each.kind) + 1 })),
});

interface Item extends Range {
	readonly name: string;
	readonly kind: string;
	readonly path: string;
}

interface Steps {
	readonly steps: readonly (Item & { readonly lines?: readonly Range[] })[];
	readonly omitted: number;
}

function itemOf(item: Item, reader: Reader) {
	const { name, kind, path } = item;
	return {
		name,
		kind: reader.symbolKind(kind),
		uri: reader.uri(path),
		range: range(item),
		selectionRange: range(item),
	};
}

interface Calls {
	readonly symbols: readonly Item[];
	readonly incoming?: Steps;
	readonly outgoing?: Steps;
}

export const calls = defineAlias({
	profile,
	name: "call_hierarchy",
	description: "Callers and callees of a symbol.",
	input: Type.Object({
		...place.properties,
		direction: Type.Optional(oneOf(["incoming", "outgoing", "both"], "Callers, callees, or both", { default: "both" })),
	}),
	toInput: ({ direction = "both", ...given }) => ({ ...at(given), direction }),
	toOutput({ symbols, incoming, outgoing }: Calls, given, reader) {
		if (symbols.length === 0) return `No call hierarchy item found at ${spotOf(given)}`;
		const told = (steps: Steps, end: "from" | "to") =>
			steps.steps.map((step) => ({ [end]: itemOf(step, reader), fromRanges: (step.lines ?? []).map(range) }));
		return {
			items: symbols.map((item) => itemOf(item, reader)),
			...(incoming ? { incoming: told(incoming, "from") } : {}),
			...(outgoing ? { outgoing: told(outgoing, "to") } : {}),
		};
	},
});

interface Types {
	readonly symbols: readonly Item[];
	readonly super?: Steps;
	readonly sub?: Steps;
}

const typeDirections = { supertypes: "super", subtypes: "sub", both: "both" } as const;

export const types = defineAlias({
	profile,
	name: "type_hierarchy",
	description: "Supertypes and subtypes of a symbol.",
	input: Type.Object({
		...place.properties,
		direction: Type.Optional(
			oneOf(["supertypes", "subtypes", "both"], "Parents, implementations, or both", { default: "both" }),
		),
	}),
	toInput: ({ direction = "both", ...given }) => ({ ...at(given), direction: typeDirections[direction] }),
	toOutput({ symbols, super: above, sub: below }: Types, given, reader) {
		if (symbols.length === 0) return `No type hierarchy item found at ${spotOf(given)}`;
		const told = ({ steps }: Steps) => steps.map((step) => itemOf(step, reader));
		return {
			items: symbols.map((item) => itemOf(item, reader)),
			...(above ? { supertypes: told(above) } : {}),
			...(below ? { subtypes: told(below) } : {}),
		};
	},
});

function spotOf({ file_path: path, line, column }: { file_path: string; line?: number; column?: number }): string {
	return [path, line, column].filter((part) => part !== undefined).join(":");
}

interface Prepared {
	readonly possible: boolean;
	readonly name?: string;
	readonly line?: number;
	readonly column?: number;
}

export const prepareRename = defineAlias({
	profile,
	name: "prepare_rename",
	description: "Whether a symbol can be renamed: the range that would be, and its name.",
	input: place,
	toInput: at,
	toOutput({ possible, name, line, column }: Prepared) {
		if (!possible || name === undefined || line === undefined || column === undefined)
			return possible ? {} : "Rename not supported or symbol cannot be renamed at this location";
		return { range: range({ line, column, endColumn: column + name.length }), placeholder: name };
	},
});

interface Signatures {
	readonly signatures: readonly {
		readonly label: string;
		readonly parameters: readonly string[];
		readonly documentation?: string;
	}[];
	readonly active?: number;
	readonly parameter?: number;
}

export const signature = defineAlias({
	profile,
	name: "get_signature_help",
	description: "The signatures of the function that is called at a position.",
	input: place,
	toInput: at,
	toOutput({ signatures, active = 0, parameter = 0 }: Signatures) {
		if (signatures.length === 0) return "No signature help available at this location";
		return {
			signatures: signatures.map(({ label, parameters, documentation }) => ({
				label,
				...(documentation === undefined ? {} : { documentation: { kind: "markdown", value: documentation } }),
				parameters: parametersIn(label, parameters),
			})),
			activeSignature: active,
			activeParameter: parameter,
		};
	},
});

/** Where each parameter stands in the label, from 0. */
function parametersIn(label: string, parameters: readonly string[]) {
	let from = label.indexOf("(") + 1;
	return parameters.map((parameter) => {
		const start = label.indexOf(parameter, from);
		if (start < 0) return { label: parameter };
		from = start + parameter.length;
		return { label: [start, from] };
	});
}

interface Completions {
	readonly items: readonly {
		readonly label: string;
		readonly kind: string;
		readonly detail?: string;
		readonly insert?: string;
	}[];
}

export const completion = defineAlias({
	profile,
	name: "get_completions",
	description: "Completion items at a position, in the server's order.",
	input: place,
	toInput: (given) => ({ ...at(given), limit: 1000 }),
	toOutput: ({ items }: Completions, _given, reader) =>
		items.map(({ label, kind, detail, insert = label }, index) => ({
			label,
			kind: reader.completionKind(kind),
			...(detail === undefined ? {} : { detail }),
			sortText: String(index).padStart(4, "0"),
			insertText: insert,
		})),
});

/** LSP's InlayHintKind, from 1; others have none. */
const hintKinds = ["type", "parameter"];

export const inlayHints = defineAlias({
	profile,
	name: "get_inlay_hints",
	description: "Inferred types and parameter names within a range.",
	input: Type.Object(lines),
	toInput: ({ file_path: path, start_line: line, end_line }) => ({ file: path, line, end_line }),
	toOutput: ({ hints }: { readonly hints: readonly (Range & { readonly label: string; readonly kind: string })[] }) =>
		hints.map(({ line, column = 1, label, kind }) => ({
			position: { line: line - 1, character: column - 1 },
			label,
			...(hintKinds.includes(kind) ? { kind: hintKinds.indexOf(kind) + 1 } : {}),
		})),
});

interface Token extends Range {
	readonly text: string;
	readonly type: string;
	readonly modifiers: readonly string[];
}

export const semanticTokens = defineAlias({
	profile,
	name: "get_semantic_tokens",
	description: "What each token within a range is: function, parameter, variable, type, with modifiers.",
	input: Type.Object(lines),
	toInput: ({ file_path: path, start_line: line, end_line }) => ({ file: path, line, end_line, limit: 10_000 }),
	toOutput: ({ tokens }: { readonly tokens: readonly Token[] }) =>
		tokens.map(({ line, column, text, type, modifiers }) => ({
			line,
			character: column,
			length: text.length,
			token_type: type,
			token_modifiers: modifiers,
		})),
});

interface Action {
	readonly title: string;
	readonly kind?: string;
	readonly fixes?: readonly string[];
}

export const codeActions = defineAlias({
	profile,
	name: "get_code_actions",
	description: "Quick fixes and refactorings that are available for a range.",
	input: Type.Object(lines),
	toInput: ({ file_path: path, start_line: line, end_line }) => ({ file: path, line, end_line }),
	toOutput: ({ actions }: { readonly actions: readonly Action[] }) =>
		actions.map(({ title, kind, fixes }) => ({
			title,
			...(kind === undefined ? {} : { kind }),
			...(fixes ? { diagnostics: fixes.map((message) => ({ message })) } : {}),
		})),
});
