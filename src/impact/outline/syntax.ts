import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import type { Language } from "./languages.ts";

/** A node of a syntax tree, copied out of the parser's memory. */
export class Node {
	readonly type: string;
	readonly field: string | null;
	readonly isNamed: boolean;
	readonly parent: Node | undefined;
	readonly children: Node[] = [];
	/** UTF-16 offsets in `source`. */
	readonly start: number;
	readonly end: number;
	readonly source: string;

	constructor(cursor: TreeSitter.TreeCursor, types: Types, parent: Node | undefined, source: string) {
		const { name, isNamed } = types[cursor.nodeTypeId] ?? { name: cursor.nodeType, isNamed: cursor.nodeIsNamed };
		this.type = name;
		this.isNamed = isNamed;
		// Each property is a slow call: punctuation has no field, and a first child begins like its parent.
		this.field = parent && isNamed ? cursor.currentFieldName : null;
		this.start = parent && parent.children.length === 0 && parent.parent ? parent.start : cursor.startIndex;
		this.end = Math.min(cursor.endIndex, source.length);
		this.parent = parent;
		this.source = source;
	}

	get text(): string {
		return this.source.slice(this.start, this.end);
	}

	child(field: string): Node | undefined {
		return this.children.find((each) => each.field === field);
	}

	first(...types: readonly string[]): Node | undefined {
		return this.children.find(({ type }) => types.includes(type));
	}

	/** The children without punctuation and comments. */
	get named(): Node[] {
		return this.children.filter(({ isNamed, isComment }) => isNamed && !isComment);
	}

	get isComment(): boolean {
		return this.type.endsWith("comment") || this.type === "html_comment";
	}

	/** This node and its descendants, in text order. */
	all(): Node[] {
		const found: Node[] = [];
		for (const stack: Node[] = [this]; ; ) {
			const node = stack.pop();
			if (!node) return found;
			found.push(node);
			for (let index = node.children.length - 1; index >= 0; index--) stack.push(node.children[index]!);
		}
	}

	allOf(...types: readonly string[]): Node[] {
		return this.all().filter(({ type }) => types.includes(type));
	}
}

type Types = readonly { readonly name: string; readonly isNamed: boolean }[];

/** Milliseconds of the clock and of the processor for one text. */
const maxMs = 100;
/** Bytes of the library's memory; it begins with 32 MB. */
const maxLibraryBytes = 2 ** 26;
/** Characters of a text for which the library needs many megabytes. */
const largeText = 2 ** 18;
const wasmPage = 2 ** 16;
/** UTF-16 units that the parser is given at once: its buffer has 10 KB. */
const pieceLength = 5_000;
/** Nodes between two checks of the clock. */
const checkedEvery = 1024;

export interface Parsed {
	readonly root: Node;
	readonly hasError: boolean;
}

export class Parser {
	readonly #parser: TreeSitter.Parser;
	readonly #types: Types;
	readonly #isHidden: (node: Node) => boolean;
	readonly #memory: WasmMemory;

