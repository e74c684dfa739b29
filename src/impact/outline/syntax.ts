import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import { TimeSlices } from "../../util/time-slices.ts";
import type { Language } from "./languages.ts";
import { Node, type NodeTypes } from "./node.ts";

/** By clock and processor, at a stretch. */
const maxMs = 100;
const firstLibraryBytes = 2 ** 25;
const maxLibraryBytes = 2 ** 26;
const largeText = 2 ** 16;
const wasmPage = 2 ** 16;
/** The parser's buffer has 10 KB. */
const pieceLength = 5_000;
const checkedEvery = 1024;
const decompress = promisify(brotliDecompress);

export interface Parsed {
	readonly root: Node;
	readonly hasError: boolean;
}

interface Text {
	readonly source: string;
	/** What the parser reads, of the same length. */
	readonly code: string;
	readonly isHidden: (node: Node) => boolean;
}

interface Pace {
	readonly isOver: () => boolean;
	readonly isPaused: () => boolean;
}

export class Parser {
	readonly #library: Library;
	readonly #language: TreeSitter.Language;
	readonly #parser: TreeSitter.Parser;
	readonly #types: NodeTypes;
	readonly #isHidden: (node: Node) => boolean;

	constructor(library: Library, language: TreeSitter.Language, isHidden: (node: Node) => boolean) {
		this.#library = library;
		this.#language = language;
		this.#parser = this.#newParser();
		this.#isHidden = isHidden;
		this.#types = Array.from({ length: language.nodeTypeCount }, (_, id) => ({
			name: language.nodeTypeForId(id) ?? "ERROR",
			isNamed: language.nodeTypeIsNamed(id),
		}));
	}

	/** Undefined after 100 ms: recovery from errors is not linear. */
	parse(source: string, code: string): Parsed | undefined {
		const text = { source, code, isHidden: this.#isHidden };
		const steps = this.#steps(this.#parser, text, { isOver: overAfter(maxMs), isPaused: () => false });
		for (;;) {
			const { done, value } = steps.next();
			if (done) return value;
		}
	}

	/** Lets others run. Undefined after `longestMs`. */
	async parseWhole(source: string, code: string, longestMs: number): Promise<Parsed | undefined> {
		const isOver = overAfter(longestMs);
		let isStuck = overAfter(maxMs);
		const slices = new TimeSlices();
		const pace = { isOver: () => isOver() || isStuck(), isPaused: () => slices.isOver };
		const parser = this.#newParser();
		try {
			const steps = this.#steps(parser, { source, code, isHidden: () => false }, pace);
			for (;;) {
				const { done, value } = steps.next();
				if (done) return value;
				await slices.next();
				isStuck = overAfter(maxMs);
			}
		} finally {
			parser.delete();
		}
	}

	*#steps(
		parser: TreeSitter.Parser,
		{ source, code, isHidden }: Text,
		{ isOver, isPaused }: Pace,
	): Generator<undefined, Parsed | undefined> {
		this.#library.hasReadLarge ||= code.length > largeText;
		// Go requires a line end.
		const text = `${code}\n`;
		// A long token reports no progress.
		const read = (index: number) => (isOver() ? undefined : text.slice(index, index + pieceLength));
		const options = { progressCallback: () => isOver() || isPaused() };
		let tree = parser.parse(read, null, options);
		while (!tree && !isOver()) {
			yield;
			tree = parser.parse(read, null, options);
		}
		if (!tree || isOver()) {
			tree?.delete();
			parser.reset();
			this.#endIfLarge();
			return undefined;
		}
		const cursor = tree.walk();
		try {
			const root = new Node(cursor, this.#types, undefined, source);
			let node: Node | undefined = root;
			let count = 0;
			for (let isDown = cursor.gotoFirstChild(); node; ) {
				if (++count % checkedEvery === 0) {
					if (isOver()) return undefined;
					if (isPaused()) yield;
				}
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

	#newParser(): TreeSitter.Parser {
		return new this.#library.code.Parser().setLanguage(this.#language);
	}

	#endIfLarge(): void {
		if (this.#library.memory.buffer.byteLength > maxLibraryBytes) unload(this.#library);
	}
}

/** Asking for the processor's time takes longer than parsing most texts. */
function overAfter(ms: number): () => boolean {
	const began = performance.now();
	const askedMs = ms / 10;
	let used: NodeJS.CpuUsage | undefined;
	return () => {
		const now = performance.now() - began;
		if (now <= askedMs) return false;
		used ??= process.cpuUsage();
		if (now <= ms) return false;
		const { user, system } = process.cpuUsage(used);
		return (user + system) / 1_000 > ms - askedMs;
	};
}

/** Once per process: they take megabytes. */
let current: { readonly library: Promise<Library>; loaded?: Library } | undefined;

/** WebAssembly gives no memory back: the next text loads the library anew, in some 50 ms. */
function unload(which: Library): void {
	if (which !== current?.loaded) return;
	current = undefined;
	delete createRequire(import.meta.url).cache[libraryFile().path];
}

export function unloadIfLarge(): boolean {
	const loaded = current?.loaded;
	if (!loaded) return false;
	const isLarge = loaded.hasReadLarge || loaded.memory.buffer.byteLength > firstLibraryBytes;
	if (isLarge) unload(loaded);
	return isLarge;
}

interface WasmMemory {
	readonly buffer: { readonly byteLength: number };
}
const { WebAssembly: wasm } = globalThis as unknown as {
	readonly WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => WasmMemory };
};

interface Library {
	readonly code: typeof TreeSitter;
	readonly memory: WasmMemory;
	hasReadLarge: boolean;
	readonly parsers: Map<string, Promise<Parser>>;
}

export async function parserOf(language: Language): Promise<Parser> {
	current ??= { library: loadLibrary() };
	const own = current;
	const from = await own.library;
	own.loaded = from;
	const { grammar } = language;
	const parser = from.parsers.get(grammar) ?? loadParser(from, language);
	from.parsers.set(grammar, parser);
	return parser;
}

async function loadParser(from: Library, { grammar, isHidden = () => false }: Language): Promise<Parser> {
	const bytes = await readWasm(libraryFile().directory, `tree-sitter-${grammar}`);
	return new Parser(from, await from.code.Language.load(bytes), isHidden);
}

async function loadLibrary(): Promise<Library> {
	const { directory, path } = libraryFile();
	const memory = new wasm.Memory({ initial: firstLibraryBytes / wasmPage, maximum: 2 ** 31 / wasmPage });
	const locateFile = (name: string) => join(directory, name);
	const options = { locateFile, wasmBinary: await readWasm(directory, "tree-sitter"), wasmMemory: memory };
	const code: typeof TreeSitter = createRequire(import.meta.url)(path);
	await code.Parser.init(options);
	return { code, memory, hasReadLarge: false, parsers: new Map() };
}

/** C++'s grammar alone has 5.4 MB: the build compresses it. Rejects if it is missing. */
async function readWasm(directory: string, name: string): Promise<Uint8Array> {
	const plain = join(directory, `${name}.wasm`);
	return existsSync(plain) ? readFile(plain) : decompress(await readFile(`${plain}.br`));
}

function libraryFile(): { readonly directory: string; readonly path: string } {
	const bundled = join(dirname(fileURLToPath(import.meta.url)), "grammars");
	const directory = existsSync(bundled)
		? bundled
		: dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm"));
	const [path = ""] = ["tree-sitter.cjs", "tree-sitter.js"].map((name) => join(directory, name)).filter(existsSync);
	return { directory, path };
}
