import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { JsonPath } from "./json-reader.ts";
import { type Fields, serverFields } from "./schema.ts";
import { isObject, mistakesIn, quoted } from "./validate-field.ts";

/** Takes what is wrong at a place of a configuration file. */
export type Tell = (at: JsonPath, message: string) => void;

/** What a configuration file says of one server: the fields that are right, by their own names. */
export interface ServerEntry {
	readonly id: string;
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Each of them is looked at for every file that is asked about. */
const maxServers = 500;

/** Who wrote a configuration, and where it lies; the caller's came with its command line. */
export interface Author {
	readonly who: "user" | "repository" | "caller";
	readonly directory: string;
	/** True if what it says of programs counts. */
	readonly trusted: boolean;
}

/**
 * The `servers` of a configuration file: an object by id (`false` switches one off), or a list of objects, each with an
 * `id`, or in the shape of agent-lsp's `--config` file (`extensions`, `command` as a list, `language_id`), or of its
 * arguments (`go:gopls`, `typescript:typescript-language-server,--stdio`).
 */
export function readServers(value: unknown, at: JsonPath, known: readonly ServerConfig[], tell: Tell): ServerEntry[] {
	const count = Object.keys(value as object).length;
	if (count > maxServers) tell(at, `has ${count} servers; only the first ${maxServers} count`);
	const entries = Array.isArray(value)
		? value.slice(0, maxServers).map((item, index) => readItem(item, [...at, index], known, tell))
		: Object.entries(value as object)
				.slice(0, maxServers)
				.map(([id, item]) => readEntry(id, item, [...at, id], tell));
	return entries.flatMap((entry, index) => {
		if (!entry) return [];
		const isNew = !known.some(({ id }) => id === entry.id);
		const place = [...at, Array.isArray(value) ? index : entry.id];
		if (isNew && entry.fields.enabled === false) return [entry];
		if (isNew && entry.fields.command === undefined) {
			tell(place, `${quoted(entry.id)} is no built-in server, so it needs a "command"`);
			return [];
		}
		if (isNew && !["match", "names", "patterns", "shebangs"].some((name) => entry.fields[name] !== undefined)) {
			tell(place, `${quoted(entry.id)} is no built-in server, so it needs "match": the extensions of its files`);
			return [];
		}
		return [entry];
	});
}

function readItem(item: unknown, at: JsonPath, known: readonly ServerConfig[], tell: Tell): ServerEntry | undefined {
	if (typeof item === "string") return readPair(item, at, known, tell);
	if (!isObject(item)) {
		tell(at, "must be an object");
		return undefined;
	}
	const { command } = item;
	const program: unknown = Array.isArray(command) ? command[0] : command;
	const id = item.id ?? (typeof program === "string" ? idOf(program) : undefined);
	if (typeof id === "string" && id !== "") return readEntry(id, item, at, tell);
	tell([...at, "id"], item.id === undefined ? 'is missing, and there is no "command" to name it by' : "must be a text");
	return undefined;
}

/** agent-lsp's `language:program,argument,…`. */
function readPair(text: string, at: JsonPath, known: readonly ServerConfig[], tell: Tell): ServerEntry | undefined {
	const [, language, words] = /^([^:\s]+):(.+)$/.exec(text) ?? [];
	const [command = "", ...args] = (words ?? "").split(",").filter(Boolean);
	if (language === undefined || command === "" || text.includes("\0")) {
		tell(at, `${quoted(text)} is not "language:program"`);
		return undefined;
	}
	const id = idOf(command);
	const builtIn = known.some((config) => config.id === id);
	const fields = { command, ...(args.length > 0 || !builtIn ? { args } : {}) };
	if (builtIn) return { id, fields };
	return { id, fields: { ...fields, match: extensionsOf(language, known), languageId: language } };
}

function idOf(command: string): string {
	return basename(command).replace(/\.(exe|cmd|bat|js|mjs|cjs|sh|py)$/i, "");
}

/** The extensions of a language, as the built-in servers have them. */
function extensionsOf(language: string, known: readonly ServerConfig[]): string[] {
	const found = known.flatMap(({ match, languageId }) =>
		match.filter((extension) => (typeof languageId === "string" ? languageId : languageId[extension]) === language),
	);
	return found.length > 0 ? [...new Set(found)] : [language];
}

function readEntry(id: string, value: unknown, at: JsonPath, tell: Tell): ServerEntry | undefined {
	if (!/^\w[\w.+@-]{0,63}$/.test(id)) {
		tell(at, "is no name for a server: letters, digits and .+@- only");
		return undefined;
	}
	if (value === false) return { id, fields: { enabled: false } };
	if (!isObject(value)) {
		tell(at, "must be an object, or false");
		return undefined;
	}
	if (value.id !== undefined && value.id !== id) {
		tell([...at, "id"], `must be ${quoted(id)}, as the entry is called`);
		return undefined;
	}
	const { command, ...fields } = readFields(serverFields, value, at, tell);
	if (Array.isArray(command) && command[0] === "") {
		tell([...at, "command", 0], "must be a program");
		return { id, fields };
	}
	return { id, fields: { ...fields, ...(command === undefined ? {} : { command }) } };
}

/** The fields of an object that are right, under their own names; of the others it is told what is wrong. */
export function readFields(
	fields: Fields,
	value: Readonly<Record<string, unknown>>,
	at: JsonPath,
	tell: Tell,
): Record<string, unknown> {
	const found: Record<string, unknown> = {};
	for (const [name, item] of Object.entries(value)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (!field) {
			tell([...at, name], "is not a setting");
			continue;
		}
		const mistakes = mistakesIn(field, item);
		for (const mistake of mistakes) tell([...at, name, ...mistake.at], mistake.message);
		if (mistakes.length > 0) continue;
		found[field.as ?? name] = typeof item === "number" ? item * (field.factor ?? 1) : item;
	}
	return found;
}

/**
 * The part of what is said of a server that counts with trust only: what is about programs, and of a server that is known
 * already also which files it answers for and where its root is. rust-analyzer with another root ran what lay beside it.
 */
export function launchPart({ id, fields }: ServerEntry, known: readonly ServerConfig[]): Record<string, unknown> {
	const isKnown = known.some((config) => config.id === id);
	return Object.fromEntries(Object.entries(fields).filter(([name]) => needsTrust(name, isKnown)));
}

function needsTrust(name: string, isKnown: boolean): boolean {
	const field = serverFields[name];
	return field?.launch === true || (isKnown && field?.answers === true);
}

/**
 * The servers with one entry over them. Of a built-in one it changes field by field; a new one comes last. From an
 * author who is not trusted nothing about programs counts; a new server is then one that may not run.
 */
export function withEntry(servers: readonly ServerConfig[], entry: ServerEntry, author: Author): ServerConfig[] {
	const index = servers.findIndex(({ id }) => id === entry.id);
	const known = servers[index];
	// Whoever names a program of his own wants nothing of what the repository calls by the same name.
	if (known?.fromRepository && author.who === "caller" && entry.fields.command !== undefined)
		return withEntry(servers.toSpliced(index, 1), entry, author);
	if (!known && entry.fields.command === undefined) return [...servers];
	const { enabled: _, ...fields } = entry.fields;
	const untrusted = !author.trusted && Object.keys(launchPart(entry, servers)).length > 0;
	const counted = author.trusted
		? fields
		: Object.fromEntries(Object.entries(fields).filter(([name]) => !needsTrust(name, known !== undefined)));
	const over = { ...counted, ...(author.trusted ? programOf(fields, author) : {}) } as Partial<ServerConfig>;
	if (known) return servers.with(index, { ...known, ...over });
	const match = (over.match ?? []).map((extension) => extension.replace(/^\./, "").toLowerCase());
	const like = servers.find((server) => server.match.some((extension) => match.includes(extension)));
	const added: ServerConfig = {
		args: [],
		rootMarkers: like?.rootMarkers ?? [],
		looseFiles: true,
		languageId: languagesOf(match, like),
		command: "",
		...over,
		match,
		id: entry.id,
		...(author.who === "repository" ? { fromRepository: true } : {}),
		// It is to answer for these files, not one more beside the one that does.
		...(author.who === "caller" && like && (over.role ?? "language") === (like.role ?? "language")
			? { alternative: like.alternative ?? like.id }
			: {}),
		// Its command does not count, so there is nothing that could be run.
		...(untrusted ? { runsRepositoryCode: true } : {}),
	};
	return [...servers, added];
}

/** The program of an entry as the registry has it. What came with pi-lsp, or instead of the command, counts no more. */
function programOf(fields: Readonly<Record<string, unknown>>, { directory, who }: Author): object {
	const { command, args, candidates } = fields;
	if (command === undefined) return {};
	const [program = "", ...more] = (Array.isArray(command) ? command : [command]) as string[];
	const own = Array.isArray(command) ? [...more, ...((args ?? []) as string[])] : args;
	const named = program.startsWith("~/")
		? join(homedir(), program.slice(2))
		: /^\.{1,2}[\\/]/.test(program)
			? resolve(directory, program)
			: program;
	return { command: named, ...(own === undefined ? {} : { args: own }), bundled: undefined, candidates, namedBy: who };
}

function languagesOf(match: readonly string[], like: ServerConfig | undefined): ServerConfig["languageId"] {
	const known = like?.languageId ?? {};
	if (typeof known === "string") return known;
	return Object.fromEntries(match.map((extension) => [extension, known[extension] ?? extension]));
}
