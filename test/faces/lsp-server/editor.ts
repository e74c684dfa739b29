import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import {
	type ClientCapabilities,
	createProtocolConnection,
	type Diagnostic,
	type InitializeResult,
	type ProtocolConnection,
	type PublishDiagnosticsParams,
	StreamMessageReader,
	StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { CLI } from "../../support/repository.ts";
import { met, never, notYet, until } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";

/** An editor that speaks LSP by Microsoft's library, with `pi-lsp lsp-server` as its language server. */
export class Editor {
	readonly connection: ProtocolConnection;
	readonly child: ChildProcess;
	/** All pushes, in order. */
	readonly pushes: PublishDiagnosticsParams[] = [];
	/** The messages that a person was shown. */
	readonly messages: string[] = [];
	readonly exited: Promise<number | null>;
	initialized!: InitializeResult;
	readonly #ws: Workspace;
	/** The text and the version, by URI. */
	readonly #open = new Map<string, { text: string; version: number }>();

	constructor(ws: Workspace, args: readonly string[] = [], env: Readonly<Record<string, string>> = ws.env) {
		this.#ws = ws;
		this.child = spawn(process.execPath, [CLI, "lsp-server", ...args], { cwd: ws.base, env: { ...env } });
		this.exited = new Promise((resolve) => this.child.once("exit", resolve));
		this.child.stderr?.on("data", (chunk: Buffer) => ws.record(`lsp-server: ${chunk}`));
		this.connection = createProtocolConnection(
			new StreamMessageReader(this.child.stdout!),
			new StreamMessageWriter(this.child.stdin!),
		);
		this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
			this.pushes.push(params);
		});
		this.connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
			this.messages.push(message);
		});
		this.connection.onError(([error]) => ws.record(`editor: ${error.message}`));
		this.connection.listen();
		ws.record(
			() => `pushed:\n${this.pushes.map((push) => JSON.stringify(push)).join("\n")}\n${this.messages.join("\n")}`,
		);
	}

	async initialize(capabilities: ClientCapabilities = {}): Promise<void> {
		const folder = pathToFileURL(this.#ws.root).href;
		this.initialized = await this.connection.sendRequest("initialize", {
			processId: process.pid,
			rootUri: folder,
			workspaceFolders: [{ uri: folder, name: "ws" }],
			capabilities,
		});
		await this.connection.sendNotification("initialized", {});
	}

	uri(file: string): string {
		return pathToFileURL(this.#ws.path(file)).href;
	}

	async open(file: string, text = this.#ws.read(file)): Promise<number> {
		const uri = this.uri(file);
		this.#open.set(uri, { text, version: 1 });
		const textDocument = { uri, languageId: "typescript", version: 1, text };
		await this.connection.sendNotification("textDocument/didOpen", { textDocument });
		return 1;
	}

	text(file: string): string {
		return this.#open.get(this.uri(file))?.text ?? this.#ws.read(file);
	}

	/** Replaces a text that occurs once, in the editor alone, and returns the version. */
	async edit(file: string, before: string, after: string): Promise<number> {
		const uri = this.uri(file);
		const known = this.#open.get(uri)!;
		if (known.text.split(before).length !== 2) throw new Error(`"${before}" does not occur once in ${known.text}`);
		const range = { start: this.at(file, before), end: this.at(file, before, before.length) };
		const next = { text: known.text.replace(before, () => after), version: known.version + 1 };
		this.#open.set(uri, next);
		await this.connection.sendNotification("textDocument/didChange", {
			textDocument: { uri, version: next.version },
			contentChanges: [{ range, text: after }],
		});
		return next.version;
	}

	/** Writes the document to the disk, and sends the save. */
	async save(file: string): Promise<void> {
		this.#ws.write(file, this.text(file));
		await this.connection.sendNotification("textDocument/didSave", { textDocument: { uri: this.uri(file) } });
	}

	async close(file: string): Promise<void> {
		this.#open.delete(this.uri(file));
		await this.connection.sendNotification("textDocument/didClose", { textDocument: { uri: this.uri(file) } });
	}

	/** The position of a text in a file, `offset` characters further. */
	at(file: string, text: string, offset = 0): { line: number; character: number } {
		const whole = this.text(file);
		const index = whole.indexOf(text);
		if (index < 0) throw new Error(`"${text}" does not occur in ${file}`);
		const lines = whole.slice(0, index + offset).split("\n");
		return { line: lines.length - 1, character: lines.at(-1)!.length };
	}

	ask<Result>(method: string, file: string, more: object = {}): Promise<Result> {
		return this.connection.sendRequest<Result>(method, { textDocument: { uri: this.uri(file) }, ...more });
	}

	/** The shown diagnostics of a file: those of the last push. */
	shown(file: string): readonly Diagnostic[] {
		return this.pushes.findLast(({ uri }) => uri === this.uri(file))?.diagnostics ?? [];
	}

	/** Waits for the push of a version of an open document. */
	pushed(file: string, version: number): Promise<string[]> {
		return until(`${file} version ${version} is pushed`, () => {
			if (this.child.exitCode !== null) return never(`the server ended with ${this.child.exitCode}`);
			const found = this.pushes.findLast((push) => push.uri === this.uri(file) && push.version === version);
			return found ? met(codesOf(found.diagnostics)) : notYet(JSON.stringify(this.pushes.at(-1)));
		});
	}

	/** Waits until the shown codes of a file are these. */
	shows(file: string, codes: readonly string[]): Promise<unknown> {
		return until(`${file} shows [${codes}]`, () => {
			if (this.child.exitCode !== null) return never(`the server ended with ${this.child.exitCode}`);
			const seen = codesOf(this.shown(file));
			return seen.join() === codes.join() ? met(seen) : notYet(`[${seen}]`);
		});
	}

	async end(): Promise<number | null> {
		await this.connection.sendRequest("shutdown");
		await this.connection.sendNotification("exit");
		const code = await this.exited;
		this.connection.dispose();
		return code;
	}
}

export function codesOf(diagnostics: readonly Diagnostic[]): string[] {
	return diagnostics.map(({ code }) => String(code)).sort();
}

/** Runs a test with editors that end with it. */
export async function withEditors<T>(
	ws: Workspace,
	capabilities: readonly ClientCapabilities[],
	body: (...editors: Editor[]) => Promise<T>,
	env: Readonly<Record<string, string>> = ws.env,
): Promise<T> {
	const editors = capabilities.map(() => new Editor(ws, [], env));
	try {
		await Promise.all(editors.map((editor, index) => editor.initialize(capabilities[index])));
		const value = await body(...editors);
		for (const editor of editors) await editor.end();
		return value;
	} finally {
		for (const { child } of editors) child.kill("SIGKILL");
	}
}
