import type { Node } from "./node.ts";
import type { Entry, Outline } from "./outline.ts";

interface Scope {
	readonly prefix: string;
	readonly owner?: string;
	readonly context: string;
}

interface Attached {
	readonly decorators: readonly Node[];
	readonly comments: readonly Node[];
}

/** They may set any name of the module. */
const reflective = new Set(["globals", "setattr", "vars"]);
/** No signature shows the types that they make. */
const makesTypes = new Set(
	(
		"namedtuple NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag NewType TypeVar ParamSpec TypeVarTuple " +
		"TypeAliasType type make_dataclass new_class"
	).split(" "),
);
/** The value decides the type. */
const openAnnotations = new Set(["TypeAlias", "Final", "ClassVar", "InitVar"]);
const clauses = new Set(
	"elif_clause else_clause except_clause except_group_clause finally_clause case_clause".split(" "),
);
const targets = ["identifier", "attribute", "subscript"];

export function readPython(outline: Outline, root: Node): void {
	readStatements(outline, root.children, { prefix: "", context: "" });
	outline.seeAll();
}

function readStatements(outline: Outline, nodes: readonly Node[], scope: Scope): void {
	for (const [index, node] of nodes.entries()) {
		if (!node.isNamed || node.isComment) continue;
		const next = nodes[index + 1];
		const isBehind = next?.isComment && !next.source.slice(node.end, next.start).includes("\n");
		readStatement(outline, node, scope, { decorators: [], comments: isBehind ? [next] : [] });
	}
}

function readStatement(outline: Outline, node: Node, scope: Scope, attached: Attached): void {
	const { decorators, comments } = attached;
	const name = node.child("name");
	switch (node.type) {
		case "decorated_definition": {
			const definition = node.child("definition");
			const own = node.children.filter(({ type }) => type === "decorator");
			if (definition) readStatement(outline, definition, scope, { decorators: own, comments });
			return;
		}
		case "function_definition":
			return void readFunction(outline, node, decorators, scope);
		case "class_definition": {
			const body = node.child("body");
			declare(outline, name, scope, { nodes: [...decorators, node], hidden: [body], name });
			const text = name?.text ?? "";
			const inner = { prefix: `${scope.prefix}${text}.`, owner: scope.owner ?? text, context: "" };
			return void readStatements(outline, body?.children ?? [], inner);
		}
		case "import_statement":
		case "import_from_statement":
			return void readImport(outline, node, scope);
		case "type_alias_statement":
			return void declare(outline, node.child("left")?.allOf("identifier")[0], scope, { nodes: [node] });
		case "delete_statement":
			outline.rest.push(outline.textOf(node));
			return;
		case "expression_statement":
			return void readExpression(outline, node, scope, comments);
		default:
			if (node.first("block", ...clauses)) readBlock(outline, node, scope);
	}
}

function declare(outline: Outline, name: Node | undefined, scope: Scope, entry: Omit<Entry, "path">): void {
	if (!name) return;
	const names = [scope.owner ?? name.text];
	outline.declare({ path: `${scope.prefix}${name.text}`, names, context: scope.context, ...entry });
}

function readFunction(outline: Outline, node: Node, decorators: readonly Node[], scope: Scope): void {
	const name = node.child("name");
	const body = node.child("body");
	if (!name || !body) return;
	const isSeen = body.allOf("class_definition").length > 0;
	const parts = node.child("return_type") ? { hidden: [body] } : isSeen ? {} : { inferred: [body] };
	declare(outline, name, scope, { name, nodes: [...decorators, node], ...parts });
	if (scope.owner !== undefined) return void readAttributes(outline, node, body, scope);
	for (const statement of body.allOf("global_statement"))
		for (const { text } of statement.named) outline.declare({ path: text, nodes: [body] });
}

function readBlock(outline: Outline, node: Node, scope: Scope): void {
	const inner = node.children.filter(({ type }) => type === "block" || clauses.has(type));
	const bound = node.type === "for_statement" ? (node.child("left")?.allOf("identifier") ?? []) : [];
	for (const part of node.children)
		if (!inner.includes(part))
			for (const target of part.allOf("as_pattern_target")) bound.push(...target.allOf("identifier"));
	for (const name of bound)
		if (name.parent?.type !== "attribute") declare(outline, name, scope, { nodes: [node], hidden: inner });
	const context = `${scope.context}${outline.textOf(node, new Set(inner))} : `;
	for (const part of inner)
		if (part.type === "block") readStatements(outline, part.named, { ...scope, context });
		else readBlock(outline, part, { ...scope, context });
}

