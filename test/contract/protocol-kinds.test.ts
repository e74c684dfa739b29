import { describe, expect, test } from "vitest";
import {
	CodeActionTriggerKind,
	CompletionItemKind,
	CompletionItemTag,
	DiagnosticSeverity,
	FileChangeType,
	LSPErrorCodes,
	SymbolKind,
	TextDocumentSyncKind,
	WatchKind,
} from "vscode-languageserver-protocol";
import * as ours from "../../src/contract/protocol-kinds.ts";

/** The names of a protocol's constants in our spelling, in the order of their numbers: `EnumMember` is `enum-member`. */
const wordsOf = (constants: object) =>
	Object.entries(constants)
		.filter(([, value]) => typeof value === "number")
		.sort(([, a], [, b]) => a - b)
		.map(([name]) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase());

describe("the protocol's constants", () => {
	test.each([
		["TextDocumentSyncKind", ours.TextDocumentSyncKind, TextDocumentSyncKind],
		["DiagnosticSeverity", ours.DiagnosticSeverity, DiagnosticSeverity],
		["FileChangeType", ours.FileChangeType, FileChangeType],
		["WatchKind", ours.WatchKind, WatchKind],
		["CodeActionTriggerKind", ours.CodeActionTriggerKind, CodeActionTriggerKind],
		["CompletionItemTag", ours.CompletionItemTag, CompletionItemTag],
		["LSPErrorCodes", ours.LSPErrorCodes, LSPErrorCodes],
	])("%s has the protocol's numbers", (_, own, protocol) => {
		expect(protocol).toMatchObject(own);
	});

	test("SymbolKind and CompletionItemKind have a word for each of their numbers", () => {
		expect(ours.symbolKinds).toEqual(wordsOf(SymbolKind));
		expect(ours.completionKinds).toEqual(wordsOf(CompletionItemKind));
	});
});
