import type { LanguageServer } from "../lsp/server.ts";

/** What each operation asks of a server; a test keeps it whole. */
export const abilities: Readonly<Record<string, string>> = {
	hover: "textDocument/hover",
	definition: "textDocument/definition",
	references: "textDocument/references",
	symbols: "textDocument/documentSymbol",
};

/** Operations that ask no single question: they need diagnostics, by whatever strategy. */
export const judgements: readonly string[] = ["check", "diagnostics"];

/** The operations that a running server supports. */
export function operationsOf(server: LanguageServer): string[] {
	const asked = Object.entries(abilities).filter(([, method]) => server.offers(method));
	return [...(server.config.diagnoses === false ? [] : judgements), ...asked.map(([name]) => name)];
}

/** What a server offers, at the handshake and by what it registered since: `hover`, `rename`, … */
export function capabilitiesOf({ capabilities, registrations }: LanguageServer): string[] {
	const names = Object.entries(capabilities).flatMap(([name, value]) =>
		name.endsWith("Provider") && value ? name.slice(0, -"Provider".length) : [],
	);
	const registered = [...registrations.values()].map(({ method }) => method.slice(method.indexOf("/") + 1));
	// What it wants to be told of is nothing that it can be asked, and what begins with a line is another editor's own.
	return [...new Set([...names, ...registered])].filter((name) => !/^(did|_)/.test(name)).sort();
}
