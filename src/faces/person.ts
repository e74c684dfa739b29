import { LspError } from "../contract/errors.ts";
import type { Permits } from "../contract/protocol.ts";

/** `confirm` gives undefined if no person can be asked. Rejects with LSP_NEEDS_PERSON without a yes. */
export async function withPerson<Result>(
	call: (permits?: Permits) => Promise<Result>,
	confirm: (question: string) => Promise<boolean | undefined>,
): Promise<Result> {
	try {
		return await call();
	} catch (thrown) {
		const request = permissionRequest(thrown);
		const answer = request && (await confirm(request.question));
		if (request && answer) return call(request.permits);
		if (answer === undefined) throw thrown;
		throw new LspError("LSP_NEEDS_PERSON", "The person was asked, and refused.", {
			suggestion: "Go on without it, and do not ask again.",
		});
	}
}

function permissionRequest(thrown: unknown): { readonly question: string; readonly permits: Permits } | undefined {
	if (!(thrown instanceof LspError) || thrown.code !== "LSP_NEEDS_PERSON") return undefined;
	const { question, permits } = thrown.details as { readonly question?: string; readonly permits?: Permits };
	return question !== undefined && permits !== undefined ? { question, permits } : undefined;
}
