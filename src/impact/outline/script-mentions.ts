import type { Node } from "./node.ts";
import type { Mention } from "./outline.ts";

export const moduleAtOnce = "import()";

export function asWhole(namespace: string): string {
	return `${namespace}.*`;
}

export function inNamespace(name: string): string {
	return `.${name}`;
}

const names = new Set(["identifier", "type_identifier", "shorthand_property_identifier", "jsx_identifier"]);
const nested = new Set(["member_expression", "nested_identifier", "nested_type_identifier"]);

/** Without keys of objects, and properties except those of modules. */
export function scriptMentions(text: string): Mention {
	const found = text.matchAll(
		/\*\s*as\s+([\w$]+)|(?:const|let|var|import)\s+([\w$]+)\s*=\s*(?:require|await\s+import)\b/g,
	);
	const namespaces = new Set(Array.from(found, ([, star, name]) => star ?? name ?? ""));
	return (leaf) => mentioned(leaf, namespaces);
}

function mentioned(leaf: Node, namespaces: ReadonlySet<string>): string[] {
	const { text, parent, type } = leaf;
	if (type === "import") return [moduleAtOnce];
	const isNested = parent !== undefined && nested.has(parent.type);
	const holder = isNested ? parent.children[0] : undefined;
	if (holder && holder !== leaf) {
		const isGlobal = holder.text === "globalThis" || holder.text === "window";
		const isModule = isGlobal || namespaces.has(holder.text) || /^(?:call|parenthesized)_expression$/.test(holder.type);
		if (!isModule) return [];
		return isGlobal ? [inNamespace(text), text] : [inNamespace(text)];
	}
	if (!names.has(type) || (leaf.field === "pattern" && parent?.type.endsWith("_parameter"))) return [];
	if (text === "require") return [moduleAtOnce];
	return namespaces.has(text) && !holder ? [text, asWhole(text)] : [text];
}
