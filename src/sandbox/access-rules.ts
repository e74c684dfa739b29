import { isInside } from "../util/paths.ts";

/** What a server may do with a directory and all that is in it, or with a file. */
export interface AccessRule {
	/** Absolute, without links. */
	readonly path: string;
	/**
	 * `hidden`: nothing of it is seen. `private`: an empty directory instead, which may be written to and goes with the
	 * server. `read`: it is seen as it is. `write`: it may be changed as well.
	 */
	readonly access: "hidden" | "private" | "read" | "write";
	readonly isDirectory: boolean;
}

const byWeight = ["hidden", "private", "read", "write"];

/**
 * The rules in the order in which they are to be laid over each other and over a disk that may be read, so that the
 * deepest one counts. Of two for one path the one that allows more is left, and what changes nothing is left out.
 */
export function inOrder(rules: readonly AccessRule[]): AccessRule[] {
	const weighed = [...rules].sort((a, b) => byWeight.indexOf(a.access) - byWeight.indexOf(b.access));
	const unique = new Map(weighed.map((rule) => [rule.path, rule]));
	const sorted = [...unique.values()].sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
	const kept: AccessRule[] = [];
	for (const rule of sorted) {
		const around = kept.findLast(({ path }) => isInside(rule.path, path))?.access ?? "read";
		const isThereAnyway = rule.access === around && around !== "private";
		const isGoneAnyway = rule.access === "hidden" && around === "private";
		if (!isThereAnyway && !isGoneAnyway) kept.push(rule);
	}
	return kept;
}

function depth({ path }: AccessRule): number {
	return path.split("/").filter(Boolean).length;
}
