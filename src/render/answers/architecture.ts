import type { ArchitectureReport } from "../../operations/architecture.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

/** About 1,500 tokens. */
const maxCharacters = 4500;

const sizes = [
	...[10, 8, 6, 5, 4, 3, 2].map((uses) => ({ uses, rows: Number.POSITIVE_INFINITY })),
	...[30, 20, 12, 6].map((rows) => ({ uses: 2, rows })),
] as const;

const most = { entries: 12, circles: 5, spots: 12, unread: 4, packages: 20 } as const;

export function architectureText(report: ArchitectureReport): string {
	let text = "";
	for (const size of sizes) {
		text = textOf(report, size);
		if (text.length <= maxCharacters) break;
	}
	return text;
}

interface Size {
	readonly uses: number;
	readonly rows: number;
}

function textOf(report: ArchitectureReport, { uses, rows }: Size): string {
	const { path, files, tests, languages, packages, folders, circles, entryPoints, hotSpots, unread } = report;
	const shown = new Set(folders.map((each) => each.path.replace(/\/$/, "")));
	const inside = packages.filter((each) => each.files > 0 && !(shown.has(each.path) && each.path.endsWith(each.name)));
	const byLanguage = languages.slice(0, 6).map(({ name, files: number }) => `${oneLine(name)} ${number}`);
	return [
		`${oneLine(path)}: ${count(files, "source", "sources")} (${byLanguage.join(", ")}), ${count(tests, "file", "files")} of tests`,
		...section(
			"packages (files: what they use):",
			packages.length > 1 ? inside : [],
			Math.min(rows, most.packages),
			(each) => [row(`${each.name}  ${each.path}`, each.files, each.uses, uses)],
		),
		...section("entry points:", entryPoints, Math.min(rows, most.entries), ({ file, what }) => [
			`${oneLine(file)}  ${oneLine(what)}`,
		]),
		...section("folders, from the top down (files: what they load, most first):", folders, rows, (each) => [
			row(
				each.path,
				each.files,
				each.uses.filter((use) => !use.isUnloaded).map((use) => use.path),
				uses,
			),
		]),
		...section("circles:", circles, most.circles, ({ folders: way, imports, all }) => [
			`${[...way, way[0] ?? ""].map(oneLine).join(" -> ")}${all > way.length ? ` (${all} folders reach each other)` : ""}`,
			...imports.slice(0, 3).map(({ from, to }) => `  ${oneLine(from)} imports ${oneLine(to)}`),
		]),
		...section("most referred to:", hotSpots, Math.min(rows, most.spots), (each) => [
			`${each.kind} ${oneLine(each.symbol)}  ${oneLine(each.file)}:${each.line}  ${count(each.files, "file", "files")}`,
		]),
		...section("not known:", unread, most.unread, (each) => [`${oneLine(each.path)}: ${oneLine(each.reason)}`]),
	].join("\n");
}

function section<Item>(
	title: string,
	items: readonly Item[],
	limit: number,
	linesOf: (item: Item) => readonly string[],
): string[] {
	if (items.length === 0) return [];
	const rest = items.length - limit;
	return [
		title,
		...items.slice(0, limit).flatMap((item) => linesOf(item).map((line) => `  ${line}`)),
		...(rest > 0 ? [`  ... and ${rest} more`] : []),
	];
}

function row(name: string, files: number, uses: readonly string[], limit: number): string {
	const rest = uses.length - limit;
	const named = [...uses.slice(0, limit).map(oneLine), ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
	return `${oneLine(name)} ${files}${named === "" ? "" : `: ${named}`}`;
}
