/** The errors of a project: a set of `line code` by file, relative to the project's root. Lines are 1-based. */
export type Errors = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Unknown names with and without a suggestion. TypeScript 5.9 makes at most ten suggestions in a run, and a suggestion
 * replaces other codes of some names: 18004 of `{ name }`, 2591 of `process`, 2311 of `await`.
 */
const unknownName = "2311 2552 2580 2581 2582 2583 2584 2591 2592 2593 2867 2868 18004".split(" ");
const withoutSuggestion: Readonly<Record<string, string>> = {
	...Object.fromEntries(unknownName.map((code) => [code, "2304"])),
	2833: "2503",
};

/** Maps codes that count as equal to one of them. */
export function codeOf(code: string): string {
	return withoutSuggestion[code] ?? code;
}

/** A compiler's errors in a whole project. */
export interface Verdict {
	readonly errors: Errors;
	/** The number of excluded errors that belong to no file. */
	readonly withoutFile: number;
	/** The number of excluded errors in files outside the project. */
	readonly outside: number;
}

export interface Difference {
	readonly file: string;
	/** `line code` of errors that the compiler reports and pi-lsp does not. */
	readonly missing: readonly string[];
	/** `line code` of errors that pi-lsp reports and the compiler does not. */
	readonly invented: readonly string[];
}

const none: ReadonlySet<string> = new Set();

/** The difference between `ours` and `truth` for a file, if any. */
export function differenceOf(file: string, truth: Errors, ours: Errors): Difference | undefined {
	const [right, found] = [truth.get(file) ?? none, ours.get(file) ?? none];
	const missing = [...right].filter((error) => !found.has(error));
	const invented = [...found].filter((error) => !right.has(error));
	return missing.length + invented.length > 0 ? { file, missing, invented } : undefined;
}

export function differencesOf(truth: Errors, ours: Errors): Difference[] {
	return [...new Set([...truth.keys(), ...ours.keys()])]
		.sort()
		.flatMap((file) => differenceOf(file, truth, ours) ?? []);
}

export function sizeOf(errors: Errors): number {
	return [...errors.values()].reduce((sum, { size }) => sum + size, 0);
}
