import type { OutlineBuilder } from "./outline.ts";
import { endOfExpression } from "./script-types.ts";
import type { Span, Tokens } from "./tokens.ts";

/** Where some statements stand. */
export interface Scope {
	/** What their paths begin with. */
	readonly prefix: string;
	/** The namespace at the top level that they are a part of. */
	readonly owner?: string | undefined;
	/** True within `declare global` and `declare module "x"`. */
	readonly everywhere: boolean;
}

/** What a declaration without a name is called. */
export const anonymous = "default";

/** One entry of a list in braces: `total as sum`. */
export interface Listed {
	readonly name: string;
	readonly as: string;
	/** The token of the name that it is given. */
	readonly at: number;
	/** `type` or nothing. */
	readonly kind: string;
}

/** Files that are brought in for what they show, and that declare nothing. */
const assets = /\.(?:css|scss|sass|less|styl|svg|png|jpe?g|gif|webp|woff2?)["']$/;

/** The entries of a list in braces that opens at `open`; `colon` is what stands between two names of one. */
export function readList(tokens: Tokens, open: number, between: "as" | ":"): Listed[] {
	const close = tokens.after(open) - 1;
	return tokens.split(open + 1, close).flatMap(([from, end]): Listed[] => {
		const isType = between === "as" && tokens.text(from) === "type" && end - from > 1 && tokens.text(from + 1) !== "as";
		const first = isType ? from + 1 : from;
		const name = tokens.text(first).replace(/^["']|["']$/g, "");
		const last = tokens.text(first + 1) === between ? first + 2 : first;
		const as = tokens.text(last).replace(/^["']|["']$/g, "");
		return [{ name, as, at: last, kind: isType ? "type" : "" }];
	});
}

/** Where a statement ends that ends with the name of a module: behind its attributes and its semicolon. */
export function afterModule(tokens: Tokens, module: number, end: number): number {
	const word = tokens.text(module + 1);
	const hasAttributes = (word === "with" || word === "assert") && tokens.text(module + 2) === "{";
	const at = hasAttributes ? tokens.after(module + 2) : module + 1;
	return tokens.text(at) === ";" && at < end ? at + 1 : at;
}

/** The token with the name of a module in an import or export statement that begins at `from`. */
export function moduleOf(tokens: Tokens, from: number, end: number): number {
	let at = from;
	while (at < end && !tokens.isString(at) && tokens.text(at) !== ";") at = tokens.after(at);
	return at;
}

/** Reads `import ... from "module"`, and returns where it ends. */
export function readImport(builder: OutlineBuilder, from: number, end: number): number {
	const { tokens } = builder;
	const module = moduleOf(tokens, from, end);
	const source = tokens.text(module);
	const last = afterModule(tokens, module, end);
	let at = from + 1;
	const isType =
		tokens.text(at) === "type" &&
		(tokens.text(at + 1) !== "from" || tokens.text(at + 2) === "from") &&
		tokens.text(at + 1) !== ",";
	if (isType) at++;
	// A file that is imported for its effects may declare what everybody sees.
	if (at === module && !assets.test(source)) builder.rest += ` import ${source}`;
	const bind = (name: string, says: string, takes: ReadonlySet<string> | "any", attributes: readonly Span[]) =>
		builder.declare({
			path: name,
			visible: attributes,
			context: `import ${isType ? "type " : ""}${says} from ${source} `,
			takes,
		});
	const attributes: Span[] = module + 1 < last ? [[module + 1, last]] : [];
	for (; at < module; at = tokens.after(at)) {
		const word = tokens.text(at);
		if (word === "*") {
			bind(tokens.text(at + 2), "*", "any", attributes);
			at += 2;
		} else if (word === "{") {
			for (const { name, as, kind } of readList(tokens, at, "as"))
				bind(as, `${kind} ${name}`, new Set([name]), attributes);
		} else if (word === "from") break;
		else if (tokens.isWord(at) && word !== "defer") bind(word, "default", new Set(["default"]), attributes);
	}
	return last;
}

/** Reads `export * from "module"` and `export { ... } [from "module"]` whose star or brace stands at `at`. */
export function readExportList(builder: OutlineBuilder, at: number, end: number, kind: string): number {
	const { tokens } = builder;
	const behind = tokens.text(at) === "{" ? tokens.after(at) : tokens.text(at + 1) === "as" ? at + 3 : at + 1;
	if (tokens.text(behind) !== "from") {
		for (const { name, as } of readList(tokens, at, "as")) builder.see(name, as);
		return tokens.text(behind) === ";" ? behind + 1 : behind;
	}
	const module = moduleOf(tokens, behind, end);
	const pass = (path: string, outside: string, says: string, takes: ReadonlySet<string> | "any") => {
		// No word of the file itself is called like this one: what is passed on is not declared here.
		builder.declare({ path, visible: [], context: `export ${kind} ${says} from ${tokens.text(module)}`, takes });
		builder.see(path, outside);
	};
	if (tokens.text(at) === "{") {
		for (const listed of readList(tokens, at, "as"))
			pass(`export ${listed.as}`, listed.as, `${listed.kind} ${listed.name}`, new Set([listed.name]));
	} else if (behind === at + 3) {
		const name = tokens.text(at + 2).replace(/^["']|["']$/g, "");
		pass(`export ${name}`, name, "*", "any");
	} else pass(`export * ${tokens.text(module)}`, `* ${tokens.text(module)}`, "*", "any");
	return afterModule(tokens, module, end);
}

/** Reads what is exported without a name: `export default value`, `export = value`. */
export function readExportedValue(builder: OutlineBuilder, from: number, end: number, scope: Scope): number {
	const { tokens } = builder;
	const last = endOfExpression(tokens, from, end);
	if (last === from + 1 && tokens.isWord(from)) builder.see(tokens.text(from), "default");
	else {
		builder.declare({
			path: `${scope.prefix}default`,
			names: [scope.owner ?? anonymous],
			visible: [[from, last]],
			everywhere: scope.everywhere,
		});
		builder.see(scope.owner ?? anonymous, "default");
	}
	return last;
}

/** Reads `import shop = require("shop")` and `import Shop = All.Shop`. */
export function readAlias(
	builder: OutlineBuilder,
	from: number,
	end: number,
	scope: Scope,
	isExported: boolean,
): number {
	const { tokens } = builder;
	const last = endOfExpression(tokens, from, end);
	const equals = tokens.find(from, last, "=");
	const name = tokens.text(equals - 1);
	const names = [scope.owner ?? name];
	const takes = tokens.text(equals + 1) === "require" ? ("any" as const) : new Set<string>();
	builder.declare({
		path: `${scope.prefix}${name}`,
		names,
		visible: [[from, last]],
		takes,
		everywhere: scope.everywhere,
	});
	if (isExported) builder.see(names[0] ?? name);
	return last;
}
