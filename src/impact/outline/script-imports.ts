import type { Node } from "./node.ts";
import type { Outline } from "./outline.ts";

const assets = /\.(?:css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|woff2?)["']$/;

export function readImport(outline: Outline, node: Node): void {
	const clause = node.first("import_clause", "import_require_clause");
	const source = (node.child("source") ?? clause?.child("source"))?.text ?? "";
	// It may declare globals.
	if (!clause && !assets.test(source)) outline.rest.push(`import ${source}`);
	const kind = node.first("type", "typeof")?.text ?? "";
	const attributes = node.children.filter(({ type }) => type === "import_attribute");
	const bind = (name: string, words: string, takes: ReadonlySet<string> | "any") =>
		outline.declare({ path: name, nodes: attributes, context: `import ${kind} ${words} from ${source} `, takes });
	for (const part of clause?.named ?? []) {
		const isWhole = part.type === "namespace_import" || clause?.type === "import_require_clause";
		if (part.type === "named_imports")
			for (const { name, as, kind } of listOf(part)) bind(as, `${kind} ${name}`, new Set([name]));
		else if (isWhole && part.type !== "string") bind((part.first("identifier") ?? part).text, "*", "any");
		else if (part.type === "identifier") bind(part.text, "default", new Set(["default"]));
	}
}

function listOf(list: Node): { readonly name: string; readonly as: string; readonly kind: string }[] {
	return list.named.map((each) => {
		const plain = (node: Node | undefined) => node?.text.replace(/^["']|["']$/g, "") ?? "";
		const name = each.child("name");
		return {
			name: plain(name),
			as: plain(each.child("alias") ?? name),
			kind: each.first("type", "typeof")?.text ?? "",
		};
	});
}

export function readExportList(outline: Outline, node: Node): void {
	const source = node.child("source")?.text;
	const list = node.first("export_clause");
	const type = /^export\s+type\b/.test(node.text) ? "type" : "";
	const pass = (outside: string, words: string, takes: ReadonlySet<string> | "any", path = `export ${outside}`) => {
		// The space keeps the path from being a word of the file.
		outline.declare({ path, context: `export ${type} ${words} from ${source} `, takes });
		outline.see(path, outside);
	};
	const all = node.first("namespace_export");
	for (const { name, as, kind } of list ? listOf(list) : [])
		if (source === undefined) outline.see(name, as);
		else pass(as, `${kind} ${name}`, new Set([name]));
	if (all) pass(all.named.at(-1)?.text.replace(/^["']|["']$/g, "") ?? "", "*", "any");
	else if (!list) pass(`* ${source}`, "*", "any");
}
