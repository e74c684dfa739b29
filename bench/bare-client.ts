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
	DocumentDiagnosticReport,
	Hover,
	Location,
	Position,
} from "vscode-languageserver-protocol";

/** As much as a client has to offer to be pulled from; nothing of pi-lsp is used, so nothing of it can hide in here. */
const capabilities: ClientCapabilities = {
	general: { positionEncodings: ["utf-16"] },
	workspace: { configuration: true, workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
	textDocument: {
		synchronization: {},
		diagnostic: { dynamicRegistration: true },
		definition: {},
		references: {},
		hover: {},
	},
};

/** The native executable of TypeScript 7 that comes with pi-lsp. */
export function typescriptServer(): string {
	const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
	const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
	return join(dirname(createRequire(manifest).resolve(platform)), "lib/tsc");
}

/**
 * The floor that pi-lsp is measured against: a client of TypeScript 7 that keeps no books, compares nothing, waits for
 * nothing and sends each request at once. It answers what the server asks, as any client must.
 */
export class BareClient {
	readonly #child: ChildProcess;
	readonly #rpc: MessageConnection;
	readonly #root: string;
	readonly #versions = new Map<string, number>();

	private constructor(child: ChildProcess, rpc: MessageConnection, root: string) {
		this.#child = child;
		this.#rpc = rpc;
		this.#root = root;
	}

	/** Starts a server for a project and shakes hands. */
	static async start(root: string, env: Readonly<Record<string, string>>): Promise<BareClient> {
		const child = spawn(typescriptServer(), ["--lsp", "--stdio"], {
			cwd: root,
			env,
			stdio: ["pipe", "pipe", "ignore"],
		});
		const rpc = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
		const uri = pathToFileURL(root).href;
		const folder = { uri, name: basename(root) };
		rpc.onRequest((method, params) => {
			if (method === "workspace/configuration") return (params as ConfigurationParams).items.map(() => null);
			if (method === "workspace/workspaceFolders") return [folder];
			return method === "workspace/applyEdit" ? { applied: false } : null;
		});
		rpc.listen();
		await rpc.sendRequest("initialize", {
			processId: process.pid,
			rootUri: uri,
			workspaceFolders: [folder],
			capabilities,
		});
		void rpc.sendNotification("initialized", {});
		return new BareClient(child, rpc, root);
	}

	open(file: string, text: string): void {
		this.#versions.set(file, 1);
		const textDocument = { uri: this.#uri(file), languageId: "typescript", version: 1, text };
		void this.#rpc.sendNotification("textDocument/didOpen", { textDocument });
	}

	/** Sends the whole new text. */
	change(file: string, text: string): void {
		const version = (this.#versions.get(file) ?? 0) + 1;
		this.#versions.set(file, version);
		void this.#rpc.sendNotification("textDocument/didChange", {
			textDocument: { uri: this.#uri(file), version },
			contentChanges: [{ text }],
		});
	}

	async pull(file: string): Promise<readonly Diagnostic[]> {
		const report = await this.#rpc.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", this.#about(file));
		return report.kind === "full" ? report.items : [];
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

	/** The path of a file of the project, from a server's name for it. */
	fileOf(uri: string): string {
		return relative(this.#root, fileURLToPath(uri));
	}

	/** Ends the server and waits until it is gone. */
	async stop(): Promise<void> {
		const gone = new Promise<void>((resolve) => this.#child.once("close", () => resolve()));
		await this.#rpc.sendRequest("shutdown");
		await this.#rpc.sendNotification("exit");
		const late = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
		await gone;
		clearTimeout(late);
		this.#rpc.dispose();
	}

	#about(file: string): { textDocument: { uri: string } } {
		return { textDocument: { uri: this.#uri(file) } };
	}

	#uri(file: string): string {
		return pathToFileURL(join(this.#root, file)).href;
	}
}

/** Whether some diagnostics hold an error. */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some(({ severity }) => severity === 1);
}
