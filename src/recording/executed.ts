import type { FunctionFingerprint } from "./fingerprint.ts";

/** By absolute path of a file that was loaded: whether a function of it was executed. */
export type Executed = ReadonlyMap<string, (of: FunctionFingerprint) => boolean>;

/** The lines are 1-based. */
export function executedAt(lines: Iterable<number>): (of: Pick<FunctionFingerprint, "line" | "endLine">) => boolean {
	const distinct = [...new Set(lines)];
	return ({ line, endLine }) => distinct.some((each) => each >= line && each <= endLine);
}
