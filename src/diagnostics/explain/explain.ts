import type { Diagnostic } from "../../contract/check-report.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import type { Proof } from "../sources/prove.ts";
import { withDeclarations } from "./declared-types.ts";
import { explainMs, type OfferedFix, withSuggestions } from "./suggestions.ts";

interface Explaining {
	readonly workspace: string;
	readonly signal: AbortSignal;
	/** By performance.now(). */
	readonly until?: number | undefined;
	readonly declarations?: boolean | undefined;
	readonly offer?: ((fix: OfferedFix) => string) | undefined;
	readonly inTurn?: (work: () => Promise<void>) => Promise<void>;
}

const answerMs = 50;

export async function explained(
	server: LanguageServer,
	{ proof, diagnostics }: { readonly proof: Proof; readonly diagnostics: readonly Diagnostic[] },
	{ workspace, signal, until, declarations = true, offer, inTurn }: Explaining,
): Promise<readonly Diagnostic[]> {
	if (diagnostics.length === 0) return diagnostics;
	const leftMs = until === undefined ? explainMs : until - performance.now() - answerMs;
	const ms = Math.min(leftMs, explainMs);
	const [suggested, declaring] = await Promise.all([
		withSuggestions(server, { proof, diagnostics }, { signal, ms, offer }, inTurn),
		declarations ? withDeclarations(server, { proof, diagnostics }, { workspace, ms, signal }, inTurn) : diagnostics,
	]);
	return suggested.map((each, index) => {
		const declared = declaring[index]?.declared;
		return declared ? { ...each, declared } : each;
	});
}
