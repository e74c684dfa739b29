import { conditions } from "./languages.ts";
import type { Node } from "./node.ts";
import { type Outline, wordsOf } from "./outline.ts";

const types = new Set(["struct_specifier", "class_specifier", "union_specifier", "enum_specifier"]);
const macros = ["preproc_def", "preproc_function_def", "preproc_call"];
const seenWhole = /\b(?:constexpr|consteval|auto|decltype|template|concept|requires)\b/;

interface Scope {
	readonly context: string;
	readonly isHeader: boolean;
}

export function cReader(path: string): (outline: Outline, root: Node) => void {
	const isHeader = /\.(?:h|hh|hpp|hxx|inl)$/.test(path);
	return (outline, root) => {
		readDirectives(outline, root);
		if (root.type === "ERROR") declare(outline, [root], { context: "", isHeader: true });
		else readItems(outline, root.children, 0, { context: "", isHeader });
		addConditions(outline, root.source.slice(root.children.at(-1)?.end ?? 0));
	};
}

function readDirectives(outline: Outline, root: Node): void {
	for (const node of root.allOf("preproc_include", ...macros)) {
		const macro = /^#\s*(?:define|undef)\s+(\w+)/.exec(node.text)?.[1];
		if (macro !== undefined)
			outline.declare({ path: `#${macro}`, names: [macro], nodes: [node], isMacro: true, isSeen: true });
		else if (/^#\s*(?:include|import)/.test(node.text)) outline.rest.push(node.text);
	}
}

function addConditions(outline: Outline, text: string): void {
	outline.rest.push(...(text.match(conditions) ?? []));
}

function readItems(outline: Outline, nodes: readonly Node[], from: number, scope: Scope): void {
	let end = from;
	/** Macro calls without a semicolon. */
	let before: Node[] = [];
	for (const node of nodes) {
		addConditions(outline, node.source.slice(end, node.start));
		end = node.end;
		if (!node.isNamed || node.isComment || node.type.startsWith("preproc_")) continue;
		const body = node.child("body");
		if (node.type === "namespace_definition" || node.type === "linkage_specification") {
			const inner = body?.type === "declaration_list" ? body.children : body ? [body] : [];
			const context = `${scope.context}${outline.textOf(node, new Set([body]))} `;
			readItems(outline, inner, body?.start ?? node.start, { ...scope, context });
		} else if (node.type === "using_declaration" && node.first("namespace")) outline.rest.push(outline.textOf(node));
		else if ((node.type === "expression_statement" || node.type === "ERROR") && !node.text.endsWith(";")) {
			before.push(node);
			continue;
		} else declare(outline, [...before, node], scope);
		before = [];
	}
	if (before.length > 0) declare(outline, before, scope);
}

function declare(outline: Outline, nodes: readonly Node[], { context, isHeader }: Scope): void {
	const node = nodes.at(-1);
	if (!node) return;
	const bodies = hiddenOf(node);
	const isHidden = (each: Node | undefined): boolean =>
		each !== undefined && (bodies.includes(each) || isHidden(each.parent));
	const isUnsure = nodes.some((each) => each.allOf("ERROR").some((error) => !isHidden(error)));
	const hidden = isUnsure ? [] : bodies;
	const own = isUnsure ? [] : namesOf(node);
	const macros = nodes.slice(0, -1).flatMap((each) => each.allOf("identifier")[0]?.text ?? []);
	// An operator has no name: users name its operands.
	const all = own.length > 0 ? [...own, ...macros] : nodes.flatMap((each) => namesWithin(each, new Set(hidden)));
	const names = [...new Set(all)];
	const isPrivate = !isHeader && node.first("storage_class_specifier")?.text === "static";
	outline.declare({ path: names.join(), names, nodes, hidden, context, isSeen: !isPrivate });
	for (const each of nodes) addConditions(outline, each.text.replace(/\{.*/s, ""));
}

function hiddenOf(node: Node): Node[] {
	const hidden: Node[] = [];
	const add = (each: Node, isTemplate: boolean): void => {
		const body = each.child("body");
		const isMisread = isMisreadMacro(each);
		if (each.type === "function_definition" && !isMisread) {
			const head = each.source.slice(each.start, body?.start ?? each.end);
			if (!isTemplate && !seenWhole.test(head))
				hidden.push(...each.children.filter((part) => part === body || part.type === "field_initializer_list"));
			return;
		}
		if (each.type === "declaration" && !isMisread) {
			if (isTemplate || seenWhole.test(each.source.slice(each.start, each.child("declarator")?.start ?? each.end)))
				return;
			for (const declarator of each.children.filter(({ type }) => type === "init_declarator"))
				if (declarator.allOf("array_declarator").length === 0)
					hidden.push(...declarator.children.filter(({ field, type }) => field === "value" || type === "="));
		}
		for (const child of each.children) add(child, isTemplate || each.type === "template_declaration");
	};
	add(node, false);
	return hidden;
}

function namesOf(node: Node): string[] {
	if (isMisreadMacro(node)) return [];
	if (node.type === "template_declaration") return node.named.slice(1).flatMap(namesOf);
	const names: string[] = [];
	const type = types.has(node.type) ? node : node.child("type");
	if (type && types.has(type.type) && (type.child("body") || type === node)) {
		const name = type.child("name");
		if (name) names.push(...(name.child("name") ?? name).text.split("::"));
		for (const each of type.allOf("enumerator")) names.push(each.child("name")?.text ?? "");
	} else if (/^(?:alias_declaration|concept_definition|using_declaration)$/.test(node.type))
		names.push((node.child("name") ?? node.named.at(-1))?.text.split("::").at(-1) ?? "");
	for (const declarator of node.children.filter(({ field }) => field === "declarator"))
		names.push(...namesOfDeclarator(declarator));
	return names;
}

/** The grammar takes `class API A {` and `NAMESPACE(a) {` for functions, `enum API A {` for a variable. */
function isMisreadMacro(node: Node): boolean {
	if (node.type !== "declaration" && node.type !== "function_definition") return false;
	const type = node.child("type");
	let declarator = node.child("declarator");
	if (node.type === "declaration") {
		const isBare = type !== undefined && types.has(type.type) && !type.child("body");
		return isBare && declarator?.child("value")?.type === "initializer_list" && !declarator.first("=");
	}
	while (declarator && !/function_declarator$/.test(declarator.type)) declarator = innerOf(declarator);
	// Only constructors have no type.
	const isCall = !type && declarator?.child("declarator")?.type === "identifier";
	return !declarator || (isCall && node.parent?.type !== "field_declaration_list");
}

function innerOf(declarator: Node): Node | undefined {
	if (!/^(?:parenthesized|reference|attributed)_declarator$/.test(declarator.type))
		return declarator.child("declarator");
	return declarator.child("declarator") ?? declarator.named.at(-1);
}

function namesOfDeclarator(declarator: Node): string[] {
	const inner = innerOf(declarator);
	if (inner) return namesOfDeclarator(inner);
	if (declarator.type === "operator_name" || declarator.text.includes("operator")) return [];
	return declarator.type === "template_function"
		? [declarator.child("name")?.text ?? ""]
		: withoutArguments(declarator.text).split(/::|~/).filter(Boolean);
}

/** `Cart<T>::add` is `Cart::add`. */
function withoutArguments(name: string): string {
	const [first, last] = [name.indexOf("<"), name.lastIndexOf(">")];
	return first >= 0 && last > first ? name.slice(0, first) + name.slice(last + 1) : name;
}

function namesWithin(node: Node, hidden: ReadonlySet<Node>): string[] {
	if (hidden.has(node)) return [];
	if (node.children.length === 0) return /identifier$/.test(node.type) ? [...wordsOf(node)] : [];
	return node.children.flatMap((child) => namesWithin(child, hidden));
}
