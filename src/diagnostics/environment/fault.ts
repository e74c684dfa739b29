import type { Diagnostic } from "../../contract/check-report.ts";
import type { LanguageServer } from "../../lsp/server.ts";

export interface Fault {
	readonly sentence: string;
	readonly caused: readonly Diagnostic[];
}

export interface FaultyFile {
	readonly path: string;
	readonly workspace: string;
	readonly diagnostics: readonly Diagnostic[];
	readonly server: Pick<LanguageServer, "config" | "launch" | "request" | "root" | "settings">;
	readonly signal: AbortSignal;
}

/** `a`, `b` and `c`, or `a`, `b` and 3 more. */
export function listed(names: readonly string[]): string {
	const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => `\`${name}\``);
	const last = names.length > 3 ? `${names.length - 2} more` : shown.pop();
	return shown.length > 0 ? `${shown.join(", ")} and ${last}` : `${last}`;
}
