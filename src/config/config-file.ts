import { dirname, join } from "node:path";
import { servers } from "../../server.ts";
import { repositoryOf, workspaceOf } from "../project/workspace-of.ts";
import { type Disk, plainDisk, stampOfStats } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { read, refusalWords } from "../util/read-file.ts";
import { JsonMistake, type JsonPath, readJson } from "./json-reader.ts";
import { settingFields } from "./schema.ts";
import { launchPart, readFields, readServers, type ServerEntry, type Tell } from "./servers.ts";
import { isObject } from "./validate-field.ts";

/** A configuration file as it was read: the part of it that is right, and what is wrong with the rest. */
export interface ConfigFile {
	readonly path: string;
	readonly stamp: string;
	/** By their own names; `servers` is not among them. */
	readonly fields: Readonly<Record<string, unknown>>;
	readonly servers: readonly ServerEntry[];
	/** `FILE:LINE: "FIELD" …`, one for each mistake. */
	readonly problems: readonly string[];
}

const maxBytes = 256 * 1024;
/** A file that is wrong throughout is told of by its first mistakes. */
const maxProblems = 100;
const known = new LruMap<ConfigFile>(200);

/**
 * The nearest `.pi-lsp.json`, from a directory upward to the top of its repository, or of its workspace where there is no
 * repository. One that neither the user nor root owns, nor whoever owns the directory, is a problem and says nothing:
 * on a shared machine anybody may put one above a repository.
 */
export async function nearestConfig(from: string, disk: Disk = plainDisk): Promise<ConfigFile | undefined> {
	const top = (await repositoryOf(from, disk)) ?? (await workspaceOf(from, disk));
	for (let directory = from; ; directory = dirname(directory)) {
		const path = join(directory, ".pi-lsp.json");
		const found = await readConfig(path, "repository", disk, (await disk.real(top)) ?? top);
		if (found) return (await isOwned(path, from, disk)) ? found : foreign(found);
		if (directory === top) return undefined;
	}
}

async function isOwned(path: string, from: string, disk: Disk): Promise<boolean> {
	const user = process.getuid?.();
	if (user === undefined) return true;
	const [file, directory] = await Promise.all([disk.stats(path), disk.stats(from)]);
	return file !== undefined && [BigInt(user), 0n, directory?.uid].includes(file.uid);
}

function foreign({ path, stamp }: ConfigFile): ConfigFile {
	const problems = [`${path}: does not count, because another user owns it`];
	return { ...empty(path, `${stamp} foreign`), problems };
}

/** A configuration file, read again when it has changed; undefined if there is none. Its links lead nowhere but `within`. */
export async function readConfig(
	path: string,
	who: "user" | "repository",
	disk: Disk = plainDisk,
	within = "anywhere",
): Promise<ConfigFile | undefined> {
	const info = await disk.stats(path);
	if (!info || info.isDirectory() || (who === "user" && !info.isFile())) return undefined;
	const stamp = stampOfStats(info);
	// What is a mistake in one is none in the other.
	const key = JSON.stringify([who, within, path]);
	const before = known.get(key);
	if (before?.stamp === stamp) return before;
	const content = await read(path, { maxBytes, within });
	const file =
		"text" in content
			? parseConfig(path, stamp, content.text, who)
			: { ...empty(path, stamp), problems: [`${path}: ${refusalWords[content.refused]}`] };
	known.set(key, file);
	return file;
}

function parseConfig(path: string, stamp: string, text: string, who: "user" | "repository"): ConfigFile {
	try {
		const { value, repeated, lineOf } = readJson(text);
		const problems: string[] = [];
		let untold = 0;
		const tell: Tell = (at, message) => {
			if (problems.length >= maxProblems) untold++;
			else problems.push(`${path}:${lineOf(at)}: ${at.length > 0 ? `"${nameOf(at)}" ` : ""}${message}`);
		};
		for (const at of repeated) tell(at, "stands here twice; the last one counts");
		if (!isObject(value)) tell([], "must hold a JSON object");
		const { fields, entries } = isObject(value) ? readObject(value, [], who, tell) : { fields: {}, entries: [] };
		if (untold > 0) problems.push(`${path}: ${untold} more mistakes`);
		return { path, stamp, fields, servers: entries, problems };
	} catch (error) {
		if (!(error instanceof JsonMistake)) throw error;
		return { ...empty(path, stamp), problems: [`${path}:${error.line}:${error.column}: ${error.message}`] };
	}
}

function readObject(
	value: Readonly<Record<string, unknown>>,
	at: JsonPath,
	who: "user" | "repository",
	tell: Tell,
): { readonly fields: Record<string, unknown>; readonly entries: readonly ServerEntry[] } {
	const fields = readFields(settingFields, value, at, tell);
	for (const [name, { user, as }] of Object.entries(settingFields))
		if (user && who === "repository" && Object.hasOwn(value, name)) {
			tell([...at, name], "counts in the user's own configuration only");
			delete fields[as ?? name];
		}
	const entries = fields.servers === undefined ? [] : readServers(fields.servers, [...at, "servers"], servers, tell);
	delete fields.servers;
	const { lsp } = fields;
	// The form in which other tools keep the same settings: all of them in one object.
	if (!isObject(lsp)) return { fields, entries };
	if (at.length > 0) {
		tell([...at, "lsp"], "must be true or false here");
		return { fields: { ...fields, lsp: true }, entries };
	}
	const inner = readObject(lsp, ["lsp"], who, tell);
	return { fields: { ...fields, lsp: true, ...inner.fields }, entries: [...entries, ...inner.entries] };
}

/** What a file says that needs trust, one line for each field, in an order that does not change with the file's. */
export function launchLines(file: ConfigFile | undefined): string[] {
	const lines: string[] = [];
	for (const entry of file?.servers ?? [])
		for (const [name, value] of Object.entries(launchPart(entry, servers)))
			lines.push(`${entry.id}: ${name} = ${canonical(value)}`);
	for (const [name, value] of Object.entries(file?.fields ?? {}))
		if (settingFields[name]?.launch) lines.push(`${name} = ${canonical(value)}`);
	return lines.sort();
}

/** JSON with the fields of every object in order. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, item: unknown) =>
		isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
	);
}

const maxShown = 200;

/** A place as a person writes it: `servers.gopls.args[1]`. */
function nameOf(at: JsonPath): string {
	const name = at.map((part) => (typeof part === "number" ? `[${part}]` : `.${part.slice(0, maxShown)}`)).join("");
	// A name of a field is text of the file; it stays on its line.
	return name
		.replace(/^\./, "")
		.slice(0, maxShown)
		.replace(/[^\x20-\x7e\u00a1-\u1fff\u3000-\ud7ff]/g, "?");
}

function empty(path: string, stamp: string): ConfigFile {
	return { path, stamp, fields: {}, servers: [], problems: [] };
}
