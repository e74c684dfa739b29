import { LspError } from "../contract/errors.ts";

/** Checks fields that this client reads; methods of tsserver are `tsserver COMMAND`. Throws LSP_SERVER_ERROR. */
export function validated<Result>(server: string, method: string, result: unknown): Result {
	const fits = Object.hasOwn(shapes, method) ? shapes[method] : undefined;
	if (fits && (result === null || result === undefined)) return null as Result;
	if (!fits || fits(result)) return result as Result;
	throw new LspError("LSP_SERVER_ERROR", `${server} answered ${method} with something that could not be read.`, {
		method,
		suggestion: "Nothing is known until it answers otherwise: use {{restart}}, or another version of it.",
	});
}

type Fits = (value: unknown) => boolean;

const isText: Fits = (value) => typeof value === "string";
/** Servers write 2^32 - 1 for the end of a line. */
const isNumber: Fits = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const maybe =
	(fits: Fits): Fits =>
	(value) =>
		value === undefined || value === null || fits(value);
const either =
	(...several: readonly Fits[]): Fits =>
	(value) =>
		several.some((fits) => fits(value));
const list =
	(fits: Fits): Fits =>
	(value) =>
		Array.isArray(value) && value.every(fits);
const record = (fields: Readonly<Record<string, Fits>>): Fits => {
	const entries = Object.entries(fields);
	return (value) =>
		typeof value === "object" &&
		value !== null &&
		entries.every(([name, fits]) => fits((value as Record<string, unknown>)[name]));
};

const values =
	(fits: Fits): Fits =>
	(value) =>
		typeof value === "object" && value !== null && Object.values(value).every(fits);

const isPosition = record({ line: isNumber, character: isNumber });
const isRange = record({ start: isPosition, end: isPosition });
const isLocation = record({ uri: isText, range: isRange });
const isLink = record({ targetUri: isText, targetSelectionRange: isRange });
const isLocations = either(list(either(isLocation, isLink)), isLocation, isLink);

const isMarkup = either(isText, record({ value: isText }));
const isLabelPart = record({ value: isText });

const isDocumentSymbol: Fits = (value) =>
	record({ name: isText, kind: isNumber, range: isRange, selectionRange: isRange })(value) &&
	maybe(list(isDocumentSymbol))((value as { children?: unknown }).children);
const isSymbolInformation = record({
	name: isText,
	kind: isNumber,
	location: isLocation,
	containerName: maybe(isText),
});

const isHierarchyItem = record({
	name: isText,
	kind: isNumber,
	uri: isText,
	range: isRange,
	selectionRange: isRange,
	detail: maybe(isText),
});

const isCompletion = record({
	label: isText,
	kind: maybe(isNumber),
	detail: maybe(isText),
	sortText: maybe(isText),
	filterText: maybe(isText),
	insertText: maybe(isText),
	tags: maybe(list(isNumber)),
	textEdit: maybe(record({ newText: isText })),
});

const isSignature = record({
	label: isText,
	documentation: maybe(isMarkup),
	parameters: maybe(list(record({ label: either(isText, list(isNumber)), documentation: maybe(isMarkup) }))),
	activeParameter: maybe(isNumber),
});

const isCommand = record({ title: isText, command: isText });
const isAction = record({
	title: isText,
	kind: maybe(isText),
	disabled: maybe(record({ reason: isText })),
	isPreferred: maybe((value) => typeof value === "boolean"),
});

const isTextEdit = record({ range: isRange });
const isDocumentEdit = record({ textDocument: record({ uri: isText }), edits: list(isTextEdit) });
const isFileOperation = either(
	record({ kind: (value) => value === "create" || value === "delete", uri: isText }),
	record({ kind: (value) => value === "rename", oldUri: isText, newUri: isText }),
);
const isWorkspaceEdit = record({
	changes: maybe(values(list(isTextEdit))),
	documentChanges: maybe(list(either(isDocumentEdit, isFileOperation))),
	changeAnnotations: maybe(values(record({ label: isText }))),
});

const isPlainEdit = record({ range: isRange, newText: isText });
const isResolved = record({ title: isText, edit: maybe(isWorkspaceEdit), command: maybe(isCommand) });

