import { namesOf } from "../../contract/symbol-path.ts";

/** Best first. */
export const matchNames = ["exact", "case", "prefix", "part", "fuzzy"] as const;

export type Match = (typeof matchNames)[number];

export function rankName(name: string, wanted: string): number | undefined {
	if (name === wanted) return 0;
	const [has, wants] = [name.toLowerCase(), wanted.toLowerCase()];
	if (has === wants) return 1;
	if (has.startsWith(wants)) return 2;
	if (has.includes(wants)) return 3;
	return isSubsequence(wants, has) ? 4 : undefined;
}

/** As LSP compares `sortText`. */
export function byCodeUnit(one: string, other: string): number {
	return one === other ? 0 : one < other ? -1 : 1;
}

function isSubsequence(wanted: string, name: string): boolean {
	let at = 0;
	for (const character of wanted) {
		at = name.indexOf(character, at) + 1;
		if (at === 0) return false;
	}
	return true;
}

/** From the last name on; skipped containers lower the rank. The first names may be the file's. */
export function rankPath(symbol: string, file: string, wanted: readonly string[]): number | undefined {
	const names = namesOf(symbol);
	const last = rankName(names.pop() ?? "", wanted.at(-1) ?? "");
	if (last === undefined) return undefined;
	let rank = last;
	const [stem = "", directory = ""] = file
		.split("/")
		.slice(-2)
		.reverse()
		.map((part) => part.replace(/(?<=.)\..*$/, ""));
	const modules = [stem, directory];
	for (const name of wanted.slice(0, -1).reverse()) {
		const next = names.length > 0 ? rankName(names.at(-1) ?? "", name) : undefined;
		if (next !== undefined && (next < 4 || rank === 0)) {
			names.pop();
			rank = Math.max(rank, next);
			continue;
		}
		const skipped = names.findLastIndex((container) => (rankName(container, name) ?? 9) < 2);
		if (skipped >= 0) {
			names.splice(skipped);
			rank = matchNames.length - 1;
			continue;
		}
		const module = modules.findIndex((part) => (rankName(part, name) ?? 9) < 2);
		if (module < 0 || names.length > 0) return undefined;
		rank = Math.max(rank, rankName(modules[module] ?? "", name) ?? 0);
		modules.splice(0, module + 1);
	}
	return rank;
}
