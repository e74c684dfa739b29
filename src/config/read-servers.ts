import { basename } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { isObject } from "../util/objects.ts";
import type { JsonPath } from "./json-reader.ts";
import { type ConfiguredEntry, type Report, readEntry, speaks } from "./servers.ts";
import { quoted } from "./validate-field.ts";

/** Every file is compared with every server. */
const maxServers = 500;

/**
 * Reads an object by id (`false` disables a server), or a list of objects with `id`, agent-lsp's objects (`extensions`,
 * `command` as a list, `language_id`) or arguments (`go:gopls`).
 */
export function readServers(
	value: unknown,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ConfiguredEntry[] {
	const count = Object.keys(value as object).length;
	if (count > maxServers) report(at, `has ${count} servers; only the first ${maxServers} count`);
	const isList = Array.isArray(value);
	const entries = isList
		? value.slice(0, maxServers).map((item, index) => readItem(item, [...at, index], known, report))
		: Object.entries(value as object)
				.slice(0, maxServers)
				.map(([id, item]) => readEntry(id, item, [...at, id], report));
	const complete = entries.flatMap((entry, index) => {
		if (!entry) return [];
		const place = [...at, isList ? index : entry.id];
		return isComplete(entry, place, known, report) ? [entry] : [];
	});
	return isList ? joinPrograms(complete) : complete;
}

export function readLanguages(
	value: unknown,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ConfiguredEntry[] {
	const entries = Object.entries(value as object).flatMap(([language, item]) => {
		const place = [...at, language];
		if (!isObject(item)) {
			report(place, "must be an object");
			return [];
		}
		const { command } = item;
		const program: unknown = Array.isArray(command) ? command[0] : command;
		const own = known.find((config) => speaks(config, language))?.id;
		const id = typeof program === "string" ? idOf(program, known) : own;
		const entry = readEntry(id ?? language, item, place, report);
		if (!entry || !isComplete(entry, place, known, report)) return [];
		const isNew = !known.some((config) => config.id === entry.id);
		return [isNew ? { ...entry, fields: { languageId: language, ...entry.fields } } : entry];
	});
	return joinPrograms(entries);
}

function joinPrograms(entries: readonly ConfiguredEntry[]): ConfiguredEntry[] {
	const joined = new Map<string, ConfiguredEntry>();
	for (const entry of entries) {
		const known = joined.get(entry.id);
		const isOther = known?.fields.match && entry.fields.match && launchOf(known) !== launchOf(entry);
		const id = isOther ? `${entry.id}-${joined.size + 1}` : entry.id;
		joined.set(id, known && !isOther ? { id, fields: joinFields(known.fields, entry.fields) } : { ...entry, id });
	}
	return [...joined.values()];
}

function launchOf({ fields: { command, args = [] } }: ConfiguredEntry): string {
	return JSON.stringify([command, args].flat());
}

function joinFields(one: ConfiguredEntry["fields"], other: ConfiguredEntry["fields"]): ConfiguredEntry["fields"] {
	const match = [...new Set([one.match ?? [], other.match ?? []].flat())];
	const languageId = { ...languagesOf(one), ...languagesOf(other) };
	return {
		...one,
		...other,
		...(match.length > 0 ? { match } : {}),
		...(Object.keys(languageId).length > 0 ? { languageId } : {}),
	};
}

function languagesOf({ match = [], languageId }: ConfiguredEntry["fields"]): object {
	if (typeof languageId !== "string") return (languageId ?? {}) as object;
	return Object.fromEntries((match as string[]).map((extension) => [extension.replace(/^\./, ""), languageId]));
}

function isComplete(
	{ id, fields }: ConfiguredEntry,
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
): ConfiguredEntry | undefined {
	if (typeof item === "string") return readPair(item, at, known, report);
	if (!isObject(item)) {
		report(at, "must be an object");
		return undefined;
	}
	const { command } = item;
	const program: unknown = Array.isArray(command) ? command[0] : command;
	const id = item.id ?? (typeof program === "string" ? idOf(program, known) : undefined);
	if (typeof id === "string" && id !== "") return readEntry(id, item, at, report);
	report(
		[...at, "id"],
		item.id === undefined ? 'is missing, and there is no "command" to name it by' : "must be a text",
	);
	return undefined;
}

function readPair(
	text: string,
	at: JsonPath,
	known: readonly ServerConfig[],
	report: Report,
): ConfiguredEntry | undefined {
	const [, language, words] = /^([^:\s]+):(.+)$/.exec(text) ?? [];
	const [command = "", ...args] = (words ?? "").split(",").filter(Boolean);
	if (language === undefined || command === "" || text.includes("\0")) {
		report(at, `${quoted(text)} is not "language:program"`);
		return undefined;
	}
	const id = idOf(command, known);
	const builtIn = known.find((config) => config.id === id);
	// `detect_lsp_servers` suggests built-in servers by ids.
	const isItsId = command === id && args.length === 0;
	if (builtIn && isItsId && (builtIn.command !== id || builtIn.bundled)) return { id, fields: { enabled: true } };
	const fields = { command, ...(args.length > 0 || !builtIn ? { args } : {}) };
	if (builtIn) return { id, fields };
	return { id, fields: { ...fields, match: extensionsOf(language, known), languageId: language } };
}

function idOf(command: string, known: readonly ServerConfig[]): string {
	const name = basename(command).replace(/\.(exe|cmd|bat|js|mjs|cjs|sh|py)$/i, "");
	if (known.some(({ id }) => id === name)) return name;
	return known.find((config) => config.command === name)?.id ?? name;
}

function extensionsOf(language: string, known: readonly ServerConfig[]): string[] {
	const found = known.flatMap(({ match, languageId }) =>
		match.filter((extension) => (typeof languageId === "string" ? languageId : languageId[extension]) === language),
	);
	return found.length > 0 ? [...new Set(found)] : [language];
}
