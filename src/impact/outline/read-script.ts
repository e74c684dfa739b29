import type { Node } from "./node.ts";
import type { Entry, Outline } from "./outline.ts";
import { readExportList, readImport } from "./script-imports.ts";

interface Scope {
	readonly prefix: string;
	readonly owner?: string;
	/** Within `declare global` and `declare module "x"`. */
	readonly everywhere: boolean;
}

interface DeclarationScope extends Scope {
	readonly before: readonly Node[];
	readonly text: string;
	readonly see: (name: string) => void;
}

const anonymous = "default";
/** Signatures do not show their members. */
const typeDeclarations = ["class", "enum", "interface", "class_declaration", "abstract_class_declaration"];
const wholeTypes = ["array_type", "function_type", "literal_type", "object_type", "readonly_type", "tuple_type"];
const functions = ["arrow_function", "function_expression", "generator_function"];

export function isModuleFile(path: string): boolean {
	return /\.[mc][jt]s$/.test(path) && !isDeclarations(path);
}

export function scriptReader(path: string, text: string, isModule: boolean): (outline: Outline, root: Node) => void {
	const seesAll = !isModule || isDeclarations(path) || isCommonJs(path, text);
	return (outline, root) => {
		new ScriptReader(outline, isTyped(path)).statements(root.children, { prefix: "", everywhere: false });
		if (seesAll) outline.seeAll();
	};
}

function isTyped(path: string): boolean {
	return /\.[mc]?tsx?$/.test(path);
}

/** A declaration file exports everything. */
function isDeclarations(path: string): boolean {
	return /\.d\.(?:[\w-]+\.)?[mc]?ts$/.test(path);
}

