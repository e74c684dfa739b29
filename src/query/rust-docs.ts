import { join } from "node:path";
import { anySource, readText } from "../util/read-file.ts";

const kinds = [
	"struct",
	"enum",
	"trait",
	"fn",
	"macro",
	"type",
	"constant",
	"primitive",
	"union",
	"static",
	"traitalias",
];
const maxCharacters = 8000;

/** `symbol`: for example `std::vec::Vec::new`. */
export async function sysrootDocs(sysroot: string, symbol: string): Promise<string | undefined> {
	const names = symbol.split("::");
	const root = join(sysroot, "share/doc/rust/html");
	const last = names.at(-1) ?? "";
	const module = await readText(join(root, ...names, "index.html"), anySource);
	if (module !== undefined) return textOf(mainOf(module));
	const page = await pageOf(root, names);
	if (page !== undefined) return textOf(mainOf(page));
	const outer = names.length > 2 ? await pageOf(root, names.slice(0, -1)) : undefined;
	const start = ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype"]
		.map((kind) => outer?.search(new RegExp(`<(?:section|span) id="${kind}\\.${last}"`)) ?? -1)
		.find((at) => at >= 0);
	if (outer === undefined || start === undefined) return undefined;
	const rest = outer.slice(start);
	const end = rest.slice(1).search(/<details class="toggle method-toggle"|<section id="(?:method|variant)\./);
	return textOf(end < 0 ? rest.slice(0, 20_000) : rest.slice(0, end));
}

async function pageOf(root: string, names: readonly string[]): Promise<string | undefined> {
	const directory = join(root, ...names.slice(0, -1));
	for (const kind of kinds) {
		const page = await readText(join(directory, `${kind}.${names.at(-1)}.html`), anySource);
		if (page !== undefined) return page;
	}
	return undefined;
}

function mainOf(page: string): string {
	const main = page.slice(Math.max(page.indexOf('<section id="main-content"'), 0));
	const end = main.search(
		/<h2 id="(?:implementations|fields|variants|modules|reexports|trait-implementations|implementors)"/,
	);
	return end < 0 ? main : main.slice(0, end);
}

const entities: Readonly<Record<string, string>> = {
	lt: "<",
	gt: ">",
	amp: "&",
	quot: '"',
	nbsp: " ",
	"#39": "'",
	"#x27": "'",
};

function textOf(html: string): string {
	const text = html
		.replace(/<(script|style|button|svg)\b[\s\S]*?<\/\1>/g, "")
		.replace(/<a class="(?:src|anchor|test-arrow|doc-anchor)[^>]*>[\s\S]*?<\/a>/g, "")
		.replace(/<br\s*\/?>|<\/(?:p|div|pre|h\d|li|section|summary)>/g, "\n")
		.replace(/<[^>]*(?:>|$)/g, "")
		.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
		.replace(/[ \t]+$/gm, "")
		.replace(/\n{3,}/g, "\n\n")
		.trim();
	return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
