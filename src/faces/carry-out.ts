import type { CommitResult, Planned } from "../contract/planned.ts";

/** `files` are relative to the caller's directory. */
export type Hold = <Result>(files: readonly string[], work: () => Promise<Result>) => Promise<Result>;

const holdNothing: Hold = (_, work) => work();

export async function carryOut(
	answer: unknown,
	commit: (plan: string) => Promise<CommitResult>,
	hold: Hold = holdNothing,
): Promise<unknown> {
	const planned = plannedIn(answer);
	if (planned?.plan === undefined) return answer;
	const { plan, files } = planned;
	const {
		planned: _,
		notes = [],
		...rest
	} = answer as { readonly planned: unknown; readonly notes?: readonly string[] };
	const { notes: more = [], ...written } = await hold(files, () => commit(plan));
	const all = [...notes, ...more];
	return { ...rest, ...written, ...(all.length > 0 ? { notes: all } : {}) };
}

function plannedIn(answer: unknown): Planned["planned"] | undefined {
	if (typeof answer !== "object" || answer === null) return undefined;
	return (answer as Partial<Planned>).planned;
}
