import { Type } from "@sinclair/typebox";
import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { defineAlias } from "../../contract/operation.ts";
import type { Written } from "../../contract/planned.ts";
import { type FieldsOf, t, type ValueOf } from "../../contract/schema.ts";
import { writtenText } from "../../render/answers/written.ts";
import type { ChangedSymbol } from "../common/symbol-change.ts";
import { symbolText } from "../common/symbol-change.ts";
import { file, language, position, positionInput, profile } from "./agent-lsp.ts";
import { lines } from "./agent-lsp-questions.ts";

/* agent-lsp's tools return an edit unwritten; `apply_edit` writes it while the files are unchanged. */

type Changed<Output> = Output & { readonly edit?: WorkspaceEdit };

export const renameSymbol = defineAlias({
	profile,
	name: "rename_symbol",
	effect: "read",
	description: "The edit that renames a symbol in all files. It is not applied: pass it to apply_edit.",
	input: t.object({
		...position.properties,
		new_name: t.text("The replacement name"),
		dry_run: t.optional.flag("Answer with {workspace_edit, preview}", { default: false }),
		exclude_globs: t.optional.texts("Files to leave out"),
	}),
	toInput: ({ new_name, exclude_globs: exclude, dry_run: _, ...given }) => ({
		...positionInput(given),
		new_name,
		...(exclude === undefined ? {} : { exclude }),
		return_edit: true,
	}),
	toOutput({ edit = {}, planned }: Changed<Written>, { dry_run: dry }) {
		if (!dry) return edit;
		const note = "Dry run — no files were modified. Call apply_edit with workspace_edit to commit.";
		return { workspace_edit: edit, preview: { files: planned?.files ?? [], note } };
	},
	// agent-lsp answers so if nothing is to be renamed.
	toFailed: ({ code, message }) =>
		code === "LSP_UNSUPPORTED_REQUEST"
			? null
			: code === "LSP_EDIT_REFUSED" && /cannot be renamed|nothing to rename/.test(message)
				? `Rename not supported or symbol cannot be renamed at this location: ${message}`
				: undefined,
	note({ notes = [] }: Written) {
		const others = notes.filter((each) => !each.startsWith("Excluded:"));
		return others.length > 0 ? others.join("\n") : undefined;
	},
});

const formatting = {
	tab_size: t.optional.positive("Spaces per tab (default: what the file has)"),
	insert_spaces: t.optional.flag("Spaces instead of tabs (default: what the file has)"),
};

function formattingInput({ file_path, tab_size, insert_spaces }: FieldsOf<typeof file & typeof formatting>) {
	return {
		file: file_path,
		...(tab_size === undefined ? {} : { tab_size }),
		...(insert_spaces === undefined ? {} : { insert_spaces }),
		return_edit: true,
	};
}

function textEdits({ edit = {} }: Changed<Written>): readonly TextEdit[] {
	return Object.values(edit.changes ?? {}).flat();
}

const isUnsupported = ({ code }: { readonly code: string }) => (code === "LSP_UNSUPPORTED_REQUEST" ? [] : undefined);

export const formatDocument = defineAlias({
	profile,
	name: "format_document",
	effect: "read",
	description: "The edits that format a file. They are not applied: pass them to apply_edit.",
	input: t.object({ ...file, ...language, ...formatting }),
	toInput: formattingInput,
	toOutput: textEdits,
	toFailed: isUnsupported,
});

export const formatRange = defineAlias({
	profile,
	name: "format_range",
	effect: "read",
	description: "The edits that format a range of a file. They are not applied: pass them to apply_edit.",
	input: t.object({ ...lines, ...formatting }),
	toInput: ({ start_line: line, start_column: column, end_line, end_column, ...given }) => ({
		...formattingInput(given),
		line,
		column,
		end_line,
		end_column,
	}),
	toOutput: textEdits,
	toFailed: isUnsupported,
});

export const applyWorkspaceEdit = defineAlias({
	profile,
	name: "apply_edit",
	description:
		"Writes an edit of rename_symbol, format_document, format_range or get_code_actions, or replaces a text of a file. Refused if a file has changed since the edit was made.",
	input: t.object({
		workspace_edit: t.optional.anyObject("A WorkspaceEdit with changes or documentChanges"),
		file_path: t.optional.text("Absolute path of the file, with old_text and new_text"),
		old_text: t.optional.text("The text to replace; it must occur once"),
		new_text: t.optional.text("The replacement"),
	}),
	toInput({ workspace_edit: edit, file_path, old_text, new_text }) {
		if (edit !== undefined && file_path === undefined) return { edit };
		if (edit === undefined && file_path !== undefined && old_text !== undefined && new_text !== undefined)
			return { file: file_path, old_text, new_text };
		throw new LspError(
			"LSP_INVALID_INPUT",
			"apply_edit takes either workspace_edit, or file_path, old_text and new_text.",
		);
	},
	toOutput: (output: Written & { readonly path: string }) =>
		output.written.length > 0
			? `Edit applied successfully\n${writtenText(`changed: ${output.path}`, output)}`
			: writtenText(`changed: ${output.path}`, output),
});