	constructor({ library, memory }: Library, language: TreeSitter.Language, isHidden: (node: Node) => boolean) {
		this.#parser = new library.Parser();
		this.#parser.setLanguage(language);
		this.#memory = memory;
		this.#isHidden = isHidden;
		this.#types = Array.from({ length: language.nodeTypeCount }, (_, id) => ({
			name: language.nodeTypeForId(id) ?? "ERROR",
			isNamed: language.nodeTypeIsNamed(id),
		}));
	}

	/**
	 * Parses a text, shown as `code` of the same length. Undefined if it takes too long: recovery from errors is not
	 * linear. With `isHidden` other nodes get no children than the language says.
	 */
	parse(source: string, code: string, isHidden = this.#isHidden, longestMs = maxMs): Parsed | undefined {
		hasReadLarge ||= code.length > largeText;
		const [end, used] = [performance.now() + longestMs, process.cpuUsage()];
		const isOver = () => {
			if (performance.now() <= end) return false;
			const { user, system } = process.cpuUsage(used);
			return (user + system) / 1_000 > longestMs;
		};
		// Go requires a line end.
		const text = `${code}\n`;
		// Within one token, which may be a megabyte, the parser only reads on and reports no progress.
		const read = (index: number) => (isOver() ? undefined : text.slice(index, index + pieceLength));
		const tree = this.#parser.parse(read, null, { progressCallback: isOver });
		if (!tree || isOver()) {
			tree?.delete();
			this.#parser.reset();
			this.#endIfLarge();
			return undefined;
		}
		const cursor = tree.walk();
		try {
			const root = new Node(cursor, this.#types, undefined, source);
			let node: Node | undefined = root;
			let count = 0;
			for (let isDown = cursor.gotoFirstChild(); node; ) {
				if (++count % checkedEvery === 0 && isOver()) return undefined;
				if (isDown || cursor.gotoNextSibling()) {
					const parent: Node | undefined = isDown ? node : node.parent;
					node = new Node(cursor, this.#types, parent, source);
					parent?.children.push(node);
					isDown = !isHidden(node) && cursor.gotoFirstChild();
				} else {
					node = node.parent;
					if (!cursor.gotoParent()) break;
				}
			}
			return { root, hasError: tree.rootNode.hasError };
		} finally {
			cursor.delete();
			tree.delete();
			this.#endIfLarge();
		}
	}

	#endIfLarge(): void {
		if (this.#memory.buffer.byteLength > maxLibraryBytes) unload();
	}
}

/** The process loads the library and each grammar once, because they take megabytes. */
let library: Promise<Library> | undefined;
/** True if a large text was read since the library was loaded. */
let hasReadLarge = false;

/** WebAssembly gives no memory back, so the library is loaded anew for the next text, which takes some 50 ms. */
function unload(): void {
	library = undefined;
	hasReadLarge = false;
	const { path } = libraryFile();
	delete createRequire(import.meta.url).cache[path];
}

/** Unloads the library if it has read a large text; returns false if not. */
export function unloadIfLarge(): boolean {
	const isLarge = hasReadLarge;
	if (isLarge) unload();
	return isLarge;
}

/** Node has it; the types of Node 20 do not name it. */
interface WasmMemory {
	readonly buffer: { readonly byteLength: number };
}
const { WebAssembly: wasm } = globalThis as unknown as {
	readonly WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => WasmMemory };
};

interface Library {
	readonly library: typeof TreeSitter;
	readonly memory: WasmMemory;
	/** By grammar. */
	readonly parsers: Map<string, Promise<Parser>>;
}

/** Rejects if the files of the grammar are missing. */
export async function parserOf(language: Language): Promise<Parser> {
	library ??= loadLibrary();
	const loaded = await library;
	const { grammar } = language;
	const parser = loaded.parsers.get(grammar) ?? loadParser(loaded, language);
	loaded.parsers.set(grammar, parser);
	return parser;
}

async function loadParser(loaded: Library, { grammar, isHidden = () => false }: Language): Promise<Parser> {
	const file = join(libraryFile().directory, `tree-sitter-${grammar}.wasm`);
	return new Parser(loaded, await loaded.library.Language.load(file), isHidden);
}

async function loadLibrary(): Promise<Library> {
	const { directory, path } = libraryFile();
	const memory = new wasm.Memory({ initial: 2 ** 25 / wasmPage, maximum: 2 ** 31 / wasmPage });
	const options = { locateFile: (name: string) => join(directory, name), wasmMemory: memory };
	const loaded: typeof TreeSitter = createRequire(import.meta.url)(path);
	await loaded.Parser.init(options);
	return { library: loaded, memory, parsers: new Map() };
}

/** The build copies the library beside its bundles; sources find it in the package. */
function libraryFile(): { readonly directory: string; readonly path: string } {
	const bundled = join(dirname(fileURLToPath(import.meta.url)), "grammars");
	const directory = existsSync(bundled)
		? bundled
		: dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm"));
	const [path = ""] = ["tree-sitter.cjs", "tree-sitter.js"].map((name) => join(directory, name)).filter(existsSync);
	return { directory, path };
}
