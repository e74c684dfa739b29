import { isInside } from "../util/paths.ts";

export interface AccessRule {
	/** Absolute, links resolved. */
	readonly path: string;
	/** `private`: an empty writable directory instead. */
	readonly access: "hidden" | "private" | "read" | "write";
	readonly isDirectory: boolean;
}

const byWeight = ["hidden", "private", "read", "write"];

/** Of two for a path the more permissive stays. */
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
