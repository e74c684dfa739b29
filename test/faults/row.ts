import type { World } from "./world.ts";

/** One fault, with what must hold in it. */
export interface Row {
	readonly id: string;
	readonly title: string;
	/**
	 * Injects the fault and rejects if what must hold does not; what it returns is told in the row's line (how many
	 * rounds, what was measured). A string instead begins with "not yet: " or "not injectable here: ".
	 */
	readonly run: ((world: World) => Promise<string>) | NotRun | Proofs;
}

/** Tests of the suite that hold a row: by their file, and by a title or a part of one that stands in the file. */
export interface TestProof {
	readonly file: string;
	readonly title: string;
}

/** What holds a row that is injected elsewhere already: tests, and other rows by their id. */
interface Proofs {
	readonly tests?: readonly TestProof[];
	readonly rows?: readonly string[];
}

export type NotRun = `not yet: ${string}` | `not injectable here: ${string}`;

/** What must hold, as a sentence: said in the failure where it does not. */
export function must(condition: boolean, what: string): asserts condition {
	if (!condition) throw new Error(what);
}

/** A thing in a failure's text: short. */
export function shown(value: unknown): string {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
	return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
