import type { Diagnostic } from "vscode-languageserver-protocol";
import type { BareClient } from "../bare-client.ts";
import type { Prove } from "./bare-side.ts";

/** A push that has not come by then never will, in milliseconds. */
const longestMs = 60_000;

/**
 * clangd answers no pull. It pushes while it builds a text, sometimes more than once, and answers a question about the file
 * once it has built it: by then its last push is about the newest text.
 */
export function proveByPushes(): Prove {
	const known = new Map<string, readonly Diagnostic[]>();
	const listening = new Set<string>();
	const listen = async (client: BareClient, file: string) => {
		const items = await client.pushed(file, longestMs);
		if (items !== undefined) known.set(file, items);
		if (listening.has(file)) void listen(client, file);
	};
	return async (client, file) => {
		listening.add(file);
		void listen(client, file);
		await client.ask("textDocument/documentSymbol", file);
		listening.delete(file);
		return known.get(file) ?? [];
	};
}