const isDiagnostic = record({ range: isRange, message: isMarkup });
/** gopls omits the kind of a full report. */
const isReport = either(record({ kind: (value) => value === "unchanged" }), record({ items: list(isDiagnostic) }));
const isReportWithOthers: Fits = (value) =>
	isReport(value) && values(isReport)((value as { relatedDocuments?: unknown }).relatedDocuments ?? {});

const isTsserverPlace = record({ line: isNumber, offset: isNumber });
const isRefactoring = record({
	edits: list(
		record({
			fileName: isText,
			textChanges: list(record({ start: isTsserverPlace, end: isTsserverPlace, newText: isText })),
		}),
	),
	notApplicableReason: maybe(isText),
});
const isTsserverList = list(
	record({ start: isTsserverPlace, end: isTsserverPlace, text: isText, category: isText, source: maybe(isText) }),
);

const shapes: Readonly<Record<string, Fits>> = {
	"textDocument/definition": isLocations,
	"textDocument/declaration": isLocations,
	"textDocument/typeDefinition": isLocations,
	"textDocument/implementation": isLocations,
	"textDocument/references": list(isLocation),
	"textDocument/hover": record({ contents: maybe(either(isMarkup, list(isMarkup))) }),
	"textDocument/documentHighlight": list(record({ range: isRange, kind: maybe(isNumber) })),
	"textDocument/documentSymbol": list(either(isDocumentSymbol, isSymbolInformation)),
	"workspace/symbol": list(
		record({
			name: isText,
			kind: isNumber,
			location: record({ uri: isText, range: maybe(isRange) }),
			containerName: maybe(isText),
		}),
	),
	"textDocument/prepareCallHierarchy": list(isHierarchyItem),
	"callHierarchy/incomingCalls": list(record({ from: isHierarchyItem, fromRanges: list(isRange) })),
	"callHierarchy/outgoingCalls": list(record({ to: isHierarchyItem, fromRanges: list(isRange) })),
	"textDocument/prepareTypeHierarchy": list(isHierarchyItem),
	"typeHierarchy/supertypes": list(isHierarchyItem),
	"typeHierarchy/subtypes": list(isHierarchyItem),
	"textDocument/prepareRename": either(
		isRange,
		record({ range: isRange, placeholder: isText }),
		record({ defaultBehavior: (value) => value === true }),
	),
	"textDocument/rename": isWorkspaceEdit,
	"workspace/willRenameFiles": isWorkspaceEdit,
	"workspace/applyEdit": record({ edit: isWorkspaceEdit }),
	"codeAction/resolve": isResolved,
	"textDocument/formatting": list(isPlainEdit),
	"textDocument/rangeFormatting": list(isPlainEdit),
	"textDocument/signatureHelp": record({
		signatures: list(isSignature),
		activeSignature: maybe(isNumber),
		activeParameter: maybe(isNumber),
	}),
	"textDocument/completion": either(list(isCompletion), record({ items: list(isCompletion) })),
	"textDocument/inlayHint": list(
		record({ position: isPosition, label: either(isText, list(isLabelPart)), kind: maybe(isNumber) }),
	),
	"textDocument/semanticTokens/full": record({ data: list(isNumber) }),
	"textDocument/semanticTokens/range": record({ data: list(isNumber) }),
	"textDocument/foldingRange": list(record({ startLine: isNumber, endLine: isNumber, kind: maybe(isText) })),
	"textDocument/codeAction": list(either(isCommand, isAction)),
	"textDocument/diagnostic": isReportWithOthers,
	"textDocument/publishDiagnostics": record({ uri: isText, diagnostics: list(isDiagnostic) }),
	"workspace/diagnostic": record({ items: list((value) => record({ uri: isText })(value) && isReport(value)) }),
	"tsserver syntacticDiagnosticsSync": isTsserverList,
	"tsserver semanticDiagnosticsSync": isTsserverList,
	"tsserver suggestionDiagnosticsSync": isTsserverList,
	"tsserver getCodeFixes": list(record({ description: maybe(isText) })),
	"tsserver getEditsForRefactor": isRefactoring,
};
