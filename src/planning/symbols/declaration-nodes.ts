import type { Node } from "../../impact/outline/node.ts";
import type { ParsedFile } from "../../impact/outline/parse-file.ts";

type Family = ParsedFile["family"];

const declaring: Readonly<Record<Family, RegExp>> = {
	script:
		/^(?:(?:generator_)?function_(?:declaration|signature)|(?:abstract_)?class_declaration|interface_declaration|type_alias_declaration|enum_declaration|internal_module|module|(?:abstract_)?method_(?:definition|signature)|public_field_definition|field_definition|property_signature|enum_assignment|variable_declarator|pair|export_statement|expression_statement)$/,
	python: /^(?:function_definition|class_definition|expression_statement|type_alias_statement)$/,
	go: /^(?:function_declaration|method_declaration|type_spec|type_alias|var_spec|const_spec|field_declaration|method_elem|method_spec)$/,
	rust: /^(?:(?:function|function_signature|struct|enum|union|trait|impl|mod|const|static|type)_item|associated_type|macro_definition|field_declaration|enum_variant)$/,
	c: /^(?:function_definition|declaration|field_declaration|(?:class|struct|union|enum)_specifier|namespace_definition|type_definition|alias_declaration|enumerator|preproc_def|preproc_function_def|concept_definition)$/,
};

const wrapping: Readonly<Record<Family, RegExp>> = {
	script: /^(?:export_statement|ambient_declaration|lexical_declaration|variable_declaration|expression_statement)$/,
	python: /^decorated_definition$/,
	go: /^(?:type|var|const)_declaration$/,
	rust: /(?!)/,
	c: /^(?:template_declaration|linkage_specification|declaration|field_declaration)$/,
};

const listing =
	/^(?:object|enum_body|enumerator_list|enum_variant_list|lexical_declaration|variable_declaration|ordered_field_declaration_list)$/;

export function declarationAt({ root, family }: ParsedFile, offset: number): Node | undefined {
	let node = leafAt(root, offset);
	while (node && !isDeclaration(node, family)) node = node.parent;
	while (node?.parent && wraps(node.parent, node, family)) node = node.parent;
	return node;
}

function leafAt(root: Node, offset: number): Node | undefined {
	let node: Node | undefined = root;
	for (;;) {
		const next: Node | undefined = node.children.find(({ start, end }) => start <= offset && offset < end);
		if (!next) return node === root ? undefined : node;
		node = next;
	}
}

function isDeclaration(node: Node, family: Family): boolean {
	if (family === "script" && node.parent?.type === "enum_body") return node.isNamed;
	return declaring[family].test(node.type);
}

function wraps(parent: Node, node: Node, family: Family): boolean {
	if (!wrapping[family].test(parent.type)) return false;
	if (family === "go" && parent.first("(")) return false;
	// `struct A {} a;` declares more; without a body a type is only used.
	if (family === "c" && /^(?:field_)?declaration$/.test(parent.type)) return !parent.child("declarator");
	return parent.named.filter((each) => each.type === node.type).length === 1;
}

export function isListed({ parent }: Node): boolean {
	if (!parent) return false;
	if (parent.type === "field_declaration_list")
		return parent.parent?.type.endsWith("_item") === true || hasComma(parent);
	return listing.test(parent.type) || (parent.type === "expression_list" && hasComma(parent));
}

function hasComma({ children }: Node): boolean {
	return children.some(({ type }) => type === ",");
}

/** True if none of its names can be removed alone. */
export function isShared(node: Node, { family }: ParsedFile): boolean {
	const inner = node.all().find(({ type }) => declaring[family].test(type) && !wrapping[family].test(type)) ?? node;
	const fields = (field: string) => inner.children.filter((each) => each.field === field).length;
	if (family === "script")
		return inner.type === "variable_declarator" && /pattern$/.test(inner.child("name")?.type ?? "");
	if (family === "go") return fields("name") > 1;
	if (family === "c") return fields("declarator") > 1 || (fields("declarator") > 0 && hasBody(inner.child("type")));
	if (family !== "python" || inner.type !== "expression_statement") return false;
	const assignment = inner.first("assignment");
	return (
		/pattern|list|tuple/.test(assignment?.child("left")?.type ?? "") ||
		assignment?.child("right")?.type === "assignment"
	);
}

function hasBody(type: Node | undefined): boolean {
	// `typedef struct {} A;` names nothing else.
	return type !== undefined && type.child("body") !== undefined && type.child("name") !== undefined;
}