function readExpression(outline: Outline, node: Node, scope: Scope, comments: readonly Node[]): void {
	const assignment = node.first("assignment", "augmented_assignment");
	const left = assignment?.child("left");
	const right = assignment?.child("right");
	const isSubscript = left?.type === "subscript";
	if (!assignment || !left || (isSubscript && mentions(left, reflective))) {
		const list = node.allOf("identifier").find(({ text }) => text === "__all__");
		if (list) declare(outline, list, scope, { nodes: [node] });
		else if (mentions(node, reflective)) outline.rest.push(outline.textOf(node));
		return;
	}
	const type = assignment.child("type");
	const isName = left.type === "identifier";
	if (left.type === "attribute") {
		const names = [scope.owner ?? left.allOf("identifier")[0]?.text ?? ""];
		const path = `${scope.prefix}${left.text}`;
		return void outline.declare({ path, names, nodes: [node], context: scope.context });
	}
	const nodes = [node, ...comments];
	if (isName && type) {
		const isInferred =
			mentions(type, openAnnotations) && !(type.text.endsWith("]") && !mentions(type, new Set(["TypeAlias"])));
		// It may decide how the class is called.
		const isField = scope.owner !== undefined && right?.type === "call";
		const value = scope.owner === undefined ? "narrowing" : "hidden";
		const parts = isField ? {} : { [isInferred ? "inferred" : value]: [right] };
		return void declare(outline, left, scope, { name: left, nodes, ...parts });
	}
	const isWhole =
		assignment.type !== "assignment" ||
		right === undefined ||
		right.type === "assignment" ||
		left.text.startsWith("__") ||
		mentions(right, makesTypes);
	if (isName && !isWhole)
		return void declare(outline, left, scope, { name: left, nodes: [node], inferred: [right, ...comments] });
	for (const target of targetsOf(assignment))
		if (target.type === "identifier") declare(outline, target, scope, { nodes });
}

function targetsOf(assignment: Node): Node[] {
	const found: Node[] = [];
	const add = (node: Node): void => {
		if (targets.includes(node.type)) found.push(node);
		else for (const child of node.named) add(child);
	};
	for (let each: Node | undefined = assignment; each?.type.endsWith("assignment"); each = each.child("right")) {
		const left = each.child("left");
		if (left) add(left);
	}
	return found;
}

/** Reads `self.total: int = 0`. */
function readAttributes(outline: Outline, method: Node, body: Node, { prefix, owner }: Scope): void {
	const self = method.child("parameters")?.named[0]?.text.replace(/\W.*/s, "") ?? "";
	let locals: ReadonlySet<string> | undefined;
	const give = (target: Node, entry: Omit<Entry, "path">) => {
		const name = target.child("attribute");
		if (target.type !== "attribute" || target.child("object")?.text !== self || !name) return;
		outline.declare({ path: `${prefix}${name.text}`, names: [owner ?? ""], name, ...entry });
	};
	for (const node of body.all()) {
		if (node.type === "as_pattern_target" || (node.type === "for_statement" && node.child("left"))) {
			const left = node.type === "for_statement" ? node.child("left") : node;
			const right = node.type === "for_statement" ? node.child("right") : node.parent;
			for (const target of left?.allOf("attribute") ?? []) give(target, { nodes: [left, right] });
		}
		if (!node.type.endsWith("assignment") || node.parent?.type === "assignment") continue;
		const [left, right] = [node.child("left"), node.child("right")];
		const isPlain = node.type === "assignment" && left?.type === "attribute" && right?.type !== "assignment";
		if (!isPlain) {
			for (const target of targetsOf(node)) give(target, { nodes: [node] });
			continue;
		}
		if (node.child("type")) {
			const equals = node.children.findIndex(({ type }) => type === "=");
			give(left, { nodes: [node], hidden: equals < 0 ? [] : node.children.slice(equals) });
			continue;
		}
		locals ??= localsOf(body);
		const isLocal = right !== undefined && mentions(right, locals);
		give(left, { nodes: [left], inferred: [isLocal ? body : right] });
	}
}

function localsOf(body: Node): ReadonlySet<string> {
	const locals = new Set<string>();
	for (const node of body.all()) {
		const bound = node.type.endsWith("assignment")
			? targetsOf(node)
			: /^(?:for_statement|for_in_clause)$/.test(node.type)
				? (node.child("left")?.allOf("identifier") ?? [])
				: node.type === "as_pattern_target"
					? node.allOf("identifier")
					: /^(?:named_expression|function_definition|class_definition)$/.test(node.type)
						? [node.child("name")]
						: /^import/.test(node.type)
							? node.allOf("identifier")
							: [];
		for (const each of bound) if (each?.type === "identifier") locals.add(each.text);
	}
	return locals;
}

function mentions(node: Node, words: ReadonlySet<string>): boolean {
	return node.allOf("identifier").some(({ text }) => words.has(text));
}

function readImport(outline: Outline, node: Node, scope: Scope): void {
	const bind = (name: string, words: string, takes: ReadonlySet<string> | "any") =>
		outline.declare({
			path: `${scope.prefix}${name}`,
			names: [scope.owner ?? name],
			context: `${scope.context}${words}`,
			takes,
		});
	const module = node.child("module_name");
	const from = `from ${module?.text} import`;
	// `from . import cart` may bind a module.
	if (!module || /^\.+$/.test(module.text)) outline.passesAll = true;
	if (node.first("wildcard_import")) {
		outline.passesAll = true;
		const context = `${scope.context}${from} *`;
		outline.declare({ path: `* ${module?.text}`, context, takes: "any", isSeen: true });
	}
	for (const each of node.children.filter(({ field }) => field === "name")) {
		const name = each.child("name") ?? each;
		const as = each.child("alias")?.text ?? (module ? name.text : (/^\w+/u.exec(name.text)?.[0] ?? name.text));
		if (module) bind(as, `${from} ${name.text}`, new Set([name.text]));
		else bind(as, `import ${each.text}`, "any");
	}
}
