import type { World } from "./world.ts";

/** One fault, with the condition that must hold under it. */
export interface Row {
	readonly id: string;
	readonly title: string;
	/**
	 * Injects the fault and rejects if the condition does not hold; the returned text is printed in the row's line (how
	 * many rounds, the measured values). A string instead begins with "not yet: " or "not injectable here: ".
	 */
	readonly run: ((world: World) => Promise<string>) | NotRun | Proofs;
}

/** Tests of the suite that prove a row: by their file, and by a title or a part of one in the file. */
export interface TestProof {
	readonly file: string;
	readonly title: string;
}

/** The tests of `test/FILE.test.ts` with these titles. */
export function test(file: string, ...titles: readonly string[]): TestProof[] {
	return titles.map((title) => ({ file: `test/${file}.test.ts`, title }));
}

/** The proofs of a row that is injected elsewhere already: tests, and other rows by their id. */
interface Proofs {
	readonly tests?: readonly TestProof[];
	readonly rows?: readonly string[];
}

export type NotRun = `not yet: ${string}` | `not injectable here: ${string}`;

/** The condition as a sentence, which is printed in the failure. */
export function must(condition: boolean, what: string): asserts condition {
	if (!condition) throw new Error(what);
}

/** A value in a failure's text, shortened. */
export function shown(value: unknown): string {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
	return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