export function isCommonJs(path: string, text: string): boolean {
	if (isTyped(path)) return false;
	const code = text.replace(/\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|^[ \t]*\/\/.*/gm, (found) =>
		// A string may hold `src/*`.
		found.startsWith("/*") && !found.endsWith("*/") ? found.replace(/^[ \t]*\/\/.*/gm, "") : "",
	);
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
				this.#statement(node, unexported(scope, scope.prefix === "" ? doc : `${doc} `));
				doc = "";
			}
		}
	}

	#comment(node: Node): string {
		const outline = this.#outline;
		if (/^\/\/\/\s*</.test(node.text)) outline.rest.push(node.text);
		const kept = outline.keptComment(node) ?? "";
		for (const [, name = ""] of kept.matchAll(typedefs)) outline.declare({ path: name, context: kept, isSeen: true });
		return kept;
	}

	#statement(node: Node, at: DeclarationScope): void {
		if (node.type === "import_statement") readImport(this.#outline, node);
		else if (node.type === "export_statement") this.#exported(node, at);
		else this.#declaration(node, at);
	}

	#exported(node: Node, at: DeclarationScope): void {
		const outline = this.#outline;
		if (node.first("export_clause", "namespace_export", "*")) return void readExportList(outline, node);
		const name = node.first("namespace") && node.first("identifier");
		if (name) {
			const entry = { path: "export as namespace", names: [name.text], nodes: [node], everywhere: true, isSeen: true };
			return void outline.declare(entry);
		}
		const outside = node.first("default") ? "default" : undefined;
		const see = (own: string) => outline.see(own, outside);
		const before = node.children.filter(({ type }) => type === "decorator");
		const declaration = node.child("declaration");
		const word = at.prefix === "" ? "" : "export";
		if (declaration) return void this.#declaration(declaration, { ...at, before, text: `${at.text} ${word}`, see });
		const value = node.child("value") ?? node.named.at(-1);
		if (!value) return;
		if (value.type === "class") return void this.#class(value, { ...at, before, see });
		if (functions.includes(value.type) && value.child("body") && node.source[value.start] === "f")
			return void this.#function(value, { ...at, before, see });
		if (value.type === "identifier") return void outline.see(value.text, "default");
		const own = at.owner ?? anonymous;
		const { everywhere, text } = at;
		outline.declare({ path: `${at.prefix}default`, names: [own], nodes: [value], context: text, everywhere });
		outline.see(own, "default");
	}

	#declaration(node: Node, at: DeclarationScope): void {
		switch (node.type) {
			case "function_declaration":
			case "generator_function_declaration":
			case "function_signature":
				return void this.#function(node, at);
			case "class_declaration":
			case "abstract_class_declaration":
				return void this.#class(node, at);
			case "interface_declaration":
			case "enum_declaration":
				return void this.#declare(node, node.child("name"), at, { merges: true, name: undefined });
			case "type_alias_declaration":
				return void this.#declare(node, node.child("name"), at, { merges: true });
			case "lexical_declaration":
			case "variable_declaration":
				return void this.#variables(node, at);
			case "internal_module":
			case "module":
				return void this.#namespace(node, at);
			case "import_alias":
				return void this.#declare(node, node.first("identifier"), at, { takes: new Set(), name: undefined });
			case "ambient_declaration":
				return void this.#ambient(node, at);
			default: {
				const inner = node.type === "expression_statement" ? node.first("internal_module", "module") : undefined;
				if (inner) this.#namespace(inner, at);
				else this.#other(node, at);
			}
		}
	}

	#declare(node: Node, name: Node | undefined, at: DeclarationScope, entry: Omit<Entry, "path">): void {
		const own = at.owner ?? name?.text ?? anonymous;
		at.see(own);
		if (at.everywhere) this.#outline.see(own);
		this.#outline.declare({
			path: `${at.prefix}${name?.text ?? anonymous}`,
			names: [own],
			name,
			everywhere: at.everywhere,
			context: at.text,
			...entry,
			nodes: [...at.before, ...(entry.nodes ?? [node])],
		});
	}

	#function(node: Node, at: DeclarationScope): void {
		this.#declare(node, node.child("name"), at, bodyOf(node));
	}

	#class(node: Node, at: DeclarationScope): void {
		const body = node.child("body");
		const { everywhere } = at;
		const name = node.child("name");
		this.#declare(node, name, at, { hidden: [body], merges: everywhere });
		const path = `${at.prefix}${name?.text ?? anonymous}`;
		const names = [at.owner ?? name?.text ?? anonymous];
		let before: Node[] = [];
		for (const member of body?.children ?? []) {
			if (member.type === "decorator" || (member.isComment && this.#outline.keptComment(member))) before.push(member);
			else if (member.isNamed && !member.isComment) {
				this.#member(member, { path, names, everywhere, nodes: [...before, member] });
				before = [];
			}
		}
	}

	#member(node: Node, entry: Entry): void {
		if (node.type === "class_static_block") {
			// Without types a static block may declare a property.
			if (!this.#isTyped) this.#outline.declare({ ...entry, path: `${entry.path}.static` });
			return;
		}
		const name = node.child("name") ?? node.child("property");
		const isSilent = this.#isTyped && (node.first("set") !== undefined || name?.text === "constructor");
		const parts = node.child("parameters")
			? bodyOf(node, isSilent)
			: node.child("type")
				? { hidden: afterEquals(node) }
				: partsOfValue(node.child("value"));
		this.#outline.declare({ ...entry, name, path: `${entry.path}.${name?.text ?? "[]"}`, ...parts });
	}

	#variables(node: Node, at: DeclarationScope): void {
		const keyword = node.children.filter(({ isNamed, text }) => !isNamed && text !== "," && text !== ";");
		for (const declarator of node.children.filter(({ type }) => type === "variable_declarator")) {
			const name = declarator.child("name");
			const value = declarator.child("value");
			const isRequired = isRequire(value);
			if (name?.type === "identifier") {
				const type = declarator.child("type");
				const parts = type
					? { [mayBeNarrowed(type, value) ? "narrowing" : "hidden"]: afterEquals(declarator) }
					: partsOfValue(value);
				const nodes = [...keyword, declarator];
				this.#declare(node, name, at, isRequired ? { nodes: [declarator], takes: "any" } : { nodes, ...parts });
				continue;
			}
			for (const bound of name?.allOf("identifier", "shorthand_property_identifier_pattern") ?? []) {
				if (bound.field === "right" || bound.parent?.type === "member_expression") continue;
				const key = (bound.parent?.type === "pair_pattern" ? bound.parent.child("key")?.text : bound.text) ?? "";
				const entry = isRequired
					? { nodes: [value], context: `${key} `, takes: new Set([key]) }
					: { nodes: [...keyword, declarator] };
				this.#declare(node, bound, at, { ...entry, name: undefined });
			}
		}
	}

	#ambient(node: Node, at: DeclarationScope): void {
		const block = node.first("statement_block");
		if (block && node.first("global"))
			return void this.statements(block.children, { prefix: "global.", everywhere: true });
		const declaration = node.named[0];
		if (declaration) this.#declaration(declaration, { ...at, text: `${at.text}declare` });
	}

	#namespace(node: Node, at: DeclarationScope): void {
		const outline = this.#outline;
		const name = node.child("name");
		const body = node.child("body");
		if (!name) return;
		if (name.type === "string") {
			if (body) return void this.statements(body.children, { prefix: `${name.text}.`, everywhere: true });
			// Such a module has every name, of no type.
			outline.declare({ path: `module ${name.text}`, nodes: [node], everywhere: true });
			return void outline.see(`module ${name.text}`, `* ${name.text}`);
		}
		const first = name.all().find(({ children }) => children.length === 0) ?? name;
		this.#declare(node, first, at, { hidden: [body], merges: true, name: undefined });
		const { everywhere, owner = first.text } = at;
		this.statements(body?.children ?? [], { prefix: `${at.prefix}${name.text}.`, owner, everywhere });
	}

	#other(node: Node, { prefix, owner }: Scope): void {
		const outline = this.#outline;
		const isExpression = node.type === "expression_statement";
		const assignment = isExpression ? node.first("assignment_expression") : undefined;
		const left = assignment?.child("left");
		const right = assignment?.child("right");
		if (assignment && node.source.startsWith("using ", node.start)) {
			const scope = { prefix, ...(owner === undefined ? {} : { owner }), everywhere: false };
			return void this.#declare(node, left, unexported(scope, ""), { inferred: [right] });
		}
		const path = left?.type === "member_expression" && /^[\w$.\s]+$/.test(left.text) ? left.text.split(".") : undefined;
		if (left && right && path) {
			const entry = { name: left.child("property"), nodes: [assignment], ...partsOfValue(right) };
			const isExports = path[0] === "exports" || (path[0] === "module" && path[1] === "exports");
			if (this.#isTyped || !isExports)
				return void outline.declare({ path: path.join("."), names: [owner ?? path[0] ?? ""], ...entry });
			const name = path[path[0] === "exports" ? 1 : 2];
			if (name === undefined) return void this.#wholeExports(right);
			outline.declare({ path: `exports.${name}`, ...entry });
			return void outline.see(`exports.${name}`, name);
		}
		if (!isExpression)
			for (const declaration of node.allOf("variable_declaration"))
				for (const declarator of declaration.children.filter(({ type }) => type === "variable_declarator"))
					outline.declare({ path: declarator.child("name")?.text ?? "", nodes: [node] });
		if (this.#isTyped || !node.allOf("identifier").some(({ text }) => text === "exports" || text === "module")) return;
		outline.declare({ path: "exports", nodes: [node] });
		outline.see("exports", "default");
	}

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

const typedefs = /@(?:typedef|callback)\s+(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?([\w$]+)/g;

function unexported(scope: Scope, text: string): DeclarationScope {
	return { ...scope, before: [], text, see: () => {} };
}

function bodyOf(node: Node, isSilent = false): Pick<Entry, "hidden" | "inferred"> {
	const body = node.child("body");
	if (!body) return {};
	if (node.child("return_type") || isSilent) return { hidden: [body] };
	return isSeenInside(body) ? {} : { inferred: [body] };
}

function partsOfValue(value: Node | undefined): Pick<Entry, "hidden" | "inferred"> {
	if (!value) return {};
	if (functions.includes(value.type)) return bodyOf(value);
	return isSeenInside(value) ? {} : { inferred: [value] };
}

/** Signatures do not show types in a body, nor assignments to `this`. */
function isSeenInside(body: Node): boolean {
	return body
		.all()
		.some(
			(node) =>
				typeDeclarations.includes(node.type) ||
				(node.type === "assignment_expression" && node.child("left")?.child("object")?.type === "this"),
		);
}

function afterEquals(node: Node): Node[] {
	const at = node.children.findIndex(({ type }) => type === "=");
	return at < 0 ? [] : node.children.slice(at);
}

/** A value narrows a union, also one behind a name. */
function mayBeNarrowed({ named: [type] }: Node, value: Node | undefined): boolean {
	if (!type || functions.includes(value?.type ?? "")) return false;
	if (type.type === "predefined_type") return type.text === "boolean";
	return !wholeTypes.includes(type.type) && !/^(?:Readonly)?(?:Array|Map|Set)<|^Record</.test(type.text);
}

function isRequire(value: Node | undefined): boolean {
	return value?.type === "call_expression" && value.child("function")?.text === "require";
}
