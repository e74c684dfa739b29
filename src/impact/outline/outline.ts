import type { Language } from "./languages.ts";
import type { Part } from "./parts.ts";
import type { Node } from "./syntax.ts";

export interface Declaration {
	/** Dotted: `Shop.total`. Several may share one: overloads, merged declarations. */
	readonly path: string;
	/** The names at the file's top level that it is a part of. */
	readonly names: readonly string[];
	/** Where its name stands: a UTF-16 offset; undefined where no signature can be asked for. */
	readonly at: number | undefined;
	/** What others see for sure, the same however it is formatted. */
	readonly visible: string;
	/** What its type is inferred from, if it does not say its type. */
	readonly inferred: string;
	/** True if it is seen by files that do not import its own. */
	readonly everywhere: boolean;
	/** True if others may see its members without its name. */
	readonly merges: boolean;
	/** True for a macro: whoever names it has its text. */
	readonly isMacro: boolean;
	/** The names of other files that it stands for; "any" of a whole module. */
	readonly takes: ReadonlySet<string> | "any" | undefined;
	/** The words that its type may follow from. */
	readonly mentions: ReadonlySet<string>;
}

/** What is declared, in terms of the syntax tree. */
export interface Entry {
	readonly path: string;
	readonly names?: readonly string[];
	/** The node with its name. */
	readonly name?: Node | undefined;
	/** What is visible of it, but for what is in `hidden` and `inferred`. */
	readonly nodes?: readonly (Node | undefined)[];
	readonly hidden?: readonly (Node | undefined)[];
	readonly inferred?: readonly (Node | undefined)[];
	/** What is visible beside the nodes: the condition that it stands under, say. */
	readonly context?: string;
	readonly everywhere?: boolean;
	readonly merges?: boolean;
	readonly isMacro?: boolean;
	readonly takes?: ReadonlySet<string> | "any";
}

/** The words that one leaf of a syntax tree mentions. */
export type Mention = (leaf: Node) => Iterable<string>;

/** Gathers what some statements declare. */
export class Outline {
	readonly language: Language;
	readonly declarations: Declaration[] = [];
	/** The names that other files call the file's own by. A star stands for names that the text does not say. */
	readonly seen = new Map<string, Set<string>>();
	/** What may change all names at once if it differs. */
	readonly rest: string[] = [];
	/** True if the file gives its importers the names of what it imports, without saying so. */
	passesAll = false;
	readonly #mention: Mention;
	#start = 0;

	constructor(language: Language, mention: Mention = wordsOf) {
		this.language = language;
		this.#mention = mention;
	}

	/** What follows is declared in a part of the text. */
	enter({ start }: Part): void {
		this.#start = start;
	}

	declare(entry: Entry): void {
		const { path, name, nodes = [], inferred = [], hidden = [], context = "" } = entry;
		const left = new Set([...inferred, ...hidden]);
		const mentions = new Set<string>();
		const read = (some: readonly (Node | undefined)[], without: ReadonlySet<Node | undefined>) =>
			some.flatMap((node) => (node && this.said(node, without, name, mentions)) || []).join(" ");
		this.declarations.push({
			path,
			names: entry.names ?? [path],
			at: name && name.start + this.#start,
			visible: `${context} ${read(nodes, left)}`,
			inferred: read(inferred, new Set(hidden)),
			everywhere: entry.everywhere === true,
			merges: entry.merges === true,
			isMacro: entry.isMacro === true,
			takes: entry.takes,
			mentions,
		});
		for (const [word] of context.matchAll(/(?<=\/\*.*)[\p{L}_$][\p{L}\p{N}_$]*/gsu)) mentions.add(word);
	}

	/** Says that other files see one of the file's own names, as it is or as `outside`. */
	see(name: string, outside = name): void {
		const own = this.seen.get(outside);
		if (own) own.add(name);
		else this.seen.set(outside, new Set([name]));
	}

	/** As above, of all that is declared. */
	seeAll(): void {
		for (const { names } of this.declarations) for (const name of names) if (!name.includes(".")) this.see(name);
	}

	/** A comment that counts, in one line; undefined for any other. */
	comment(node: Node): string | undefined {
		return this.language.kept.test(node.text) ? node.text.replace(/\s*\n[\s*]*/g, " ") : undefined;
	}

	/** The text of a node, the same however it is formatted. What it mentions, but for `name`, is added to `mentions`. */
	said(node: Node, without?: ReadonlySet<Node | undefined>, name?: Node, mentions?: Set<string>): string {
		const words: string[] = [];
		const add = (each: Node): void => {
			if (without?.has(each) || each.type === ";" || isProse(each)) return;
			if (each.isComment) {
				const kept = this.comment(each);
				if (kept !== undefined) words.push(kept);
				for (const [word] of mentions && kept !== undefined ? kept.matchAll(/[\w$]+/g) : []) mentions?.add(word);
				if (kept?.includes("import(")) mentions?.add("import()");
				return;
			}
			if (each.children.length === 0) {
				words.push(each.type === "jsx_text" ? each.text.replace(/\s+/g, " ").trim() : each.text);
				if (mentions && each !== name && (!isQuoted(each) || isType(each)))
					for (const word of this.#mention(each)) mentions.add(word);
				return;
			}
			// How deep a line is indented says in Python what braces say elsewhere.
			const isIndented = each.type === "block" && each.children[0]?.type !== "{";
			if (isIndented) words.push("{");
			let end = each.start;
			for (const child of each.children) {
				gap(each, end, child.start);
				end = Math.max(end, child.end);
				add(child);
			}
			gap(each, end, each.end);
			if (isIndented) words.push("}");
			// `return` on a line of its own is another statement than with a value.
			if (each.type.endsWith("_statement")) words.push(";");
		};
		/** Text that belongs to no child. */
		const gap = (each: Node, from: number, to: number) => {
			const text = to > from ? each.source.slice(from, to) : "";
			if (isQuoted(each) ? text !== "" : text.trim() !== "") words.push(text);
		};
		add(node);
		return words.filter((word) => word !== "").join(" ");
	}
}

function isQuoted({ type }: Node): boolean {
	return /string|char|template_(?:string|literal)|regex|rune/.test(type) && type !== "string";
}

/** True for what is quoted in a type of Python: it may name what is declared later. */
function isType({ type, parent }: Node): boolean {
	if (type !== "string_content") return false;
	for (let above = parent; above; above = above.parent) if (above.type === "type") return true;
	return false;
}

/** True for a text that stands alone as a statement: a docstring. */
function isProse({ type, children }: Node): boolean {
	return (
		type === "expression_statement" &&
		children.length === 1 &&
		/^(?:concatenated_)?string$/.test(children[0]?.type ?? "")
	);
}

/** All words of a leaf. */
export function wordsOf({ text }: Node): Iterable<string> {
	return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}
