import type {
	ClientCapabilities,
	DocumentSymbol,
	Location,
	LocationLink,
	SymbolInformation,
	TextDocumentEdit,
	WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { LSPErrorCodes } from "../../contract/protocol-kinds.ts";
import { ResponseError } from "../../jsonrpc/connection.ts";
import { harmlessData } from "../../render/harmless.ts";

export interface Form {
	readonly capabilities: ClientCapabilities;
	readonly uri: string;
	versionOf(uri: string): number | undefined;
}

/** Leaves `data`, which only a server reads. */
export function withUris<Value>(value: Value, replaced: (uri: string) => string): Value {
	const names = new Set(["uri", "targetUri", "oldUri", "newUri"]);
	const walk = (part: unknown): unknown => {
		if (Array.isArray(part)) return part.map(walk);
		if (typeof part !== "object" || part === null) return part;
		return Object.fromEntries(
			Object.entries(part).map(([name, field]) => {
				if (name === "data") return [name, field];
				if (names.has(name) && typeof field === "string") return [name, replaced(field)];
				if (name === "changes" && typeof field === "object" && field !== null && !Array.isArray(field))
					return [name, Object.fromEntries(Object.entries(field).map(([uri, edits]) => [replaced(uri), edits]))];
				return [name, walk(field)];
			}),
		);
	};
	return walk(value) as Value;
}

type Step = NonNullable<WorkspaceEdit["documentChanges"]>[number];

type Links = keyof Pick<
	NonNullable<ClientCapabilities["textDocument"]>,
	"declaration" | "definition" | "typeDefinition" | "implementation"
>;

export function locations(kind: Links) {
	return (answer: unknown, { capabilities }: Form): unknown => {
		if (capabilities.textDocument?.[kind]?.linkSupport || !Array.isArray(answer)) return answer;
		return answer.map((each: Location | LocationLink) =>
			"targetUri" in each ? { uri: each.targetUri, range: each.targetSelectionRange } : each,
		);
	};
}

/** Flat for an editor without trees. */
export function documentSymbols(answer: unknown, { capabilities, uri }: Form): unknown {
	const shown = harmlessData(answer);
	if (capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport || !Array.isArray(shown))
		return shown;
	const flat = (symbols: readonly (DocumentSymbol | SymbolInformation)[], container?: string): SymbolInformation[] =>
		symbols.flatMap((symbol) => {
			if ("location" in symbol) return [symbol];
			const { name, kind, range, children = [] } = symbol;
			const containerName = container === undefined ? {} : { containerName: container };
			return [{ name, kind, location: { uri, range }, ...containerName }, ...flat(children, name)];
		});
	return flat(shown);
}

export function harmlessAnswer<Answer>(answer: Answer): Answer {
	return harmlessData(answer, "data");
}

/** With the editor's versions, without what it does not know. Throws RequestFailed. */
export function workspaceEdit(answer: unknown, { capabilities, versionOf }: Form): WorkspaceEdit | null {
	if (typeof answer !== "object" || answer === null) return null;
	const edit = answer as WorkspaceEdit;
	const {
		documentChanges,
		resourceOperations = [],
		changeAnnotationSupport,
	} = capabilities.workspace?.workspaceEdit ?? {};
	const confirmed = changeAnnotationSupport ? edit : withoutAnnotations(edit);
	const steps = stepsOf(confirmed);
	const kinds = new Set(steps.flatMap((step) => ("kind" in step ? [step.kind] : [])));
	const unknown = [...kinds].find((kind) => !documentChanges || !resourceOperations.includes(kind));
	if (unknown !== undefined)
		throw new ResponseError(LSPErrorCodes.RequestFailed, `This editor does not apply edits that ${unknown} files.`);
	if (documentChanges)
		return {
			...(confirmed.changeAnnotations ? { changeAnnotations: harmlessLabels(confirmed.changeAnnotations) } : {}),
			documentChanges: steps.map((step) => {
				if ("kind" in step) return step;
				const { uri } = step.textDocument;
				return { ...step, textDocument: { uri, version: versionOf(uri) ?? null } };
			}),
		};
	const changes: Record<string, TextDocumentEdit["edits"]> = {};
	for (const step of steps)
		if (!("kind" in step)) changes[step.textDocument.uri] = [...(changes[step.textDocument.uri] ?? []), ...step.edits];
	return { changes } as WorkspaceEdit;
}

function harmlessLabels(annotations: NonNullable<WorkspaceEdit["changeAnnotations"]>): typeof annotations {
	return Object.fromEntries(Object.entries(annotations).map(([id, annotation]) => [id, harmlessData(annotation)]));
}

function stepsOf({ changes = {}, documentChanges }: WorkspaceEdit): readonly Step[] {
	return (
		documentChanges ?? Object.entries(changes).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }))
	);
}

function withoutAnnotations({ changes, documentChanges, changeAnnotations }: WorkspaceEdit): WorkspaceEdit {
	const isLeft = (id: string | undefined) => id === undefined || !changeAnnotations?.[id]?.needsConfirmation;
	const plain = <Edit extends object>(edits: readonly Edit[]): Edit[] =>
		edits.flatMap((edit) => {
			const { annotationId, ...rest } = edit as Edit & { readonly annotationId?: string };
			return isLeft(annotationId) ? [rest as unknown as Edit] : [];
		});
	if (!changeAnnotations) return { ...(changes ? { changes } : {}), ...(documentChanges ? { documentChanges } : {}) };
	if (!documentChanges)
		return {
			changes: Object.fromEntries(Object.entries(changes ?? {}).map(([uri, edits]) => [uri, plain(edits)])),
		};
	return {
		documentChanges: documentChanges.flatMap((step): Step[] => {
			if (!("kind" in step)) return [{ ...step, edits: plain(step.edits) }];
			const { annotationId, ...operation } = step;
			return isLeft(annotationId) ? [operation] : [];
		}),
	};
}
