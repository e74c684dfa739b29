import { basename, dirname, extname } from "node:path";
import { compileDatabasePaths } from "../../launch/compile-database.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { statOf } from "../../util/files.ts";
import { LruMap } from "../../util/lru-map.ts";
import { anyManifest, readText } from "../../util/read-file.ts";
import type { ImportIndex } from "../known-states.ts";

const maxHeaders = 1000;
const databaseOption = "--compile-commands-dir=";

const languages: Readonly<Record<string, string>> = {
	...{ ".c": "c", ".m": "objective-c", ".mm": "objective-c++" },
	...Object.fromEntries(
		"cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp ixx cppm".split(" ").map((extension) => [`.${extension}`, "c++"]),
	),
};

interface Flags {
	readonly directory: string;
	readonly words: readonly string[];
	/** What clangd assumes; undefined if the flags say it. */
	readonly assumed: string | undefined;
}

/** clangd would take all `.h` files for one language (docs/facts.md, 36). */
export class HeaderLanguages {
	readonly #server: LanguageServer;
	readonly #commands = new LruMap<string>(maxHeaders);

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	async tell(path: string, imports: ImportIndex): Promise<void> {
		if (extname(path) !== ".h") return;
		const flags = await this.#flagsOf(path);
		if (!flags) return;
		const { directory, words, assumed } = flags;
		const found = assumed === undefined ? undefined : await languageOf(path, words, imports);
		const language = found ?? assumed;
		const compilationCommand = ["clang", ...words, ...(language === undefined ? [] : [`-x${language}-header`]), path];
		const command = JSON.stringify(compilationCommand);
		const known = this.#commands.get(path);
		if (command === known) return;
		this.#commands.set(path, command);
		if (known === undefined && language === assumed) return;
		const compilationDatabaseChanges = { [path]: { workingDirectory: directory, compilationCommand } };
		const changed = known === undefined ? [] : [path];
		this.#server.notify("workspace/didChangeConfiguration", { settings: { compilationDatabaseChanges } }, changed);
	}

	/** Undefined with compile commands: clangd takes that of a source with a similar name. */
	async #flagsOf(path: string): Promise<Flags | undefined> {
		const option = this.#server.launch.args.find((word) => word.startsWith(databaseOption));
		const directory = option?.slice(databaseOption.length);
		const isThere = (file: string) => directory === undefined || dirname(file) === directory;
		for (const file of compileDatabasePaths(directory ?? dirname(path)).filter(isThere)) {
			if (!(await statOf(file))) continue;
			if (basename(file) !== "compile_flags.txt") return undefined;
			const lines = ((await readText(file, anyManifest)) ?? "").split("\n").map((line) => line.trim());
			const words = lines.filter((line) => line !== "");
			const namesLanguage = words.some((word) => /^(?:-x|--language)/.test(word));
			return { directory: dirname(file), words, assumed: namesLanguage ? undefined : "c" };
		}
		return { directory: dirname(path), words: [], assumed: "objective-c++" };
	}
}

async function languageOf(
	path: string,
	flags: readonly string[],
	{ index, watched }: ImportIndex,
): Promise<string | undefined> {
	// clang refuses this standard for C.
	if (flags.some((flag) => /^-+std=(?:c|gnu)\+\+/.test(flag))) return "c++";
	const users = await index.dependents(path, { all: true, watched }).catch(() => []);
	const found = new Set(users.flatMap((user) => languages[extname(user).toLowerCase()] ?? []));
	return found.size === 1 ? [...found][0] : undefined;
}
