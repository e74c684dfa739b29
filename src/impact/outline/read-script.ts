import type { Language } from "./languages.ts";
import { type Entry, Outline } from "./outline.ts";
import { readExportList, readImport } from "./script-imports.ts";
import { scriptMentions } from "./script-mentions.ts";
import type { Node } from "./syntax.ts";

/** Where some statements stand. */
interface Scope {
	/** What their paths begin with. */
	readonly prefix: string;
	/** The namespace at the top level that they are a part of. */
	readonly owner?: string;
	/** True within `declare global` and `declare module "x"`. */
	readonly everywhere: boolean;
}

/** What stands before a declaration and belongs to it. */
interface Before {
	readonly nodes: readonly Node[];
	readonly text: string;
	/** Says by which names others see what is declared. */
	readonly see: (name: string) => void;
}

/** What a declaration without a name is called. */
const anonymous = "default";
/** A signature names these without saying what they look like. */
const namesTypes = ["class", "enum", "interface", "class_declaration", "abstract_class_declaration"];
const functions = ["arrow_function", "function_expression", "generator_function"];

/** True if what a script declares is seen by its importers alone. `hasModuleWords`: it imports or exports something. */
export function isScriptModule(path: string, text: string, hasModuleWords: () => boolean): boolean {
	if (/\.[mc][jt]s$/.test(path) && !isDeclarations(path)) return true;
	return hasModuleWords() || (!isTyped(path) && isCommonJs(text));
}

/** Reads a file of TypeScript or JavaScript. */
export function scriptReader(
	path: string,
	text: string,
	language: Language,
	isModule: boolean,
): { readonly outline: Outline; readonly read: (outline: Outline, root: Node) => void } {
	const outline = new Outline(language, scriptMentions(text));
	const seesAll = !isModule || isDeclarations(path) || (!isTyped(path) && isCommonJs(text));
	const reader = new ScriptReader(outline, isTyped(path));
	const read = (_: Outline, root: Node) => {
		reader.statements(root.children, { prefix: "", everywhere: false });
		if (seesAll) outline.seeAll();
	};
	return { outline, read };
}

function isTyped(path: string): boolean {
	return /\.[mc]?tsx?$/.test(path);
}

/** True for a file of declarations: what it does not export is exported as well. */
function isDeclarations(path: string): boolean {
	return /\.d\.(?:[\w-]+\.)?[mc]?ts$/.test(path);
}

