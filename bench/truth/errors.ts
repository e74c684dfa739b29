/** The errors of a project: by file, relative to its root, the set of `line code`. Lines are 1-based. */
export type Errors = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * An unknown name with and without a suggestion. 5.9 makes no more than ten suggestions in a run, and a suggestion takes the
 * place of what it says otherwise of some names: 18004 of `{ name }`, 2591 of `process`, 2311 of `await`.
 */
const unknownName = "2311 2552 2580 2581 2582 2583 2584 2591 2592 2593 2867 2868 18004".split(" ");
const withoutSuggestion: Readonly<Record<string, string>> = {
	...Object.fromEntries(unknownName.map((code) => [code, "2304"])),
	2833: "2503",
};

/** A code as it is compared. */
export function codeOf(code: string): string {
	return withoutSuggestion[code] ?? code;
}

/** What a compiler says of a whole project. */
export interface Verdict {
	readonly errors: Errors;
	/** Errors that are left out because they belong to no file. */
	readonly withoutFile: number;
	/** Errors that are left out because their file is none of the project's own. */
	readonly outside: number;
}

/** What differs for one file. */
export interface Difference {
	readonly file: string;
	/** `line code` that the compiler says and pi-lsp does not. */
	readonly missing: readonly string[];
	/** `line code` that pi-lsp says and the compiler does not. */
	readonly invented: readonly string[];
}

const none: ReadonlySet<string> = new Set();

/** How `ours` differs from `truth` for a file; undefined if it does not. */
export function differenceOf(file: string, truth: Errors, ours: Errors): Difference | undefined {
	const [right, said] = [truth.get(file) ?? none, ours.get(file) ?? none];
	const missing = [...right].filter((error) => !said.has(error));
	const invented = [...said].filter((error) => !right.has(error));
	return missing.length + invented.length > 0 ? { file, missing, invented } : undefined;
}

/** All files in which `ours` differs from `truth`. */
export function differencesOf(truth: Errors, ours: Errors): Difference[] {
	return [...new Set([...truth.keys(), ...ours.keys()])]
		.sort()
		.flatMap((file) => differenceOf(file, truth, ours) ?? []);
}

/** The number of errors in all files. */
export function sizeOf(errors: Errors): number {
	return [...errors.values()].reduce((sum, { size }) => sum + size, 0);
}
