import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { directoriesUp } from "../project/directories.ts";
import { stampOf } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { anyManifest, readPieces, readText } from "../util/read-file.ts";
import { ownDirectory } from "../util/xdg.ts";
import { cleanCommand, cleanFlags, type KnownFlags, splitCommand } from "./compile-flags.ts";

const commandsName = "compile_commands.json";
const flagsName = "compile_flags.txt";
const names = [commandsName, join("build", commandsName), flagsName];
/** Increase it when other flags are allowed. */
const copyVersion = 1;
const maxBytes = 128 * 1024 * 1024;
const maxFlagsBytes = 1024 * 1024;
const maxEntryCharacters = 1024 * 1024;

/** clangd looks there in this order. */
export function compileDatabasePaths(root: string): string[] {
	return directoriesUp(root, "/").flatMap((directory) => names.map((name) => join(directory, name)));
}

/** Copies the first of `paths`, cleaned: clangd would write to files that some flags name. */
export async function cleanDatabase(
	root: string,
	paths: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
	const directory = join(ownDirectory("XDG_CACHE_HOME", env), "clangd", hashOf(root));
	const [source, stamp] = await firstOf(paths);
	const madeOf = JSON.stringify([copyVersion, source ?? null, stamp ?? null]);
	const note = join(directory, "made-of.json");
	if ((await readText(note, anyManifest)) === madeOf) return directory;
	await mkdir(directory, { recursive: true, mode: 0o700 });
	for (const name of [note, join(directory, commandsName), join(directory, flagsName)]) await rm(name, { force: true });
	if (source !== undefined) {
		const isFlags = basename(source) === flagsName;
		const target = join(directory, isFlags ? flagsName : commandsName);
		const isWhole = await (isFlags ? cleanFlagsFile(source, target) : cleanCommandsFile(source, target));
		if (!isWhole) await rm(target, { force: true });
	}
	await writeFile(note, madeOf, { mode: 0o600 });
	return directory;
}

async function firstOf(paths: readonly string[]): Promise<[path?: string, stamp?: string]> {
	for (const path of paths) {
		const stamp = await stampOf(path);
		if (stamp !== undefined) return [path, stamp];
	}
	return [];
}

async function cleanFlagsFile(path: string, target: string): Promise<boolean> {
	let text = "";
	const isWhole = await readPieces(path, { maxBytes: maxFlagsBytes, within: "anywhere" }, async (chunk) => {
		text += chunk;
	});
	const flags = text.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
	await writeFile(target, `${cleanFlags(flags, dirname(path)).join("\n")}\n`, { mode: 0o600 });
	return isWhole;
}

/** In slices: databases may have 100 MB. */
async function cleanCommandsFile(path: string, target: string): Promise<boolean> {
	let cleaned = "[";
	let separator = "\n";
	const known: KnownFlags = new Map();
	const scan = new ObjectScan((text) => {
		const entry = cleanEntry(text, dirname(path), known);
		if (entry === undefined) return;
		cleaned += separator + entry;
		separator = ",\n";
	});
	const write = async () => {
		const written = cleaned;
		cleaned = "";
		await appendFile(target, written, { mode: 0o600 });
	};
	const isWhole = await readPieces(path, { maxBytes, within: "anywhere" }, async (chunk) => {
		scan.add(chunk);
		await write();
	});
	cleaned += "\n]\n";
	await write();
	return isWhole;
}

function cleanEntry(text: string, base: string, known: KnownFlags): string | undefined {
	try {
		const entry = JSON.parse(text) as Readonly<Record<string, unknown>>;
		const { file, command, arguments: given } = entry;
		const words = Array.isArray(given)
			? given.map(String)
			: typeof command === "string"
				? splitCommand(command)
				: undefined;
		if (typeof file !== "string" || words === undefined) return undefined;
		const directory = resolve(base, typeof entry.directory === "string" ? entry.directory : ".");
		const absolute = resolve(directory, file);
		// An absolute path is neither an option nor a response file.
		return JSON.stringify({
			directory,
			file: absolute,
			arguments: [...cleanCommand(words, directory, known), absolute],
		});
	} catch {
		return undefined;
	}
}

class ObjectScan {
	readonly #found: (text: string) => void;
	#open = "";
	#depth = 0;
	#inString = false;
	#escaped = false;

	constructor(found: (text: string) => void) {
		this.#found = found;
	}

	add(chunk: string): void {
		let from = 0;
		for (let at = 0; at < chunk.length; at++) {
			const code = chunk.charCodeAt(at);
			if (this.#inString) {
				if (this.#escaped) this.#escaped = false;
				else if (code === 0x5c) this.#escaped = true;
				else if (code === 0x22) this.#inString = false;
			} else if (code === 0x22) this.#inString = true;
			else if (code === 0x7b && this.#depth++ === 0) from = at;
			else if (code === 0x7d && this.#depth > 0 && --this.#depth === 0) {
				const text = this.#open + chunk.slice(from, at + 1);
				this.#open = "";
				if (text.length <= maxEntryCharacters) this.#found(text);
			}
		}
		if (this.#depth > 0 && this.#open.length <= maxEntryCharacters) this.#open += chunk.slice(from);
	}
}
