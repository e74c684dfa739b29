import type * as lsp from "vscode-languageserver-protocol";

/** vscode-languageserver-types would slow every start; `test/contract/protocol-kinds.test.ts` compares them. */
export const TextDocumentSyncKind = { Full: 1, Incremental: 2 } as const satisfies Partial<
	typeof lsp.TextDocumentSyncKind
>;
export const DiagnosticSeverity = { Error: 1, Warning: 2 } as const satisfies Partial<typeof lsp.DiagnosticSeverity>;
export const FileChangeType = { Created: 1, Changed: 2, Deleted: 3 } as const satisfies typeof lsp.FileChangeType;
export const WatchKind = { Create: 1, Change: 2, Delete: 4 } as const satisfies typeof lsp.WatchKind;
export const CodeActionTriggerKind = { Invoked: 1 } as const satisfies Partial<typeof lsp.CodeActionTriggerKind>;
export const CompletionItemTag = { Deprecated: 1 } as const satisfies typeof lsp.CompletionItemTag;
export const LSPErrorCodes = {
	RequestCancelled: -32800,
	ContentModified: -32801,
	ServerCancelled: -32802,
	RequestFailed: -32803,
} as const satisfies Partial<typeof lsp.LSPErrorCodes>;

/** SymbolKind counts from 1. */
export const symbolKinds: readonly string[] =
	"file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
		" ",
	);

/** CompletionItemKind counts from 1. */
export const completionKinds: readonly string[] =
	"text method function constructor field variable class interface module property unit value enum keyword snippet color file reference folder enum-member constant struct event operator type-parameter".split(
		" ",
	);

export function symbolKind(kind: number): string {
	return symbolKinds[kind - 1] ?? "symbol";
}

/** 0 for an unknown word. */
export function symbolKindNumber(word: string): number {
	return symbolKinds.indexOf(word) + 1;
}

export function completionKind(kind: number | undefined): string {
	return (kind === undefined ? undefined : completionKinds[kind - 1]) ?? "text";
}

/** 0 for an unknown word. */
export function completionKindNumber(word: string): number {
	return completionKinds.indexOf(word) + 1;
}

export const MessageType = { Error: 1, Warning: 2 } as const;