export const executeServerCommand = defineAlias({
	profile,
	name: "execute_command",
	description:
		"Runs a command that a language server has announced, in a trusted repository. What it changes is written whole or not at all.",
	input: t.object({
		command: t.text("Command identifier"),
		// Google's API needs a type of items; any value is taken.
		arguments: t.optional.list(Type.Unsafe<unknown>({ type: "string" }), "Arguments of the command, each as JSON"),
		file_path: t.optional.text("A file of the server, if no argument names one"),
	}),
	toInput({ command, arguments: given = [], file_path }, { path }) {
		const named = file_path ?? given.map(parsed).flatMap(pathsIn).at(0);
		if (named === undefined)
			throw new LspError("LSP_INVALID_INPUT", "execute_command: name a file of the server in file_path.");
		return { file: path(named), command, arguments: given.map(asJson) };
	},
	toOutput(output: Written & { readonly result?: string }, { command }) {
		if (output.written.length > 0) return writtenText(`ran ${command}`, output);
		return output.result === undefined ? null : (JSON.parse(output.result) as unknown);
	},
});

function parsed(argument: unknown): unknown {
	if (typeof argument !== "string" || !/^\s*[{[]/.test(argument)) return argument;
	try {
		return JSON.parse(argument);
	} catch {
		return argument;
	}
}

function asJson(argument: unknown): string {
	return JSON.stringify(parsed(argument));
}

function pathsIn(argument: unknown): string[] {
	if (typeof argument === "string") return /^(?:file:\/\/|\/)/.test(argument) ? [argument] : [];
	if (typeof argument !== "object" || argument === null) return [];
	return Object.values(argument).flatMap(pathsIn);
}

const symbol = {
	...file,
	symbol_path: t.text('Dotted path, "Class.method"; "name[1]" is the second of several'),
};
type Symbol = ValueOf<typeof ChangedSymbol>;

function changedText(done: string, output: Symbol): string {
	const { totals } = output;
	const counts = totals ? [`errors_after: ${totals.errors}, warnings_after: ${totals.warnings}`] : [];
	return [symbolText(done, output), ...counts].join("\n");
}

const code = t.text("Whole declarations; the indentation is adapted to the place");

function insertion(name: string, description: string, done: string) {
	return defineAlias({
		profile,
		name,
		description,
		input: t.object({ ...symbol, code }),
		toInput: ({ file_path, symbol_path, code: text }) => ({ file: file_path, symbol: symbol_path, code: text }),
		toOutput: (output: Symbol) => changedText(done, output),
	});
}

export const insertAfterSymbol = insertion(
	"insert_after_symbol",
	"Inserts code behind a symbol, and tells what is wrong afterwards.",
	"inserted after",
);

export const insertBeforeSymbol = insertion(
	"insert_before_symbol",
	"Inserts code in front of a symbol, its comments and its decorators, and tells what is wrong afterwards.",
	"inserted before",
);

export const replaceSymbolBody = defineAlias({
	profile,
	name: "replace_symbol_body",
	description: "Replaces the whole declaration of a symbol, and tells what is wrong afterwards.",
	input: t.object({ ...symbol, new_body: t.text("The whole new declaration, with its signature") }),
	toInput({ file_path, symbol_path, new_body: text }) {
		// A mere block would parse in many languages.
		if (/^\s*\{/.test(text))
			throw new LspError(
				"LSP_INVALID_INPUT",
				"replace_symbol_body: new_body is the whole declaration, with its signature.",
			);
		return { file: file_path, symbol: symbol_path, code: text };
	},
	toOutput: (output: Symbol) => changedText("replaced:", output),
});

export const safeDeleteSymbol = defineAlias({
	profile,
	name: "safe_delete_symbol",
	description: "Deletes a symbol that nothing refers to; refused otherwise, with the places named.",
	input: t.object(symbol),
	toInput: ({ file_path, symbol_path }) => ({ file: file_path, symbol: symbol_path }),
	toOutput: (output: Symbol) => changedText("deleted:", output),
});
