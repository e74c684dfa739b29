import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
	createMessageConnection,
	type MessageConnection,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type {
	ClientCapabilities,
	ConfigurationParams,
	Diagnostic,
	DiagnosticOptions,
	DocumentDiagnosticReport,
	Hover,
	InitializeResult,
	Location,
	Position,
	PublishDiagnosticsParams,
	RegistrationParams,
} from "vscode-languageserver-protocol";

/** The minimum for pull diagnostics; nothing of pi-lsp is used, so that the two share no fault. */
const capabilities: ClientCapabilities = {
	general: { positionEncodings: ["utf-16"] },
	workspace: {
		configuration: true,
		workspaceFolders: true,
		didChangeWatchedFiles: { dynamicRegistration: true },
		workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
	},
	textDocument: {
		synchronization: {},
		publishDiagnostics: {},
		diagnostic: { dynamicRegistration: true },
		definition: {},
		references: {},
		hover: {},
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
		callHierarchy: {},
		rename: { prepareSupport: true },
		codeAction: {
			codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix"] } },
			isPreferredSupport: true,
			dataSupport: true,
			resolveSupport: { properties: ["edit"] },
		},
	},
};

/** The native executable of the TypeScript 7 that pi-lsp depends on. */
export function typescriptServer(): string {
	const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
	const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
	return join(dirname(createRequire(manifest).resolve(platform)), "lib/tsc");
}

/** How a bare client starts and initializes a server. */
export interface BareServer {
	readonly command: string;
	readonly args: readonly string[];
	readonly languageId: string;
	readonly initializationOptions?: object;
}

const typescript7: BareServer = { command: typescriptServer(), args: ["--lsp", "--stdio"], languageId: "typescript" };

/**
 * The lower bound that pi-lsp is measured against: a client that keeps no state, compares nothing, waits for nothing and
 * sends each request at once. It answers the server's requests, as any client must.
 */
export class BareClient {
	readonly #child: ChildProcess;
	readonly #rpc: MessageConnection;
	readonly #root: string;
	readonly #languageId: string;
	readonly #versions = new Map<string, number>();
	readonly #pushes = new Map<string, (items: readonly Diagnostic[]) => void>();
	readonly #pushedLast = new Map<string, readonly Diagnostic[]>();
	#providers: readonly (string | undefined)[] = [];
	#registered = () => {};

	private constructor(child: ChildProcess, rpc: MessageConnection, root: string, languageId: string) {
		this.#child = child;
		this.#rpc = rpc;
		this.#root = root;
		this.#languageId = languageId;
	}

