export interface Failure {
	/** As the tool names it; absolute in a `CommandRun`. */
	readonly file?: string;
	/** 1-based. */
	readonly line?: number;
	readonly column?: number;
	readonly test?: string;
	readonly code?: string;
	readonly message: string;
}

export interface TestCounts {
	passed: number;
	failed: number;
	skipped: number;
}

export interface OutputReader {
	line(text: string): void;
	end(): { readonly failures: readonly Failure[]; readonly counts?: TestCounts | undefined };
}

export const maxFailures = 500;

const sequences = /\u001b\[[\d;?]*[A-Za-z]/g;

export function withoutColours(text: string): string {
	return text.includes("\u001b") ? text.replace(sequences, "") : text;
}
