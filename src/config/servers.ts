import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { didYouMean } from "../render/nearest-names.ts";
import { isObject } from "../util/objects.ts";
import type { JsonPath } from "./json-reader.ts";
import { type Fields, serverFields } from "./schema.ts";
import { mistakesIn, quoted } from "./validate-field.ts";

export const maxSuggested = 100;

export type Report = (at: JsonPath, message: string) => void;

export interface ConfiguredEntry {
	readonly id: string;
	readonly fields: Readonly<Record<string, unknown>>;
}

export interface Author {
	readonly who: "user" | "repository" | "caller" | "extension";
	readonly directory: string;
	readonly trusted: boolean;
}

export function speaks({ languageId, role = "language" }: ServerConfig, language: string): boolean {
	if (role !== "language") return false;
	return typeof languageId === "string" ? languageId === language : Object.values(languageId).includes(language);
}

export function readEntry(id: string, value: unknown, at: JsonPath, report: Report): ConfiguredEntry | undefined {
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

export function readFields(
	fields: Fields,
	value: Readonly<Record<string, unknown>>,
	at: JsonPath,
	report: Report,
): Record<string, unknown> {
	const found: Record<string, unknown> = {};
	let suggested = 0;
	for (const [name, item] of Object.entries(value)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (!field) {
			const near = suggested++ < maxSuggested ? didYouMean(name, Object.keys(fields)) : "";
			report([...at, name], `is not a setting${near && `.${near}`}`);
			continue;
		}
		const mistakes = mistakesIn(field, item);
		for (const mistake of mistakes) report([...at, name, ...mistake.at], mistake.message);
		if (mistakes.length > 0) continue;
		found[field.as ?? name] = typeof item === "number" ? item * (field.factor ?? 1) : item;
	}
	return found;
}

export function launchPart({ id, fields }: ConfiguredEntry, known: readonly ServerConfig[]): Record<string, unknown> {
	const isKnown = known.some((config) => config.id === id);
	return Object.fromEntries(Object.entries(fields).filter(([name]) => needsTrust(name, isKnown)));
}

export function isWithheld(entry: ConfiguredEntry, known: readonly ServerConfig[], { trusted }: Author): boolean {
	return !trusted && Object.keys(launchPart(entry, known)).length > 0;
}

/**
 * Of the launch (`launch`), or what a known server answers for (`answers`): rust-analyzer with another root runs what
 * is there.
 */
function needsTrust(name: string, isKnown: boolean): boolean {
	const field = serverFields[name];
	return field?.launch === true || (isKnown && field?.answers === true);
}

/** Without trust, fields that need it do not count, and a new server with them may not run. */
export function withEntry(servers: readonly ServerConfig[], entry: ConfiguredEntry, author: Author): ServerConfig[] {
	const index = servers.findIndex(({ id }) => id === entry.id);
	const known = servers[index];
	// A caller's program takes nothing from a repository's entry.
	if (known?.fromRepository && author.who === "caller" && entry.fields.command !== undefined)
		return withEntry(servers.toSpliced(index, 1), entry, author);
	if (!known && entry.fields.command === undefined && entry.fields.connect === undefined) return [...servers];
	const { enabled: _, ...fields } = entry.fields;
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
		...(["caller", "extension"].includes(author.who) && like && (over.role ?? "language") === (like.role ?? "language")
			? { alternative: like.alternative ?? like.id }
			: {}),
		...(isWithheld(entry, servers, author) ? { runsRepositoryCode: true } : {}),
	};
	return author.who === "extension" ? [added, ...servers] : [...servers, added];
}

/** Replaces the bundled program and the candidates. */
function programOf(fields: Readonly<Record<string, unknown>>, { directory, who }: Author): object {
	const { command, args, candidates } = fields;
	if (command === undefined) return {};
	const [program = "", ...more] = (Array.isArray(command) ? command : [command]) as string[];
	const given = Array.isArray(command) ? [...more, ...((args ?? []) as string[])] : (args as string[] | undefined);
	const placed = (word: string) => (/^\.{1,2}[\\/]/.test(word) ? resolve(directory, word) : word);
	const path = program.startsWith("~/") ? join(homedir(), program.slice(2)) : placed(program);
	const own = who === "extension" ? given?.map(placed) : given;
	return { command: path, ...(own === undefined ? {} : { args: own }), bundled: undefined, candidates, namedBy: who };
}

function languagesOf(match: readonly string[], like: ServerConfig | undefined): ServerConfig["languageId"] {
	const known = like?.languageId ?? {};
	if (typeof known === "string") return known;
	return Object.fromEntries(match.map((extension) => [extension, known[extension] ?? extension]));
}
