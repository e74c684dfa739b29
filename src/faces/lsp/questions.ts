import type { CodeAction, Position, WorkspaceEdit } from "vscode-languageserver-protocol";
import { asLspError } from "../../contract/errors.ts";
import { LSPErrorCodes } from "../../contract/protocol-kinds.ts";
import { ResponseError } from "../../jsonrpc/connection.ts";
import { linesOf, toPath, toUri } from "../../util/positions.ts";
import type { LspClient } from "./client.ts";
import { documentSymbols, type Form, harmlessAnswer, locations, withUris, workspaceEdit } from "./client-form.ts";
import type { Daemon } from "./daemon.ts";
import type { EditorDocuments } from "./editor-documents.ts";
import { adviceOf, invalidParams, isUnanswered, responseError } from "./failures.ts";
import type { EditorFolders } from "./folders.ts";

type ToForm = (answer: unknown, form: Form) => unknown;

const asIs: ToForm = (answer) => answer;

const questions: ReadonlyMap<string, ToForm> = new Map<string, ToForm>([
	["textDocument/declaration", locations("declaration")],
	["textDocument/definition", locations("definition")],
	["textDocument/typeDefinition", locations("typeDefinition")],
	["textDocument/implementation", locations("implementation")],
	["textDocument/references", harmlessAnswer],
	["textDocument/hover", harmlessAnswer],
	["textDocument/signatureHelp", harmlessAnswer],
	["textDocument/documentHighlight", harmlessAnswer],
	["textDocument/documentSymbol", documentSymbols],
	["textDocument/foldingRange", harmlessAnswer],
	["textDocument/prepareCallHierarchy", harmlessAnswer],
	["callHierarchy/incomingCalls", harmlessAnswer],
	["callHierarchy/outgoingCalls", harmlessAnswer],
	["textDocument/prepareTypeHierarchy", harmlessAnswer],
	["typeHierarchy/supertypes", harmlessAnswer],
	["typeHierarchy/subtypes", harmlessAnswer],
	["textDocument/prepareRename", harmlessAnswer],
	["textDocument/rename", workspaceEdit],
	["textDocument/formatting", asIs],
	["textDocument/rangeFormatting", asIs],
]);

const withoutPosition: ReadonlySet<string> = new Set([
	"textDocument/documentSymbol",
	"textDocument/foldingRange",
	"textDocument/formatting",
	"textDocument/rangeFormatting",
	"textDocument/codeAction",
	"textDocument/diagnostic",
	"callHierarchy/incomingCalls",
	"callHierarchy/outgoingCalls",
	"typeHierarchy/supertypes",
	"typeHierarchy/subtypes",
]);

/** For other texts, these would corrupt the editor's. */
const edits: ReadonlySet<string> = new Set([
	"textDocument/rename",
	"textDocument/formatting",
	"textDocument/rangeFormatting",
	"codeAction/resolve",
]);

/** Runs an action whose edit the editor cannot request. */
export const applyCommand = "pi-lsp.applyCodeAction";

type Params = Readonly<Record<string, unknown>>;

interface Question {
	readonly uri: string;
	readonly method: string;
	readonly params: Params;
}

export class Questions {
	readonly #client: LspClient;
	readonly #daemon: Daemon;
	readonly #documents: EditorDocuments;
	readonly #folders: EditorFolders;

	constructor(client: LspClient, daemon: Daemon, documents: EditorDocuments, folders: EditorFolders) {
		this.#client = client;
		this.#daemon = daemon;
		this.#documents = documents;
		this.#folders = folders;
	}

	/** Undefined for other methods. Rejects with ResponseError. */
	answer(method: string, params: Params, signal: AbortSignal): Promise<unknown> | undefined {
		const form = questions.get(method);
		if (form) return this.#ask({ uri: uriOf(method, params), method, params }, signal, form);
		switch (method) {
			case "textDocument/codeAction":
				return this.#codeActions(params, signal);
			case "codeAction/resolve":
				return this.#resolved(params as unknown as CodeAction, signal);
			case "workspace/symbol":
				return this.#symbols(params, signal);
			case "workspace/executeCommand":
				return this.#execute(params, signal);
			default:
				return undefined;
		}
	}

