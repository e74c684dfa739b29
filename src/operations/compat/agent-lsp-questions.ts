import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { completionKindNumber, symbolKindNumber } from "../../contract/protocol-kinds.ts";
import { type FieldsOf, t, type ValueOf } from "../../contract/schema.ts";
import type { Calls } from "../calls.ts";
import type { CodeActions } from "../code-actions.ts";
import type { Concurrent } from "../common/concurrent.ts";
import type { Root, Steps } from "../common/hierarchy.ts";
import type { Completion } from "../completion.ts";
import type { Highlights } from "../highlights.ts";
import type { InlayHints } from "../inlay-hints.ts";
import type { PreparedRename } from "../prepare-rename.ts";
import type { SemanticTokenList } from "../semantic-tokens.ts";
import type { Signatures } from "../signature.ts";
import type { Types } from "../types.ts";
import { file, language, lspRange, position, positionInput, profile } from "./agent-lsp.ts";
import { inputFrom } from "./input-from.ts";

export const lines = {
	...file,
	...language,
	start_line: t.positive("Start line of the range (1-based)"),
	start_column: t.positive("Start column (1-based)"),
	end_line: t.positive("End line of the range (1-based)"),
	end_column: t.positive("End column (1-based)"),
};

function isWithin(
	{ line, column }: { readonly line: number; readonly column: number },
	given: FieldsOf<typeof lines>,
): boolean {
	const isAfterStart = line > given.start_line || (line === given.start_line && column >= given.start_column);
	return isAfterStart && (line < given.end_line || (line === given.end_line && column <= given.end_column));
}

const lineRange = { file: "file_path", line: "start_line", end_line: "end_line" } as const;

/** By DocumentHighlightKind, from 1. */
const highlightKinds = ["text", "read", "write"];

export const highlights = defineAlias({
	profile,
	name: "get_document_highlights",
	description: "All occurrences of a symbol within its file.",
	input: position,
	toInput: positionInput,
	toOutput: ({ highlights: found }: Highlights) =>
		found.map((each) => ({ range: lspRange(each), kind: highlightKinds.indexOf(each.kind) + 1 })),
});

function toItem(item: Root, { uri }: AliasContext) {
	const { name, kind, path, detail, body } = item;
	const selectionRange = lspRange(item);
	return {
		name,
		kind: symbolKindNumber(kind),
		...(detail === undefined ? {} : { detail }),
		uri: uri(path),
		range: body ? lspRange(body) : selectionRange,
		selectionRange,
	};
}

export const calls = defineAlias({
	profile,
	name: "call_hierarchy",
	alsoNamed: ["find_callers"],
	description: "Callers and callees of a symbol.",
	input: t.object({
		...position.properties,
		direction: t.optional.oneOf(["incoming", "outgoing", "both"], "Callers, callees, or both", { default: "both" }),
		cross_concurrent: t.optional.flag("Which callers start it on another goroutine, thread, task or worker"),
	}),
	toInput: ({ direction = "both", cross_concurrent: concurrent, ...given }) => ({
		...positionInput(given),
		direction,
		...(concurrent ? { concurrent } : {}),
	}),
	toOutput({ symbols, incoming, outgoing, concurrent }: Calls, given, context) {
		if (symbols.length === 0 && !concurrent) return `No call hierarchy item found at ${positionText(given)}`;
		const toCalls = ({ steps }: Steps, end: "from" | "to") =>
			steps.map((step) => ({ [end]: toItem(step, context), fromRanges: (step.lines ?? []).map(lspRange) }));
		return {
			items: symbols.map((item) => toItem(item, context)),
			...(incoming ? { incoming: toCalls(incoming, "from") } : {}),
			...(outgoing ? { outgoing: toCalls(outgoing, "to") } : {}),
			...(concurrent ? { concurrent_callers: concurrent.starts.map((start) => toConcurrent(start, context)) } : {}),
		};
	},
});

function toConcurrent({ caller, path, line, how }: Concurrent["starts"][number], context: AliasContext) {
	return {
		...(caller ? { caller: toItem(caller, context) } : {}),
		pattern: how,
		file: context.absolute(path),
		line,
	};
}

const typeDirections = { supertypes: "super", subtypes: "sub", both: "both" } as const;

export const types = defineAlias({
	profile,
	name: "type_hierarchy",
	description: "Supertypes and subtypes of a symbol.",
	input: t.object({
		...position.properties,
		direction: t.optional.oneOf(["supertypes", "subtypes", "both"], "Parents, implementations, or both", {
			default: "both",
		}),
	}),
	toInput: ({ direction = "both", ...given }) => ({ ...positionInput(given), direction: typeDirections[direction] }),
	toOutput({ symbols, super: above, sub: below }: Types, given, context) {
		if (symbols.length === 0) return `No type hierarchy item found at ${positionText(given)}`;
		const toItems = ({ steps }: Steps) => steps.map((step) => toItem(step, context));
		return {
			items: symbols.map((item) => toItem(item, context)),
			...(above ? { supertypes: toItems(above) } : {}),
			...(below ? { subtypes: toItems(below) } : {}),
		};
	},
});

