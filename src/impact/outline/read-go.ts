import type { Node } from "./node.ts";
import type { Entry, Outline } from "./outline.ts";

export function readGo(outline: Outline, root: Node): void {
	for (const node of root.children) {
		if (node.isComment && /^\/\/(?:go:build|\s*\+build)/.test(node.text)) outline.rest.push(node.text);
		else readStatement(outline, node);
	}
}

function readStatement(outline: Outline, node: Node): void {
	const name = node.child("name");
	const hidden = [node.child("body")];
	switch (node.type) {
		case "package_clause":
			outline.rest.push(node.text);
			break;
		case "function_declaration":
			// `init` cannot be called, and may occur several times.
			if (name?.text !== "init") declare(outline, name, { nodes: [node], hidden });
			break;
		case "method_declaration": {
			const receiver = node.child("receiver")?.allOf("type_identifier")[0]?.text ?? "";
			const names = [receiver, name?.text ?? ""];
			outline.declare({ path: names.join("."), names, name, nodes: [node], hidden, isSeen: true });
			break;
		}
		case "import_declaration":
			for (const spec of node.allOf("import_spec")) readImport(outline, spec);
			break;
		case "type_declaration":
			for (const spec of node.named) declare(outline, spec.child("name"), { nodes: [spec] });
			break;
		case "var_declaration":
			for (const spec of specsOf(node)) readVariables(outline, spec);
			break;
		case "const_declaration": {
			// A constant without a value repeats the previous one.
			let repeated: readonly Node[] = [];
			for (const spec of specsOf(node)) {
				if (spec.child("value")) repeated = spec.children.filter(({ field }) => field === "type" || field === "value");
				for (const each of spec.children.filter(({ type }) => type === "identifier"))
					declare(outline, each, { nodes: [spec, ...repeated] });
			}
		}
	}
}

function specsOf(node: Node): readonly Node[] {
	return (node.first("var_spec_list") ?? node).named;
}

function readImport(outline: Outline, spec: Node): void {
	const path = spec.child("path")?.text.slice(1, -1) ?? "";
	const words = path.split("/");
	const name = spec.child("name")?.text ?? words.findLast((word) => !/^v\d+$/.test(word)) ?? path;
	if (name === ".") outline.rest.push(`import . ${path}`);
	else outline.declare({ path: name, context: `import ${path}` });
}

function readVariables(outline: Outline, spec: Node): void {
	const names = spec.children.filter(({ type, field }) => type === "identifier" && field === "name");
	const value = spec.child("value");
	for (const name of names) {
		if (spec.child("type")) declare(outline, name, { nodes: [spec], hidden: [value] });
		else declare(outline, name, { nodes: [spec], inferred: names.length > 1 ? [] : [value] });
	}
}

function declare(outline: Outline, name: Node | undefined, entry: Omit<Entry, "path" | "name">): void {
	if (name && name.text !== "_") outline.declare({ path: name.text, name, isSeen: true, ...entry });
}
