import { HOST } from "./hosts.ts";
import type { ScriptedCall } from "./scripted-model.ts";

/** A call of pi's write tool. */
export function write(path: string, content: string): ScriptedCall {
	return { name: "write", arguments: { path, content } };
}

/** A call of pi's edit tool with one replacement or several. */
export function edit(
	path: string,
	...replacements: readonly (readonly [oldText: string, newText: string])[]
): ScriptedCall {
	const edits = replacements.map(([oldText, newText]) => ({ oldText, newText }));
	return { name: "edit", arguments: { path, edits } };
}

/** A call of pi's shell tool. */
export function bash(command: string): ScriptedCall {
	return { name: "bash", arguments: { command } };
}

/** A call of the generic tool of pi-lsp. */
export function lsp(operation: string, input: object = {}): ScriptedCall {
	return { name: "lsp", arguments: { operation, input } };
}

/** pi's own result of a write. */
export function wrote(path: string, content: string): string {
	return HOST.wrote(path, content);
}

/** pi's own result of an edit. */
export function edited(path: string, replacements = 1): string {
	return `Successfully replaced ${replacements} block(s) in ${path}.`;
}

/** The text that pi-lsp appends if the edited file has errors; `counts` is the line on new and old ones. */
export function errorsIn(path: string, errors: readonly string[], counts: string): string {
	const block = diagnosticsBlock(path, errors);
	return `\n\nThe edit was applied. LSP errors detected in this file, please fix:\n${block}\n${counts}`;
}

/** The errors of one file. */
export function diagnosticsBlock(path: string, errors: readonly string[]): string {
	return [`<diagnostics file="${path}">`, ...errors.map((error) => `ERROR ${error}`), "</diagnostics>"].join("\n");
}
