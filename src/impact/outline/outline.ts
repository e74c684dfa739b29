import type { Language } from "./languages.ts";
import type { Node } from "./node.ts";
import type { Part } from "./source-file.ts";

export interface Declaration {
	/** Dotted path: `Shop.total`. Overloads share one. */
	readonly path: string;
	readonly names: readonly string[];
	/** Offset of its name; undefined without a signature. */
	readonly at: number | undefined;
	/** However it is formatted. */
	readonly visible: string;
	/** Empty for a declared type. */
	readonly inferred: string;
	/** The value that narrows a declared type where the file uses the name. */
	readonly narrowing: string;
	readonly everywhere: boolean;
	/** Its members are seen without its name. */
	readonly merges: boolean;
	readonly isMacro: boolean;
	readonly takes: ReadonlySet<string> | "any" | undefined;
	readonly mentions: ReadonlySet<string>;
}

export interface Entry {
	readonly path: string;
	readonly names?: readonly string[];
	readonly name?: Node | undefined;
	readonly nodes?: readonly (Node | undefined)[];
	readonly hidden?: readonly (Node | undefined)[];
	readonly inferred?: readonly (Node | undefined)[];
	readonly narrowing?: readonly (Node | undefined)[];
	readonly context?: string;
	readonly everywhere?: boolean;
	readonly merges?: boolean;
	readonly isMacro?: boolean;
	readonly isSeen?: boolean;
	readonly takes?: ReadonlySet<string> | "any";
}

export type Mention = (leaf: Node) => Iterable<string>;

export class Outline {
	readonly language: Language;
	readonly declarations: Declaration[] = [];
	/** Own names by outside name; a star is any name. */
	readonly seen = new Map<string, Set<string>>();
	readonly rest: string[] = [];
	passesAll = false;
	readonly #mention: Mention;
	#start = 0;

	constructor(language: Language, mention: Mention = wordsOf) {
		this.language = language;
		this.#mention = mention;
	}

	enter({ start }: Part): void {
		this.#start = start;
	}

	declare(entry: Entry): void {
		const { path, name, nodes = [], inferred = [], narrowing = [], hidden = [], context = "" } = entry;
		const left = new Set([...inferred, ...narrowing, ...hidden]);
		const mentions = new Set<string>();
		const read = (some: readonly (Node | undefined)[], without: ReadonlySet<Node | undefined>) =>
			some.flatMap((node) => (node && this.textOf(node, without, name, mentions)) || []).join(" ");
		const names = entry.names ?? [path];
		this.declarations.push({
			path,
			names,
			at: name && name.start + this.#start,
			visible: `${context} ${read(nodes, left)}`,
			inferred: read(inferred, new Set(hidden)),
			narrowing: narrowing.map((node) => node && this.textOf(node)).join(" "),
			everywhere: entry.everywhere === true,
			merges: entry.merges === true,
			isMacro: entry.isMacro === true,
			takes: entry.takes,
			mentions,
		});
		for (const [word] of context.matchAll(/(?<=\/\*.*)[\p{L}_$][\p{L}\p{N}_$]*/gsu)) mentions.add(word);
		if (entry.isSeen) for (const each of names) this.see(each);
	}

	see(name: string, outside = name): void {
		const own = this.seen.get(outside);
		if (own) own.add(name);
		else this.seen.set(outside, new Set([name]));
	}

	seeAll(): void {
		for (const { names } of this.declarations) for (const name of names) if (!name.includes(".")) this.see(name);
	}

	keptComment(node: Node): string | undefined {
		return this.language.kept.test(node.text) ? node.text.replace(/\s*\n[\s*]*/g, " ") : undefined;
	}

	/** Adds words other than `name` to `mentions`. */
	textOf(node: Node, without?: ReadonlySet<Node | undefined>, name?: Node, mentions?: Set<string>): string {
		const words: string[] = [];
		const add = (each: Node): void => {
			if (without?.has(each) || each.type === ";" || isProse(each)) return;
			if (each.isComment) {
				const kept = this.keptComment(each);
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
			// A bare `return` ends at the line.
			if (each.type.endsWith("_statement")) words.push(";");
		};
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

function isType({ type, parent }: Node): boolean {
	if (type !== "string_content") return false;
	for (let above = parent; above; above = above.parent) if (above.type === "type") return true;
	return false;
}

function isProse({ type, children }: Node): boolean {
	return (
		type === "expression_statement" &&
		children.length === 1 &&
		/^(?:concatenated_)?string$/.test(children[0]?.type ?? "")
	);
}

export function wordsOf({ text }: Node): Iterable<string> {
	return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}
