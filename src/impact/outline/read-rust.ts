import type { Node } from "./node.ts";
import type { Entry, Outline } from "./outline.ts";

interface Scope {
	readonly owner?: string | undefined;
	readonly context: string;
}

const isTest = /^#\[\s*(?:cfg\s*\(\s*test\s*\)|test|\w+\s*::\s*test)\s*\]/;

export function readRust(outline: Outline, root: Node): void {
	readItems(outline, root.children, { context: "" });
}

function readItems(outline: Outline, nodes: readonly Node[], scope: Scope): void {
	let attributes: Node[] = [];
	for (const node of nodes) {
		if (node.type.endsWith("attribute_item")) attributes.push(node);
		else if (node.isNamed && !node.isComment) {
			if (!attributes.some(({ text }) => isTest.test(text))) readItem(outline, node, attributes, scope);
			attributes = [];
		}
	}
}

function readItem(outline: Outline, node: Node, attributes: readonly Node[], scope: Scope): void {
	const { owner, context } = scope;
	const nodes = [...attributes, node];
	const body = node.child("body");
	const name = node.child("name");
	const declare = (entry: Partial<Entry>, at = name) => {
		if (!at) return;
		const names = [...(owner ? [owner] : []), at.text];
		outline.declare({ path: names.join("."), name: at, names, nodes, context, isSeen: true, ...entry });
	};
	switch (node.type) {
		case "function_item":
		case "function_signature_item":
			// A trait's method with a body need not be implemented.
			return void declare({ hidden: [body], context: `${context}${body ? "{" : ""}` });
		case "enum_item":
			declare({});
			for (const variant of node.allOf("enum_variant")) {
				const own = variant.child("name");
				declare({ names: [name?.text ?? "", own?.text ?? ""] }, own);
			}
			return;
		case "trait_item":
			declare({ hidden: [body] });
			return void readItems(outline, body?.children ?? [], { owner: name?.text, context: "" });
		case "mod_item": {
			declare({ hidden: [body] });
			const heads = attributes.map((each) => outline.textOf(each)).join(" ");
			return void readItems(outline, body?.children ?? [], { owner, context: `${context}${heads}` });
		}
		case "foreign_mod_item":
			return void readItems(outline, body?.children ?? [], scope);
		case "impl_item":
			return void readImplementation(outline, nodes, node, body);
		case "use_declaration": {
			const isSeen = node.first("visibility_modifier") !== undefined;
			const argument = node.child("argument");
			if (argument) readUse(outline, argument, `${outline.textOf(node, new Set([argument]))} `, isSeen);
			return;
		}
		case "extern_crate_declaration":
			return void declare({}, node.child("alias") ?? name);
		case "static_item":
			return void declare({ hidden: [node.child("value")] });
		case "macro_definition":
			return void declare({ isMacro: true });
		case "expression_statement":
		case "macro_invocation":
			return void readMacro(outline, nodes, node);
		default:
			return void declare({});
	}
}

function readImplementation(outline: Outline, nodes: readonly Node[], node: Node, body: Node | undefined): void {
	const type = node.child("type");
	const plain = type?.child("type") ?? type;
	const owner = (plain?.child("name") ?? plain?.allOf("type_identifier").at(-1) ?? plain)?.text ?? "";
	const context = outline.textOf(node, new Set([body]));
	outline.declare({ path: context, names: [owner], nodes, hidden: [body], isSeen: true });
	readItems(outline, body?.children ?? [], { owner, context });
}

/** It may declare any word in it. */
function readMacro(outline: Outline, nodes: readonly Node[], node: Node): void {
	const names = [...new Set(node.text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])];
	outline.declare({ path: `${names[0] ?? ""}!`, names, nodes, isSeen: true });
}

function readUse(outline: Outline, node: Node, before: string, isSeen: boolean): void {
	const list = node.type === "use_list" ? node : node.child("list");
	const path = `${before}${list && list !== node ? `${node.child("path")?.text ?? ""}::` : ""}`;
	if (list) {
		for (const each of list.named) readUse(outline, each, path, isSeen);
		return;
	}
	const context = `${before}${node.text}`;
	if (node.type === "use_wildcard") {
		if (isSeen) outline.rest.push(context);
		return;
	}
	const last = node.child("alias") ?? node.child("name") ?? node;
	const name = last.text === "self" ? (/(\w+)::self$/.exec(context)?.[1] ?? "self") : last.text;
	if (name !== "_") outline.declare({ path: name, context, isSeen });
}
