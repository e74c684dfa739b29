const maxLevels = 8;
const maxPaths = 2000;
/** In characters. */
const maxTree = 4000;

export function rustPaths(full: string): string[] {
	const text = full.replace(/^[ \t]*\/\/.*$/gm, "");
	const found = new Set<string>();
	const add = (path: string) => {
		if (path !== "" && found.size < maxPaths) found.add(path);
	};
	for (const tree of useTrees(text))
		for (const path of expanded(tree.replace(/\s+as\s+\w+/g, "").replace(/\s+/g, ""), maxLevels)) add(path);
	for (const [path] of text.matchAll(/\b(?:crate|super|self)(?:::\w+)+/g)) add(path.split("::").join("/"));
	return [...found];
}

function useTrees(text: string): string[] {
	const begins = /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?use[ \t]+/gm;
	const trees: string[] = [];
	let end = 0;
	while (begins.exec(text)) {
		const start = begins.lastIndex;
		if (end < start) end = text.indexOf(";", start);
		if (end < 0) break;
		if (end - start <= maxTree) trees.push(text.slice(start, end));
	}
	return trees;
}

/** `a::{b, c::{d}}` is `a/b` and `a/c/d`. */
function expanded(tree: string, levels: number): string[] {
	const open = tree.indexOf("{");
	if (open < 0 || levels === 0) return [tree.replace(/[{}*]/g, "").split("::").filter(Boolean).join("/")];
	const head = tree.slice(0, open).split("::").filter(Boolean).join("/");
	const close = tree.lastIndexOf("}");
	const parts: string[] = [];
	let [depth, start] = [0, open + 1];
	const end = close < 0 ? tree.length : close;
	for (let at = open + 1; at <= end; at++) {
		const character = tree[at];
		if (at === end || (character === "," && depth === 0)) {
			parts.push(tree.slice(start, at));
			start = at + 1;
		} else if (character === "{") depth++;
		else if (character === "}") depth--;
	}
	return parts
		.flatMap((part) => expanded(part, levels - 1))
		.map((path) => [head, path === "self" ? "" : path].filter(Boolean).join("/"));
}
