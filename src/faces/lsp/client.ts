import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { MessageType } from "../../contract/protocol-kinds.ts";
import type { Connection } from "../../jsonrpc/connection.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";

export class LspClient {
	readonly #connection: Pick<Connection, "notify" | "request">;
	readonly #shown = new Set<string>();
	capabilities: ClientCapabilities = {};

	constructor(connection: Pick<Connection, "notify" | "request">) {
		this.#connection = connection;
	}

	notify(method: string, params: unknown): void {
		this.#connection.notify(method, params);
	}

	request<Result>(method: string, params: unknown): Promise<Result> {
		return this.#connection.request<Result>(method, params);
	}

	showMessage(text: string): void {
		const message = harmlessData(`pi-lsp: ${oneLine(text)}`);
		if (this.#shown.has(message)) return;
		this.#shown.add(message);
		this.notify("window/showMessage", { type: MessageType.Warning, message });
	}

	get pulls(): boolean {
		return this.capabilities.textDocument?.diagnostic !== undefined;
	}
}
