import type {
	DidChangeTextDocumentParams,
	DidChangeWatchedFilesParams,
	DidChangeWorkspaceFoldersParams,
	DidOpenTextDocumentParams,
	InitializeParams,
	TextDocumentIdentifier,
} from "vscode-languageserver-protocol";
import type { CallerConfig } from "../../config/caller-config.ts";
import type { Caller } from "../../contract/caller.ts";
import type { Severity } from "../../contract/check-report.ts";
import { asLspError } from "../../contract/errors.ts";
import { LSPErrorCodes } from "../../contract/protocol-kinds.ts";
import { ErrorCodes, ResponseError } from "../../jsonrpc/connection.ts";
import { hashOf } from "../../util/hash.ts";
import { toPath } from "../../util/positions.ts";
import { version } from "../cli/help.ts";
import { WorkspaceChanges } from "../workspace-changes.ts";
import { serverCapabilities } from "./capabilities.ts";
import type { LspClient } from "./client.ts";
import { Daemon } from "./daemon.ts";
import { Diagnostics } from "./diagnostics.ts";
import { EditorDocuments } from "./editor-documents.ts";
import { responseError } from "./failures.ts";
import { EditorFolders } from "./folders.ts";
import { Questions, uriOf } from "./questions.ts";

interface SessionOptions {
	readonly severity: Severity;
	readonly config: { readonly config?: CallerConfig };
	readonly exited: (code: number) => void;
}

type Params = Readonly<Record<string, unknown>>;

/** A killed editor may leave its pipe to a child. */
const parentMs = 3000;

export class LspSession {
	readonly #client: LspClient;
	readonly #options: SessionOptions;
	readonly #documents = new EditorDocuments();
	readonly #folders = new EditorFolders();
	readonly #questions: Questions;
	readonly #diagnostics: Diagnostics;
	readonly #disk: WorkspaceChanges;
	#state: "new" | "running" | "shut down" = "new";
	#parent: NodeJS.Timeout | undefined;

	constructor(client: LspClient, caller: Pick<Caller, "call">, options: SessionOptions) {
		const daemon = new Daemon(caller, this.#folders, options.config);
		this.#client = client;
		this.#options = options;
		this.#questions = new Questions(client, daemon, this.#documents, this.#folders);
		this.#diagnostics = new Diagnostics(client, daemon, this.#documents, options.severity);
		this.#disk = new WorkspaceChanges((params, signal) => daemon.awaitChange(params, signal), {
			files: async (paths) => void this.#diagnostics.changedOnDisk(paths.map(await this.#folders.naming())),
		});
		this.#diagnostics.onProven = (since) => {
			for (const { path } of this.#documents.all) this.#disk.follow(daemon.directoryOf(path), since);
		};
	}

	async request(method: string, given: unknown, signal: AbortSignal): Promise<unknown> {
		if (this.#state === "shut down") throw new ResponseError(ErrorCodes.InvalidRequest, "The server is shut down.");
		if (method === "initialize") return this.#initialize(given);
		if (this.#state === "new") throw new ResponseError(ErrorCodes.ServerNotInitialized, "`initialize` comes first.");
		const params = paramsOf(given);
		if (method === "shutdown") {
			this.end();
			this.#state = "shut down";
			return null;
		}
		if (method === "textDocument/diagnostic") return this.#pull(params, signal);
		const answer = this.#questions.answer(method, params, signal);
		if (answer) return answer;
		throw new ResponseError(ErrorCodes.MethodNotFound, `There is no method ${JSON.stringify(method.slice(0, 100))}.`);
	}

	notified(method: string, given: unknown): void {
		if (method === "exit") return void this.#options.exited(this.#state === "shut down" ? 0 : 1);
		if (this.#state !== "running") return;
		try {
			this.#handle(method, paramsOf(given));
		} catch {}
	}

	end(): void {
		clearInterval(this.#parent);
		this.#diagnostics.end();
		this.#disk.end();
	}

	#initialize(given: unknown): unknown {
		if (this.#state !== "new") throw new ResponseError(ErrorCodes.InvalidRequest, "`initialize` comes once.");
		const params = paramsOf(given) as Partial<InitializeParams>;
		this.#folders.begin(params);
		if (typeof params.capabilities === "object" && params.capabilities !== null)
			this.#client.capabilities = params.capabilities;
		if (typeof params.processId === "number") this.#followParent(params.processId);
		this.#state = "running";
		return { capabilities: serverCapabilities, serverInfo: { name: "pi-lsp", version: version() } };
	}

	#followParent(pid: number): void {
		this.#parent = setInterval(() => {
			if (!isRunning(pid)) this.#options.exited(1);
		}, parentMs).unref();
	}

	#handle(method: string, params: Params): void {
		switch (method) {
			case "textDocument/didOpen": {
				const { uri, version: number, text } = (params as unknown as DidOpenTextDocumentParams).textDocument;
				if (typeof uri !== "string" || typeof text !== "string") return;
				const opened = this.#documents.open(uri, Number(number) || 0, text);
				if (opened) this.#diagnostics.opened(opened);
				return;
			}
			case "textDocument/didChange": {
				const { textDocument, contentChanges } = params as unknown as DidChangeTextDocumentParams;
				const changed = this.#documents.change(textDocument.uri, Number(textDocument.version) || 0, contentChanges);
				if (changed) this.#diagnostics.begin();
				return;
			}
			case "textDocument/didSave": {
				const saved = this.#documents.get(documentOf(params));
				if (saved) this.#diagnostics.saved(saved);
				return;
			}
			case "textDocument/didClose": {
				const closed = this.#documents.get(documentOf(params));
				if (!closed) return;
				this.#documents.close(closed.uri);
				return void this.#diagnostics.closed(closed);
			}
			case "workspace/didChangeWatchedFiles": {
				const { changes } = params as unknown as DidChangeWatchedFilesParams;
				const paths = changes.flatMap(({ uri }) => toPath(uri) ?? []);
				return void this.#diagnostics.changedOnDisk(paths);
			}
			case "workspace/didChangeWorkspaceFolders":
				return void this.#folders.change((params as unknown as DidChangeWorkspaceFoldersParams).event);
		}
	}

	async #pull(params: Params, signal: AbortSignal): Promise<unknown> {
		const uri = uriOf("textDocument/diagnostic", params);
		const { revision } = this.#documents;
		const cancelled = (retriggerRequest: boolean) =>
			new ResponseError(LSPErrorCodes.ServerCancelled, "The diagnostics are not proven.", { retriggerRequest });
		const items = await this.#diagnostics.of(uri, signal).catch((error: unknown) => {
			throw responseError(asLspError(error));
		});
		if (this.#documents.revision !== revision) throw cancelled(true);
		if (!items) throw cancelled(false);
		const resultId = hashOf(JSON.stringify(items));
		if (params.previousResultId === resultId) return { kind: "unchanged", resultId };
		return { kind: "full", resultId, items };
	}
}

function paramsOf(given: unknown): Params {
	return typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Params) : {};
}

function documentOf({ textDocument }: Params): string {
	return (textDocument as TextDocumentIdentifier).uri;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
