import { LspError } from "../contract/errors.ts";
import type { Permits } from "../contract/protocol.ts";

/** What a person is asked before something is done that is not for models. */
interface PersonQuestion {
	readonly question: string;
	readonly permits: Permits;
}

/**
 * Calls, and where only a person may allow what the call asks for, asks them and calls once more with their yes. `confirm`
 * resolves with undefined where nobody can be asked: then the call fails with LSP_NEEDS_PERSON and what to tell them.
 */
export async function withPerson<Result>(
	call: (permits?: Permits) => Promise<Result>,
	confirm: (question: string) => Promise<boolean | undefined>,
): Promise<Result> {
	try {
		return await call();
	} catch (thrown) {
		const asked = questionIn(thrown);
		const answer = asked && (await confirm(asked.question));
		if (asked && answer) return call(asked.permits);
		if (answer === undefined) throw thrown;
		throw new LspError("LSP_NEEDS_PERSON", "The person was asked, and said no.", {
			suggestion: "Go on without it, and do not ask again.",
		});
	}
}

function questionIn(thrown: unknown): PersonQuestion | undefined {
	if (!(thrown instanceof LspError) || thrown.code !== "LSP_NEEDS_PERSON") return undefined;
	const { question, permits } = thrown.details as Partial<PersonQuestion>;
	return question !== undefined && permits !== undefined ? { question, permits } : undefined;
}
