import type { LanguageServer } from "../lsp/server.ts";

/** An operation as far as it says what a server must answer for it. */
export interface Ability {
	readonly name: string;
	/** The requests that it sends to a file's server: one that answers any of them supports it. */
	readonly asks?: readonly string[];
	/** True if it needs diagnostics, by whatever strategy. */
	readonly judges?: boolean;
}

/** The operations that a running server supports, and those that it does not; what asks no server is in neither. */
export function abilitiesOf(
	server: LanguageServer,
	operations: readonly Ability[],
): { readonly supported: string[]; readonly unsupported: string[] } {
	const supports = ({ asks, judges }: Ability) =>
		judges ? server.config.diagnoses !== false : asks?.some((method) => server.offers(method)) === true;
	const asking = operations.filter(({ asks, judges }) => asks || judges);
	const names = (list: readonly Ability[]) => list.map(({ name }) => name);
	return {
		supported: names(asking.filter(supports)),
		unsupported: names(asking.filter((operation) => !supports(operation))),
	};
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
