import { WantedNames } from "./identifier-filter.ts";
import type { Language } from "./languages.ts";
import type { Node } from "./node.ts";
import { type Declaration, Outline } from "./outline.ts";
import { cReader } from "./read-c.ts";
import { readGo } from "./read-go.ts";
import { readPython } from "./read-python.ts";
import { readRust } from "./read-rust.ts";
import { isCommonJs, isModuleFile, scriptReader } from "./read-script.ts";
import { scriptMentions } from "./script-mentions.ts";
import type { Parser } from "./syntax.ts";

const maxUnits = 2_000_000;
/** For one file. */
const maxMs = 3_000;
/** In others, as in values, a body may decide what is inferred. */
const declaring = /_(?:declaration|declarator|definition|item|list)$|^(?:export_statement|class_body|arrow_function)$/;
const goesOn = /[=(,[{|&?:+.]\s*$/;

export interface Part {
	readonly text: string;
	/** UTF-16 offset in the whole text. */
	readonly start: number;
}

interface VisiblePart {
	readonly part: Part;
	/** Without the hidden bodies of its declarations. */
	readonly text: string;
}

export class NotUnderstood extends Error {}

/** Throws NotUnderstood. */
type Parse = (part: string, shown: string) => Node;

export interface Understanding {
	readonly parse: Parse;
	readonly isWhole: boolean;
	readonly turn: () => Promise<void>;
}

interface Reader {
	readonly outline: Outline;
	readonly read: (outline: Outline, root: Node) => void;
}

export class SourceFile {
	readonly parts: readonly Part[];
	readonly isThere: boolean;
	/** Visible without an import. */
	readonly isGlobal: boolean;
	readonly #path: string;
	readonly #text: string;
	readonly #language: Language;
	readonly #parse: Parse;
	readonly #shown: string;
	readonly #turn: () => Promise<void>;
	readonly #roots = new Map<Part, Node>();
	readonly #declared = new Set<Part>();
	#knownReader: Reader | undefined;
	#mentioning: ReadonlyMap<string, Declaration[]> | undefined;

	constructor(path: string, given: string | undefined, language: Language, { parse, isWhole, turn }: Understanding) {
		const text = given ?? "";
		if (text.length > maxUnits) throw new NotUnderstood();
		this.#path = path;
		this.#text = text;
		this.#language = language;
		this.#parse = parse;
		this.#turn = turn;
		this.#shown = language.shown?.(text) ?? text;
		this.isThere = given !== undefined;
		this.parts = !this.isThere ? [] : isWhole ? [{ text, start: 0 }] : partsOf(text, this.#shown, language);
		// Rust names items by path, methods by name.
		this.isGlobal = this.isThere && (language.family === "rust" || this.#isPlainScript());
	}

	get outline(): Outline {
		return this.#reader.outline;
	}

	/** Rejects with NotUnderstood. */
	async read(part: Part): Promise<boolean> {
		if (this.#declared.has(part)) return false;
		this.#declared.add(part);
		await this.#turn();
		const root = this.#rootOf(part);
		const { outline, read } = this.#reader;
		this.#mentioning = undefined;
		outline.enter(part);
		read(outline, root);
		return true;
	}

	/** Rejects with NotUnderstood. */
	async visibleParts(texts: ReadonlySet<string>): Promise<VisiblePart[]> {
		const visible: VisiblePart[] = [];
		for (const part of this.parts) {
			if (!texts.has(part.text)) continue;
			await this.#turn();
			visible.push({ part, text: this.#withoutBodies(part) });
		}
		return visible;
	}

	async readWith(names: ReadonlySet<string>): Promise<boolean> {
		if (names.size === 0) return false;
		const wanted = new WantedNames(names);
		let isMore = false;
		for (const part of this.parts) {
			if (this.#declared.has(part)) continue;
			if (wanted.in(part.text).size > 0) isMore = (await this.read(part)) || isMore;
		}
		return isMore;
	}

	async readImports(): Promise<void> {
		for (const part of this.parts) if (this.#language.imports.test(part.text)) await this.read(part);
	}

	async readAll(): Promise<void> {
		for (const part of this.parts) await this.read(part);
	}

	mentioning(): ReadonlyMap<string, Declaration[]> {
		if (this.#mentioning) return this.#mentioning;
		const found = new Map<string, Declaration[]>();
		for (const declaration of this.outline.declarations)
			for (const word of declaration.mentions) {
				const known = found.get(word);
				if (known) known.push(declaration);
				else found.set(word, [declaration]);
			}
		this.#mentioning = found;
		return found;
	}

	get #reader(): Reader {
		this.#knownReader ??= readerOf(this.#path, this.#text, this.#language, !this.isGlobal);
		return this.#knownReader;
	}

	#isPlainScript(): boolean {
		if (this.#language.family !== "script") return false;
		return !isModuleFile(this.#path) && !this.#hasModuleStatement() && !isCommonJs(this.#path, this.#text);
	}

	#hasModuleStatement(): boolean {
		for (const part of this.parts) {
			if (!/\b(?:import|export)\b/.test(part.text)) continue;
			for (const { type } of this.#rootOf(part).children)
				if (type === "import_statement" || type === "export_statement") return true;
		}
		return false;
	}

	#withoutBodies(part: Part): string {
		const texts: string[] = [];
		let from = 0;
		const cut = (node: Node) => {
			for (const child of node.children)
				if (child.field === "body" && this.#language.isHidden?.(child)) {
					texts.push(part.text.slice(from, child.start));
					from = child.end;
				} else if (declaring.test(child.type)) cut(child);
		};
		cut(this.#rootOf(part));
		return [...texts, part.text.slice(from)].join("{}");
	}

	#rootOf(part: Part): Node {
		const root =
			this.#roots.get(part) ?? this.#parse(part.text, this.#shown.slice(part.start, part.start + part.text.length));
		this.#roots.set(part, root);
		return root;
	}
}

/** A wrong cut makes a syntax error. Only comments with types stay between parts. */
export function partsOf(text: string, shown: string, { skipped, begins, readsComments }: Language): Part[] {
	const parts: Part[] = [];
	const places = new RegExp(`${skipped.source}|^(?=${begins.source})`, "gm");
	let from = 0;
	let comments: number | undefined;
	let last = 0;
	let isPrefix = false;
	for (let found = places.exec(shown); found; found = places.exec(shown)) {
		const at = found.index;
		const isAfterComments = comments !== undefined && shown.slice(last, at).trim() === "";
		if (found[0] === "") {
			places.lastIndex++;
			const cut = isAfterComments && comments !== undefined ? comments : at;
			if (!isPrefix && cut > from && !goesOn.test(shown.slice(Math.max(from, cut - 80), cut))) {
				parts.push({ text: text.slice(from, cut), start: from });
				from = readsComments ? cut : at;
			}
			isPrefix = shown[at] === "@" || shown[at] === "#";
			comments = undefined;
		} else {
			const isComment = /^(?:\/[/*]|#)/.test(found[0]);
			if (!isComment) comments = undefined;
			else if (!isAfterComments) comments = isFirstOfLine(text, at, last) ? at : undefined;
		}
		last = at + found[0].length;
	}
	parts.push({ text: text.slice(from), start: from });
	return parts;
}

function isFirstOfLine(text: string, at: number, from: number): boolean {
	const gap = text.slice(from, at);
	const isBegun = gap.includes("\n") || from === 0 || text[from - 1] === "\n";
	return isBegun && gap.slice(gap.lastIndexOf("\n") + 1).trim() === "";
}

function readerOf(path: string, text: string, language: Language, isModule: boolean): Reader {
	switch (language.family) {
		case "script":
			return { outline: new Outline(language, scriptMentions(text)), read: scriptReader(path, text, isModule) };
		case "python":
			return { outline: new Outline(language), read: readPython };
		case "go":
			return { outline: new Outline(language), read: readGo };
		case "rust":
			return { outline: new Outline(language), read: readRust };
		case "c":
			return { outline: new Outline(language), read: cReader(path) };
	}
}

export function parsing(parser: Parser, { family }: Language): Parse {
	const known = new Map<string, Node>();
	let spentMs = 0;
	return (part, shown) => {
		const key = `${part}\0${shown}`;
		const root = known.get(key);
		if (root) return root;
		const began = performance.now();
		const parsed = parser.parse(part, shown);
		spentMs += performance.now() - began;
		// C's grammar takes macros for errors.
		if (!parsed || spentMs > maxMs || (parsed.hasError && family !== "c")) throw new NotUnderstood();
		known.set(key, parsed.root);
		return parsed.root;
	};
}

export function follow(files: readonly SourceFile[], roots: Iterable<string>): Set<string> {
	const reached = new Set(roots);
	if (reached.size === 0) return reached;
	const mentioning = files.map((file) => file.mentioning());
	for (const name of reached)
		for (const by of mentioning)
			for (const { names } of by.get(name) ?? []) for (const each of names) reached.add(each);
	return reached;
}

export async function followAll(files: readonly SourceFile[], roots: () => Iterable<string>): Promise<Set<string>> {
	for (;;) {
		const reached = follow(files, roots());
		let isMore = false;
		for (const file of files) isMore = (await file.readWith(reached)) || isMore;
		if (!isMore) return reached;
	}
}
