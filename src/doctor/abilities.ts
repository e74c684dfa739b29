import type { LanguageServer } from "../lsp/server.ts";

export interface Ability {
	readonly name: string;
	readonly requests?: readonly string[];
	offeredBy?(server: LanguageServer): boolean;
	readonly needsDiagnostics?: boolean;
}

/** Without operations that ask no server. */
export function abilitiesOf(
	server: LanguageServer,
	operations: readonly Ability[],
): { readonly supported: string[]; readonly unsupported: string[] } {
	const answers = ({ requests, needsDiagnostics }: Ability) =>
		needsDiagnostics ? server.config.diagnoses !== false : requests?.some((method) => server.offers(method)) === true;
	const supports = (operation: Ability) => operation.offeredBy?.(server) ?? answers(operation);
	const asking = operations.filter(({ requests, needsDiagnostics }) => requests || needsDiagnostics);
	const names = (list: readonly Ability[]) => list.map(({ name }) => name);
	return {
		supported: names(asking.filter(supports)),
		unsupported: names(asking.filter((operation) => !supports(operation))),
	};
}

/** Static and registered: `hover`, `rename`, … */
export function capabilitiesOf({ capabilities, registrations }: LanguageServer): string[] {
	const names = Object.entries(capabilities).flatMap(([name, value]) =>
		name.endsWith("Provider") && value ? name.slice(0, -"Provider".length) : [],
	);
	const registered = [...registrations.values()].map(({ method }) => method.slice(method.indexOf("/") + 1));
	// `did…` are notifications, and `_…` are for one editor.
	return [...new Set([...names, ...registered])].filter((name) => !/^(did|_)/.test(name)).sort();
}

export function capabilityOptions({ capabilities }: LanguageServer): Record<string, object> {
	return Object.fromEntries(
		Object.entries(capabilities).flatMap(([name, value]) =>
			name.endsWith("Provider") && typeof value === "object" && value !== null
				? [[name.slice(0, -"Provider".length), value as object]]
				: [],
		),
	);
}