	/** Starts a server for a project and initializes it. */
	static async start(
		root: string,
		env: Readonly<Record<string, string>>,
		server: BareServer = typescript7,
	): Promise<BareClient> {
		const { command, args, languageId, initializationOptions } = server;
		const child = spawn(command, args, { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] });
		const rpc = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
		const client = new BareClient(child, rpc, root, languageId);
		const uri = pathToFileURL(root).href;
		const folder = { uri, name: basename(root) };
		rpc.onRequest((method, params) => {
			if (method === "workspace/configuration") return (params as ConfigurationParams).items.map(() => null);
			if (method === "workspace/workspaceFolders") return [folder];
			if (method === "client/registerCapability") client.#register(params as RegistrationParams);
			return method === "workspace/applyEdit" ? { applied: false } : null;
		});
		rpc.onNotification("textDocument/publishDiagnostics", ({ uri: about, diagnostics }: PublishDiagnosticsParams) => {
			client.#pushedLast.set(client.fileOf(about), diagnostics);
			client.#pushes.get(client.fileOf(about))?.(diagnostics);
		});
		rpc.listen();
		const { capabilities: offered } = await rpc.sendRequest<InitializeResult>("initialize", {
			processId: process.pid,
			rootUri: uri,
			workspaceFolders: [folder],
			capabilities,
			initializationOptions,
		});
		if (offered.diagnosticProvider) client.#providers = [offered.diagnosticProvider.identifier];
		void rpc.sendNotification("initialized", {});
		return client;
	}

	/** Whether the server has offered pull diagnostics yet. */
	get isPullable(): boolean {
		return this.#providers.length > 0;
	}

	/** Resolves when the server offers pull diagnostics; pyright registers them after the handshake. */
	async pullable(): Promise<void> {
		while (this.#providers.length === 0)
			await new Promise<void>((resolve) => {
				this.#registered = resolve;
			});
	}

	open(file: string, text: string): void {
		this.#versions.set(file, 1);
		const textDocument = { uri: this.#uri(file), languageId: this.#languageId, version: 1, text };
		void this.#rpc.sendNotification("textDocument/didOpen", { textDocument });
	}

	change(file: string, text: string): void {
		const version = (this.#versions.get(file) ?? 0) + 1;
		this.#versions.set(file, version);
		void this.#rpc.sendNotification("textDocument/didChange", {
			textDocument: { uri: this.#uri(file), version },
			contentChanges: [{ text }],
		});
	}

	async pull(file: string): Promise<readonly Diagnostic[]> {
		const [identifier] = this.#providers;
		const params = { ...this.#about(file), ...(identifier === undefined ? {} : { identifier }) };
		const report = await this.#rpc.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", params);
		return report.kind === "full" ? report.items : [];
	}

	/** The codes of the semantic errors of a file, as tsserver returns them. */
	async semantic(file: string): Promise<readonly number[]> {
		const argument = { file: join(this.#root, file) };
		const { body } = await this.#rpc.sendRequest<{ body: readonly { code: number }[] }>("workspace/executeCommand", {
			command: "typescript.tsserverRequest",
			arguments: ["semanticDiagnosticsSync", argument, { isAsync: false }],
		});
		return body.map(({ code }) => code);
	}

	/** The last diagnostics that the server has pushed for a file. */
	pushedLast(file: string): readonly Diagnostic[] {
		return this.#pushedLast.get(file) ?? [];
	}

	/** The next diagnostics that the server pushes for a file; undefined if none come within `ms`. */
	pushed(file: string, ms: number): Promise<readonly Diagnostic[] | undefined> {
		return new Promise((resolve) => {
			const end = (items?: readonly Diagnostic[]) => {
				clearTimeout(timer);
				this.#pushes.delete(file);
				resolve(items);
			};
			const timer = setTimeout(end, ms);
			this.#pushes.set(file, end);
		});
	}

	definition(file: string, position: Position): Promise<Location | readonly Location[] | null> {
		return this.#rpc.sendRequest("textDocument/definition", { ...this.#about(file), position });
	}

	references(file: string, position: Position): Promise<readonly Location[] | null> {
		const context = { includeDeclaration: false };
		return this.#rpc.sendRequest("textDocument/references", { ...this.#about(file), position, context });
	}

	hover(file: string, position: Position): Promise<Hover | null> {
		return this.#rpc.sendRequest("textDocument/hover", { ...this.#about(file), position });
	}

	/** Sends any other request about a file. */
	ask<Result>(method: string, file: string, params: object = {}): Promise<Result> {
		return this.#rpc.sendRequest(method, { ...this.#about(file), ...params });
	}

	/** Sends a request that names no file. */
	send<Result>(method: string, params: object): Promise<Result> {
		return this.#rpc.sendRequest(method, params);
	}

	/** The path, relative to the project, of a server's URI. */
	fileOf(uri: string): string {
		return relative(this.#root, fileURLToPath(uri));
	}

	/** Ends the server and waits for its exit. */
	async stop(): Promise<void> {
		const gone = new Promise<void>((resolve) => this.#child.once("close", () => resolve()));
		await this.#rpc.sendRequest("shutdown");
		await this.#rpc.sendNotification("exit");
		const late = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
		await gone;
		clearTimeout(late);
		this.#rpc.dispose();
	}

	#register({ registrations }: RegistrationParams): void {
		const found = registrations.filter(({ method }) => method === "textDocument/diagnostic");
		if (found.length === 0) return;
		const names = found.map(({ registerOptions }) => (registerOptions as DiagnosticOptions | undefined)?.identifier);
		this.#providers = [...new Set([...this.#providers, ...names])];
		this.#registered();
	}

	#about(file: string): { textDocument: { uri: string } } {
		return { textDocument: { uri: this.#uri(file) } };
	}

	#uri(file: string): string {
		return pathToFileURL(join(this.#root, file)).href;
	}
}

export function hasError(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some(({ severity }) => severity === 1);
}
