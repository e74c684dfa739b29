import { functionBodiesOf } from "../impact/outline/function-bodies.ts";
import { hashOf } from "../util/hash.ts";
import { anySource, readText } from "../util/read-file.ts";

/** Of what a file runs. */
export interface Fingerprint {
	readonly rest: string;
	readonly functions: readonly FunctionFingerprint[];
}

export interface FunctionFingerprint {
	/** Its name; with a number behind it for each further one of that name. */
	readonly key: string;
	readonly name: string;
	/** Lines are 1-based, both included. */
	readonly line: number;
	readonly endLine: number;
	readonly hash: string;
}

const hashLength = 12;

export class Fingerprints {
	readonly #known = new Map<string, Promise<Fingerprint | undefined>>();

	/** Undefined for a file that is not there. Where its functions are not known, they belong to the rest. */
	of(file: string): Promise<Fingerprint | undefined> {
		const known = this.#known.get(file) ?? fingerprintOf(file);
		this.#known.set(file, known);
		return known;
	}
}

async function fingerprintOf(file: string): Promise<Fingerprint | undefined> {
	const text = await readText(file, anySource);
	if (text === undefined) return undefined;
	const bodies = (await functionBodiesOf(file, text)) ?? { functions: [], rest: text };
	const counts = new Map<string, number>();
	const functions = bodies.functions.map(({ name, line, endLine, body }) => {
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { key: count === 1 ? name : `${name} ${count}`, name, line, endLine, hash: hashOf(body, hashLength) };
	});
	return { rest: hashOf(bodies.rest, hashLength), functions };
}