	async #ask({ uri, method, params }: Question, signal: AbortSignal, toForm: ToForm): Promise<unknown> {
		const path = toPath(uri);
		if (path === undefined) return null;
		const { textDocument: _, workDoneToken: __, partialResultToken: ___, ...rest } = params;
		const { revision } = this.#documents;
		try {
			const texts = await this.#documents.different();
			const answer = await this.#daemon.request<unknown>(path, method, { params: rest, texts }, signal);
			const shown = await this.#shown(answer);
			if (edits.has(method)) this.#requireRevision(revision);
			const form = {
				capabilities: this.#client.capabilities,
				uri,
				versionOf: (other: string) => this.#versionOf(other),
			};
			return toForm(shown, form) ?? null;
		} catch (thrown) {
			const error = asLspErrorOrThrow(thrown);
			if (method === "textDocument/prepareRename" && error.code === "LSP_UNSUPPORTED_REQUEST")
				return this.#wordAt(uri, params.position);
			const advice = adviceOf(error);
			if (advice !== undefined) this.#client.showMessage(advice);
			if (advice !== undefined || isUnanswered(error.code)) return null;
			throw responseError(error);
		}
	}

	async #shown(answer: unknown): Promise<unknown> {
		const [open, naming] = await Promise.all([this.#documents.byRealPath(), this.#folders.naming()]);
		return withUris(answer, (uri) => {
			const path = toPath(uri);
			if (path === undefined) return uri;
			const shown = naming(path);
			return open.get(path)?.uri ?? (shown === path ? uri : toUri(shown));
		});
	}

	#requireRevision(revision: number): void {
		if (this.#documents.revision === revision) return;
		throw new ResponseError(LSPErrorCodes.ContentModified, "The documents have changed since.");
	}

	#versionOf(uri: string): number | undefined {
		return this.#documents.get(uri)?.version;
	}

	/** For servers without `prepareRename`. */
	#wordAt(uri: string, position: unknown): unknown {
		const { line, character } = position as Position;
		const text = linesOf(this.#documents.get(uri)?.text ?? "")[line] ?? "";
		let [start, end] = [Math.min(character, text.length), Math.min(character, text.length)];
		while (isOfName(text[start - 1])) start--;
		while (isOfName(text[end])) end++;
		return start === end ? null : { start: { line, character: start }, end: { line, character: end } };
	}

	async #codeActions(params: Params, signal: AbortSignal): Promise<unknown> {
		const uri = uriOf("textDocument/codeAction", params);
		const { revision } = this.#documents;
		const resolves = this.#client.capabilities.textDocument?.codeAction?.resolveSupport?.properties.includes("edit");
		return this.#ask({ uri, method: "textDocument/codeAction", params }, signal, (answer) => {
			if (!Array.isArray(answer)) return answer;
			return answer.map(({ data, ...action }: CodeAction) => {
				const named = harmlessAnswer(action);
				const withData = { ...named, data: { uri, revision, data } };
				if (resolves) return withData;
				return { ...named, command: { title: named.title, command: applyCommand, arguments: [withData] } };
			});
		});
	}

	async #resolved(action: CodeAction, signal: AbortSignal): Promise<unknown> {
		const { uri, revision, data } = (action.data ?? {}) as Readonly<Record<string, unknown>>;
		if (typeof uri !== "string" || typeof revision !== "number")
			throw invalidParams("codeAction/resolve: data: Expected what came with the action.");
		this.#requireRevision(revision);
		const params = { ...action, data } as unknown as Params;
		return this.#ask({ uri, method: "codeAction/resolve", params }, signal, (answer, form) => {
			const edit = workspaceEdit((answer as CodeAction | null)?.edit, form);
			return { ...action, ...(edit ? { edit } : {}) };
		});
	}

	async #execute({ command, arguments: given }: Params, signal: AbortSignal): Promise<null> {
		const [action] = Array.isArray(given) ? given : [];
		if (command !== applyCommand || typeof action !== "object" || action === null)
			throw invalidParams(`workspace/executeCommand: there is no such command.`);
		const { title, edit } = (await this.#resolved(action as CodeAction, signal)) as CodeAction;
		if (edit)
			await this.#client.request<unknown>("workspace/applyEdit", { label: title, edit: edit satisfies WorkspaceEdit });
		return null;
	}

	async #symbols(params: Params, signal: AbortSignal): Promise<unknown> {
		try {
			const found = await this.#daemon.requestOfAll<unknown>(
				"workspace/symbol",
				{ query: String(params.query ?? "") },
				signal,
			);
			return harmlessAnswer(await this.#shown(found));
		} catch (thrown) {
			const error = asLspErrorOrThrow(thrown);
			if (isUnanswered(error.code) || adviceOf(error) !== undefined) return [];
			throw responseError(error);
		}
	}
}

function asLspErrorOrThrow(thrown: unknown) {
	if (isResponseError(thrown)) throw thrown;
	return asLspError(thrown);
}

function isResponseError(thrown: unknown): boolean {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "number";
}

/** Throws InvalidParams. */
export function uriOf(method: string, params: Params): string {
	const { textDocument, item } = params as {
		readonly textDocument?: { readonly uri?: unknown } | null;
		readonly item?: { readonly uri?: unknown } | null;
	};
	const uri = method.includes("Hierarchy/") ? item?.uri : textDocument?.uri;
	if (typeof uri !== "string") throw invalidParams(`${method}: no document is named.`);
	const { position } = params as { readonly position?: Partial<Position> | null };
	if (withoutPosition.has(method) || (isCount(position?.line) && isCount(position?.character))) return uri;
	throw invalidParams(`${method}: position: Expected a line and a character.`);
}

function isOfName(character: string | undefined): boolean {
	return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

function isCount(value: unknown): boolean {
	return Number.isSafeInteger(value) && Number(value) >= 0;
}