function positionText({ file_path: path, line, column }: ValueOf<typeof position>): string {
	return [path, line, column].filter((part) => part !== undefined).join(":");
}

export const prepareRename = defineAlias({
	profile,
	name: "prepare_rename",
	description: "Whether a symbol can be renamed: the range that would be, and its name.",
	input: position,
	toInput: positionInput,
	toOutput({ possible, name, line, column }: PreparedRename) {
		if (!possible || name === undefined || line === undefined || column === undefined)
			return possible ? {} : "Rename not supported or symbol cannot be renamed at this location";
		return { range: lspRange({ line, column, endColumn: column + name.length }), placeholder: name };
	},
});

export const signature = defineAlias({
	profile,
	name: "get_signature_help",
	description: "The signatures of the function that is called at a position.",
	input: position,
	toInput: positionInput,
	toOutput({ signatures, active = 0, parameter = 0 }: Signatures) {
		if (signatures.length === 0) return "No signature help available at this location";
		return {
			signatures: signatures.map(({ label, parameters, parameterDocumentation, documentation }) => ({
				label,
				...(documentation === undefined ? {} : { documentation: { kind: "markdown", value: documentation } }),
				parameters: parametersIn(label, parameters, parameterDocumentation),
			})),
			activeSignature: active,
			activeParameter: parameter,
		};
	},
});

/** Offsets in the label count UTF-16 units. */
function parametersIn(label: string, parameters: readonly string[], about: readonly string[] = []) {
	let from = label.indexOf("(") + 1;
	return parameters.map((parameter, index) => {
		const value = about[index];
		const documentation = value ? { documentation: { kind: "markdown", value } } : {};
		const start = label.indexOf(parameter, from);
		if (start < 0) return { label: parameter, ...documentation };
		from = start + parameter.length;
		return { label: [start, from], ...documentation };
	});
}

export const completion = defineAlias({
	profile,
	name: "get_completions",
	description: "Completion items at a position, in the server's order.",
	input: position,
	toInput: (given) => ({ ...positionInput(given), limit: 1000 }),
	toOutput: ({ items }: Completion) =>
		items.map(({ label, kind, detail, insert = label, documentation }, index) => ({
			label,
			kind: completionKindNumber(kind),
			...(detail === undefined ? {} : { detail }),
			sortText: String(index).padStart(4, "0"),
			insertText: insert,
			...(documentation === undefined ? {} : { documentation }),
		})),
});

/** By InlayHintKind, from 1; `other` has no number. */
const hintKinds: readonly string[] = ["type", "parameter"];

export const inlayHints = defineAlias({
	profile,
	name: "get_inlay_hints",
	description: "Inferred types and parameter names within a range.",
	input: t.object(lines),
	toInput: inputFrom(lineRange),
	toOutput: ({ hints }: InlayHints, given) =>
		hints
			.filter((hint) => isWithin(hint, given))
			.map(({ line, column, label, kind, paddingLeft, paddingRight }) => ({
				position: { line: line - 1, character: column - 1 },
				label,
				...(paddingLeft ? { paddingLeft } : {}),
				...(paddingRight ? { paddingRight } : {}),
				...(hintKinds.includes(kind) ? { kind: hintKinds.indexOf(kind) + 1 } : {}),
			})),
});

export const semanticTokens = defineAlias({
	profile,
	name: "get_semantic_tokens",
	description: "What each token within a range is: function, parameter, variable, type, with modifiers.",
	input: t.object(lines),
	toInput: inputFrom(lineRange, { limit: 10_000 }),
	toOutput: ({ tokens }: SemanticTokenList, given) =>
		tokens
			.filter((token) => isWithin(token, given))
			.map(({ line, column, text, type, modifiers }) => ({
				line,
				character: column,
				length: text.length,
				token_type: type,
				token_modifiers: modifiers,
			})),
});

export const codeActions = defineAlias({
	profile,
	name: "get_code_actions",
	alsoNamed: ["suggest_fixes"],
	description: "Quick fixes and refactorings that are available for a range.",
	input: t.object(lines),
	toInput: inputFrom({ ...lineRange, column: "start_column", end_column: "end_column" }, { return_edit: true }),
	toOutput: ({ actions }: CodeActions) =>
		actions.map(({ title, kind, disabled, preferred, fixes, edit, command }) => ({
			title,
			...(kind === undefined ? {} : { kind }),
			...(disabled === undefined ? {} : { disabled: { reason: disabled } }),
			...(preferred ? { isPreferred: true } : {}),
			...(fixes ? { diagnostics: fixes.map((message) => ({ message })) } : {}),
			...(edit ? { edit } : {}),
			...(command ? { command } : {}),
		})),
});
