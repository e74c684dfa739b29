import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { gapLines, type ShownFound, type ShownGaps } from "./workspace-symbols.ts";

interface ShownCandidate extends ShownFound {
	readonly match: string;
}

interface ShownCandidates extends ShownGaps {
	readonly candidates: readonly ShownCandidate[];
	readonly total: number;
	readonly similar?: readonly string[];
}

/** Where was looked, as the caller said it. */
interface Part {
	readonly directory?: string;
	readonly language?: string;
}

const words: Readonly<Record<string, string>> = {
	case: "in other letters",
	prefix: "it begins so",
	part: "it holds that",
	fuzzy: "it holds these letters",
};

/** What a name may mean, one line each: what it is and where, and how it is like the name unless it is the name. */
export function listCandidates(
	{ candidates, total, similar = [], ...gaps }: ShownCandidates,
	asked: string,
	{ directory = "the workspace", language }: Part = {},
): string {
	const name = oneLine(asked);
	const where = `${oneLine(directory)}${language === undefined ? "" : ` (${oneLine(language)})`}`;
	if (candidates.length === 0) return [`Nothing in ${where} is called "${name}".`, ...gapLines(gaps)].join("\n");
	const lines = candidates.map(({ symbol, kind, path, line, match, test }) => {
		const notes = [words[match], test ? "test" : undefined].filter(Boolean).join(", ");
		return `${oneLine(path)}:${line}: ${kind} ${oneLine(symbol)}${notes ? ` (${notes})` : ""}`;
	});
	return [
		...(total > 1 ? [`${total} candidates for "${name}"`] : []),
		...lines,
		...(total > lines.length
			? [`... and ${count(total - lines.length, "other", "others")}; ask with a larger limit.`]
			: []),
		...(similar.length > 0 ? [`Similar: ${similar.map(oneLine).join(", ")}`] : []),
		...gapLines(gaps),
	].join("\n");
}
