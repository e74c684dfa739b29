import type { Candidates } from "../../operations/find.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { gapLines } from "./workspace-symbols.ts";

interface SearchScope {
	readonly directory?: string;
	readonly language?: string;
}

const matchWords: Readonly<Record<Candidates["candidates"][number]["match"], string>> = {
	exact: "",
	case: "in other letters",
	prefix: "it begins so",
	part: "it holds that",
	fuzzy: "it holds these letters",
};

export function listCandidates(
	{ candidates, total, similar = [], ...gaps }: Candidates,
	query: string,
	{ directory = "the workspace", language }: SearchScope = {},
): string {
	const name = oneLine(query);
	const where = `${oneLine(directory)}${language === undefined ? "" : ` (${oneLine(language)})`}`;
	if (candidates.length === 0) return [`Nothing in ${where} is called "${name}".`, ...gapLines(gaps)].join("\n");
	const lines = candidates.map(({ symbol, kind, path, line, match, test }) => {
		const notes = [matchWords[match], test ? "test" : undefined].filter(Boolean).join(", ");
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