function isCommonJs(text: string): boolean {
	const code = text.replace(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*/gm, "");
	return /(?<![.\w$])(?:module\s*\.\s*exports\b|require\s*\(|exports\s*\.)/.test(code);
}

class ScriptReader {
	readonly #outline: Outline;
	readonly #isTyped: boolean;

	constructor(outline: Outline, isTyped: boolean) {
		this.#outline = outline;
		this.#isTyped = isTyped;
	}

	statements(nodes: readonly Node[], scope: Scope): void {
		let doc = "";
		for (const node of nodes) {
			if (node.isComment) doc += this.#comment(node);
			else if (node.type !== ";") {
				const text = scope.prefix === "" ? doc : `${doc} `;
				this.#statement(node, scope, { nodes: [], text, see: () => {} });
				doc = "";
			}
		}
	}

	/** Reads a comment between two statements, and returns what of it belongs to the second one. */
	#comment(node: Node): string {
		const outline = this.#outline;
		if (/^\/\/\/\s*</.test(node.text)) outline.rest.push(node.text);
		const kept = outline.comment(node);
		for (const [, name = ""] of kept?.matchAll(typedefs) ?? []) {
			outline.declare({ path: name, context: kept ?? "" });
			outline.see(name);
		}
		return kept ?? "";
	}

	#statement(node: Node, scope: Scope, before: Before): void {
		switch (node.type) {
			case "import_statement":
				return void readImport(this.#outline, node);
			case "import_alias":
				return void this.#alias(node, scope, before);
			case "export_statement":
				return void this.#exported(node, scope, before);
			default:
				return void this.#declaration(node, scope, before);
		}
	}

	#exported(node: Node, scope: Scope, { text }: Before): void {
		const outline = this.#outline;
		const nodes = node.children.filter(({ type }) => type === "decorator");
		if (node.first("export_clause", "namespace_export", "*")) return void readExportList(outline, node);
		const name = node.first("namespace") && node.first("identifier");
		if (name) {
			outline.declare({ path: "export as namespace", names: [name.text], nodes: [node], everywhere: true });
			return void outline.see(name.text);
		}
		const outside = node.first("default") ? "default" : undefined;
		const see = (own: string) => outline.see(own, outside);
		const declaration = node.child("declaration");
		// Within a namespace the word is a part of what is seen; at the top level the list of names says the same.
		const word = scope.prefix === "" ? "" : "export";
		if (declaration) return void this.#declaration(declaration, scope, { nodes, text: `${text} ${word}`, see });
		const value = node.child("value") ?? node.named.at(-1);
		if (!value) return;
		if (value.type === "class" || functions.includes(value.type)) {
			const body = value.child("body");
			if (value.type === "class") return void this.#class(value, scope, { nodes, text, see });
			if (body && node.source[value.start] === "f") return void this.#function(value, scope, { nodes, text, see });
		}
		if (value.type === "identifier") return void outline.see(value.text, "default");
		const own = scope.owner ?? anonymous;
		const { everywhere } = scope;
		outline.declare({ path: `${scope.prefix}default`, names: [own], nodes: [value], context: text, everywhere });
		outline.see(own, "default");
	}

	#declaration(node: Node, scope: Scope, before: Before): void {
		const inner = node.type === "expression_statement" ? node.first("internal_module", "module") : undefined;
		if (inner) return void this.#declaration(inner, scope, before);
		switch (node.type) {
			case "function_declaration":
			case "generator_function_declaration":
			case "function_signature":
				return void this.#function(node, scope, before);
			case "class_declaration":
			case "abstract_class_declaration":
				return void this.#class(node, scope, before);
			case "interface_declaration":
			case "enum_declaration":
			case "type_alias_declaration":
				return void this.#entry(node, node.child("name"), scope, before, { nodes: [node], merges: true });
			case "lexical_declaration":
			case "variable_declaration":
				return void this.#variables(node, scope, before);
			case "internal_module":
			case "module":
				return void this.#namespace(node, scope, before);
			case "import_alias":
				return void this.#alias(node, scope, before);
			case "ambient_declaration":
				return void this.#ambient(node, scope, before);
			default:
				return void this.#other(node, scope);
		}
	}

	/** Declares something by the name that it has in its scope. */
	#entry(node: Node, name: Node | undefined, scope: Scope, before: Before, entry: Omit<Entry, "path">): void {
		const names = this.#named(name, scope, before);
		this.#outline.declare({
			path: `${scope.prefix}${name?.text ?? anonymous}`,
			names,
			name,
			everywhere: scope.everywhere,
			context: before.text,
			...entry,
			nodes: [...before.nodes, ...(entry.nodes ?? [node])],
		});
	}

	#named(name: Node | undefined, { owner, everywhere }: Scope, { see }: Before): string[] {
		const own = owner ?? name?.text ?? anonymous;
		see(own);
		if (everywhere) this.#outline.see(own);
		return [own];
	}

	#function(node: Node, scope: Scope, before: Before): void {
		this.#entry(node, node.child("name"), scope, before, this.#bodyOf(node, false));
	}

	/**
	 * Which parts of a function are not visible for sure. `isHidden`: what stands in its body is nobody's affair though it
	 * says no return type.
	 */
	#bodyOf(node: Node, isHidden: boolean): Pick<Entry, "hidden" | "inferred"> {
		const body = node.child("body");
		if (!body) return {};
		if (node.child("return_type") || isHidden) return { hidden: [body] };
		return isSeenInside(body) ? {} : { inferred: [body] };
	}

	#class(node: Node, scope: Scope, before: Before): void {
		const body = node.child("body");
		const { everywhere } = scope;
		const name = node.child("name");
		this.#entry(node, name, scope, before, { hidden: [body], merges: everywhere });
		const path = `${scope.prefix}${name?.text ?? anonymous}`;
		const names = [scope.owner ?? name?.text ?? anonymous];
		let nodes: Node[] = [];
		for (const member of body?.children ?? []) {
			if (member.type === "decorator" || (member.isComment && this.#outline.comment(member))) nodes.push(member);
			else if (member.isNamed && !member.isComment) {
				this.#member(member, nodes, { path, names, everywhere });
				nodes = [];
			}
		}
	}

	#member(node: Node, before: readonly Node[], owner: Required<Pick<Entry, "path" | "names" | "everywhere">>): void {
		const nodes = [...before, node];
		if (node.type === "class_static_block") {
			// Without types a static block may declare a property.
			if (!this.#isTyped) this.#outline.declare({ ...owner, path: `${owner.path}.static`, nodes });
			return;
		}
		const name = node.child("name") ?? node.child("property");
		const entry = { ...owner, name, nodes, path: `${owner.path}.${name?.text ?? "[]"}` };
		if (node.child("parameters")) {
			const isSilent = node.first("set") !== undefined || name?.text === "constructor";
			return void this.#outline.declare({ ...entry, ...this.#bodyOf(node, this.#isTyped && isSilent) });
		}
		const value = node.child("value");
		this.#outline.declare({ ...entry, ...(node.child("type") ? { hidden: afterEquals(node) } : this.#valueOf(value)) });
	}

	/** What is not visible for sure of the initial value of something that does not say its type. */
	#valueOf(value: Node | undefined): Pick<Entry, "hidden" | "inferred"> {
		if (!value) return {};
		if (functions.includes(value.type)) return this.#bodyOf(value, false);
		return isSeenInside(value) ? {} : { inferred: [value] };
	}

	#variables(node: Node, scope: Scope, before: Before): void {
		const keyword = node.children.filter(({ isNamed, text }) => !isNamed && text !== "," && text !== ";");
		for (const declarator of node.children.filter(({ type }) => type === "variable_declarator")) {
			const name = declarator.child("name");
			const value = declarator.child("value");
			const required = isRequire(value);
			if (name?.type === "identifier") {
				const parts = declarator.child("type") ? { hidden: afterEquals(declarator) } : this.#valueOf(value);
				const nodes = required ? [declarator] : [...keyword, declarator];
				this.#entry(node, name, scope, before, required ? { nodes, takes: "any" } : { nodes, ...parts });
				continue;
			}
			for (const bound of name?.allOf("identifier", "shorthand_property_identifier_pattern") ?? []) {
				if (bound.field === "right" || bound.parent?.type === "member_expression") continue;
				const key = bound.parent?.type === "pair_pattern" ? bound.parent.child("key")?.text : bound.text;
				const nodes = required ? [value] : [...keyword, declarator];
				const taken = required ? { context: `${key} `, takes: new Set([key ?? ""]) } : {};
				this.#entry(node, bound, scope, before, { nodes: nodes as Node[], ...taken, name: undefined });
			}
		}
	}

	#ambient(node: Node, scope: Scope, before: Before): void {
		const block = node.first("statement_block");
		if (block && node.first("global"))
			return void this.statements(block.children, { prefix: "global.", everywhere: true });
		const declaration = node.named[0];
		if (declaration) this.#declaration(declaration, scope, { ...before, text: `${before.text}declare` });
	}

	#namespace(node: Node, scope: Scope, before: Before): void {
		const outline = this.#outline;
		const name = node.child("name");
		const body = node.child("body");
		if (!name) return;
		if (name.type === "string") {
			if (body) return void this.statements(body.children, { prefix: `${name.text}.`, everywhere: true });
			// Of such a module every name is known, and of no type.
			outline.declare({ path: `module ${name.text}`, nodes: [node], everywhere: true });
			return void outline.see(`module ${name.text}`, `* ${name.text}`);
		}
		const first = name.all().find(({ children }) => children.length === 0) ?? name;
		const owner = scope.owner ?? first.text;
		this.#entry(node, first, scope, before, { hidden: [body], merges: true, name: undefined });
		const { everywhere } = scope;
		this.statements(body?.children ?? [], { prefix: `${scope.prefix}${name.text}.`, owner, everywhere });
	}

	#alias(node: Node, scope: Scope, before: Before): void {
		this.#entry(node, node.first("identifier"), scope, before, { takes: new Set(), name: undefined });
	}

	/** Reads a statement that is no declaration. */
	#other(node: Node, { prefix, owner }: Scope): void {
		const outline = this.#outline;
		const assignment = node.type === "expression_statement" ? node.first("assignment_expression") : undefined;
		const left = assignment?.child("left");
		const right = assignment?.child("right");
		const path = left?.type === "member_expression" && /^[\w$.\s]+$/.test(left.text) ? left.text.split(".") : undefined;
		if (node.type === "expression_statement" && node.source.startsWith("using ", node.start) && assignment)
			return void this.#entry(node, left, { prefix, ...(owner ? { owner } : {}), everywhere: false }, nothingBefore, {
				inferred: [right],
			});
		if (left && right && path) {
			const isExports = path[0] === "exports" || (path[0] === "module" && path[1] === "exports");
			if (this.#isTyped || !isExports) {
				// A property that is assigned to a function or a class is one of its members.
				const name = left.child("property");
				const names = [owner ?? path[0] ?? ""];
				return void outline.declare({
					path: path.join("."),
					names,
					name,
					nodes: [assignment],
					...this.#valueOf(right),
				});
			}
			const name = path[path[0] === "exports" ? 1 : 2];
			if (name === undefined) return void this.#wholeExports(right);
			outline.declare({
				path: `exports.${name}`,
				name: left.child("property"),
				nodes: [assignment],
				...this.#valueOf(right),
			});
			return void outline.see(`exports.${name}`, name);
		}
		if (node.type !== "expression_statement")
			for (const declaration of node.allOf("variable_declaration"))
				for (const declarator of declaration.children.filter(({ type }) => type === "variable_declarator"))
					outline.declare({ path: declarator.child("name")?.text ?? "", nodes: [node] });
		// What is done to the exports in a way that nobody reads, importers may see under any name.
		if (this.#isTyped || !node.allOf("identifier").some(({ text }) => text === "exports" || text === "module")) return;
		outline.declare({ path: "exports", nodes: [node] });
		outline.see("exports", "default");
	}

	/** Reads the value of `module.exports`. */
	#wholeExports(value: Node): void {
		const outline = this.#outline;
		const pairs = value.named.map((each): readonly [outside: string, own: string] | undefined => {
			if (each.type === "shorthand_property_identifier") return [each.text, each.text];
			const own = each.child("value");
			return each.type === "pair" && own?.type === "identifier" ? [each.child("key")?.text ?? "", own.text] : undefined;
		});
		if (value.type === "object" && pairs.every((pair) => pair !== undefined))
			for (const [outside, own] of pairs) outline.see(own, outside);
		else if (value.type === "identifier") outline.see(value.text, "default");
		else {
			outline.declare({ path: "module.exports", nodes: [value] });
			outline.see("module.exports", "default");
		}
	}
}

const nothingBefore: Before = { nodes: [], text: "", see: () => {} };
const typedefs = /@(?:typedef|callback)\s+(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?([\w$]+)/g;

/** True if a signature does not tell all of a body: it declares a type, or assigns to `this`, which is a property. */
function isSeenInside(body: Node): boolean {
	return body
		.all()
		.some(
			(node) =>
				namesTypes.includes(node.type) ||
				(node.type === "assignment_expression" && node.child("left")?.child("object")?.type === "this"),
		);
}

/** The initial value of a declaration, with its equals sign. */
function afterEquals(node: Node): Node[] {
	const at = node.children.findIndex(({ type }) => type === "=");
	return at < 0 ? [] : node.children.slice(at);
}

function isRequire(value: Node | undefined): boolean {
	return value?.type === "call_expression" && value.child("function")?.text === "require";
}
