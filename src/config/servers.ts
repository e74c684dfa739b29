import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { JsonPath } from "./json-reader.ts";
import { type Fields, serverFields } from "./schema.ts";
import { isObject, mistakesIn, quoted } from "./validate-field.ts";

export type Report = (at: JsonPath, message: string) => void;

/** The valid fields of one server. */
export interface ServerEntry {
	readonly id: string;
	readonly fields: Readonly<Record<string, unknown>>;
}

/** Every file is compared with every server. */
const maxServers = 500;

/** Who wrote a configuration; its paths are relative to the directory. */
export interface Author {
	readonly who: "user" | "repository" | "caller";
	readonly directory: string;
	/** True if what it says of programs counts. */
	readonly trusted: boolean;
}

/**
 * Reads `servers`: an object by id (`false` switches a server off), or a list of objects with an `id`, or of
 * agent-lsp's objects (`extensions`, `command` as a list, `language_id`) or arguments (`go:gopls`).
 */
export function readServers(
	value: unknown,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ServerEntry[] {
	const count = Object.keys(value as object).length;
	if (count > maxServers) report(at, `has ${count} servers; only the first ${maxServers} count`);
	const entries = Array.isArray(value)
		? value.slice(0, maxServers).map((item, index) => readItem(item, [...at, index], known, report))
		: Object.entries(value as object)
				.slice(0, maxServers)
				.map(([id, item]) => readEntry(id, item, [...at, id], report));
	return entries.flatMap((entry, index) => {
		if (!entry) return [];
		const place = [...at, Array.isArray(value) ? index : entry.id];
		return isComplete(entry, place, known, report) ? [entry] : [];
	});
}

/** Reads `languages`: swissarmyhammer's servers by language, each named by its program. */
export function readLanguages(
	value: unknown,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ServerEntry[] {
	return Object.entries(value as object).flatMap(([language, item]) => {
		const place = [...at, language];
		if (!isObject(item)) {
			report(place, "must be an object");
			return [];
		}
		const { command } = item;
		const program: unknown = Array.isArray(command) ? command[0] : command;
		const id = typeof program === "string" ? idOf(program) : known.find((config) => speaks(config, language))?.id;
		const entry = readEntry(id ?? language, item, place, report);
		if (!entry || !isComplete(entry, place, known, report)) return [];
		const isNew = !known.some((config) => config.id === entry.id);
		return [isNew ? { ...entry, fields: { languageId: language, ...entry.fields } } : entry];
	});
}

/** True if the language's own server is this one. */
export function speaks({ languageId, role = "language" }: ServerConfig, language: string): boolean {
	if (role !== "language") return false;
	return typeof languageId === "string" ? languageId === language : Object.values(languageId).includes(language);
}

/** Reports what a new server lacks. */
function isComplete(
	{ id, fields }: ServerEntry,
	place: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): boolean {
	if (known.some((config) => config.id === id) || fields.enabled === false) return true;
	if (fields.command === undefined && fields.connect === undefined) {
		report(place, `${quoted(id)} is no built-in server, so it needs a "command"`);
		return false;
	}
	if (["match", "names", "patterns", "shebangs"].some((name) => fields[name] !== undefined)) return true;
	report(place, `${quoted(id)} is no built-in server, so it needs "match": the extensions of its files`);
	return false;
}

function readItem(
	item: unknown,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ServerEntry | undefined {
	if (typeof item === "string") return readPair(item, at, known, report);
	if (!isObject(item)) {
		report(at, "must be an object");
		return undefined;
	}
	const { command } = item;
	const program: unknown = Array.isArray(command) ? command[0] : command;
	const id = item.id ?? (typeof program === "string" ? idOf(program) : undefined);
	if (typeof id === "string" && id !== "") return readEntry(id, item, at, report);
	report(
		[...at, "id"],
		item.id === undefined ? 'is missing, and there is no "command" to name it by' : "must be a text",
	);
	return undefined;
}

function readPair(text: string, at: JsonPath, known: readonly ServerConfig[], report: Report): ServerEntry | undefined {
	const [, language, words] = /^([^:\s]+):(.+)$/.exec(text) ?? [];
	const [command = "", ...args] = (words ?? "").split(",").filter(Boolean);
	if (language === undefined || command === "" || text.includes("\0")) {
		report(at, `${quoted(text)} is not "language:program"`);
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

function extensionsOf(language: string, known: readonly ServerConfig[]): string[] {
	const found = known.flatMap(({ match, languageId }) =>
		match.filter((extension) => (typeof languageId === "string" ? languageId : languageId[extension]) === language),
	);
	return found.length > 0 ? [...new Set(found)] : [language];
}

function readEntry(id: string, value: unknown, at: JsonPath, report: Report): ServerEntry | undefined {
	if (!/^\w[\w.+@-]{0,63}$/.test(id)) {
		report(at, "is no name for a server: letters, digits and .+@- only");
		return undefined;
	}
	if (value === false) return { id, fields: { enabled: false } };
	if (!isObject(value)) {
		report(at, "must be an object, or false");
		return undefined;
	}
	if (value.id !== undefined && value.id !== id) {
		report([...at, "id"], `must be ${quoted(id)}, as the entry is called`);
		return undefined;
	}
	const { command, ...fields } = readFields(serverFields, value, at, report);
	if (Array.isArray(command) && command[0] === "") {
		report([...at, "command", 0], "must be a program");
		return { id, fields };
	}
	return { id, fields: { ...fields, ...(command === undefined ? {} : { command }) } };
}

/** The valid fields of an object under their own names. */
export function readFields(
	fields: Fields,
	value: Readonly<Record<string, unknown>>,
	at: JsonPath,
	report: Report,
): Record<string, unknown> {
	const found: Record<string, unknown> = {};
	for (const [name, item] of Object.entries(value)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (!field) {
			report([...at, name], "is not a setting");
			continue;
		}
		const mistakes = mistakesIn(field, item);
		for (const mistake of mistakes) report([...at, name, ...mistake.at], mistake.message);
		if (mistakes.length > 0) continue;
		found[field.as ?? name] = typeof item === "number" ? item * (field.factor ?? 1) : item;
	}
	return found;
}

/**
 * The fields of an entry that need trust: programs, and for a known server also files and root. rust-analyzer with
 * another root runs what lies there.
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
 * Lays an entry over the servers; a new one comes last. Without trust no program counts, and a new server may not run.
 */
export function withEntry(servers: readonly ServerConfig[], entry: ServerEntry, author: Author): ServerConfig[] {
	const index = servers.findIndex(({ id }) => id === entry.id);
	const known = servers[index];
	// A caller's program takes nothing from a repository's entry.
	if (known?.fromRepository && author.who === "caller" && entry.fields.command !== undefined)
		return withEntry(servers.toSpliced(index, 1), entry, author);
	if (!known && entry.fields.command === undefined && entry.fields.connect === undefined) return [...servers];
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
		// The caller's server replaces the built-in one for these files.
		...(author.who === "caller" && like && (over.role ?? "language") === (like.role ?? "language")
			? { alternative: like.alternative ?? like.id }
			: {}),
		// Without its command nothing can run.
		...(untrusted ? { runsRepositoryCode: true } : {}),
	};
	return [...servers, added];
}

/** A program replaces the bundled one and the candidates. */
function programOf(fields: Readonly<Record<string, unknown>>, { directory, who }: Author): object {
	const { command, args, candidates } = fields;
	if (command === undefined) return {};
	const [program = "", ...more] = (Array.isArray(command) ? command : [command]) as string[];
	const own = Array.isArray(command) ? [...more, ...((args ?? []) as string[])] : args;
	const path = program.startsWith("~/")
		? join(homedir(), program.slice(2))
		: /^\.{1,2}[\\/]/.test(program)
			? resolve(directory, program)
			: program;
	return { command: path, ...(own === undefined ? {} : { args: own }), bundled: undefined, candidates, namedBy: who };
}

function languagesOf(match: readonly string[], like: ServerConfig | undefined): ServerConfig["languageId"] {
	const known = like?.languageId ?? {};
	if (typeof known === "string") return known;
	return Object.fromEntries(match.map((extension) => [extension, known[extension] ?? extension]));
}
