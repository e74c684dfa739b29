/** One thing that a build or a test has failed with. */
export interface Failure {
	/** As the tool names it; absolute once it is found on disk. */
	readonly file?: string;
	/** 1-based. */
	readonly line?: number;
	readonly column?: number;
	/** The test, with what contains it. */
	readonly test?: string;
	readonly code?: string;
	readonly message: string;
}

/** How many tests there were, as far as the tool says. */
export interface TestCounts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Reads the output of a run, line by line. */
export interface OutputReader {
	line(text: string): void;
	end(): { readonly failures: readonly Failure[]; readonly counts?: TestCounts | undefined };
}

/** Of more failures only the first are kept. */
export const maxFailures = 500;

/** Colours and other escape sequences of terminals. */
const sequences = /\u001b\[[\d;?]*[A-Za-z]/g;

export function withoutColours(text: string): string {
	return text.includes("\u001b") ? text.replace(sequences, "") : text;
}
