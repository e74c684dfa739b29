import { dirname, join } from "node:path";
import { servers } from "../../server.ts";
import type { Extension } from "../contract/extension.ts";
import { repositoryOf, workspaceOf } from "../project/workspace-of.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { isObject } from "../util/objects.ts";
import { read, refusalWords } from "../util/read-file.ts";
import { StatCache } from "../util/stat-cache.ts";
import { extensionFields, readAdditions } from "./extension-fields.ts";
import { JsonMistake, type JsonPath, readJson } from "./json-reader.ts";
import { readLanguages, readServers } from "./read-servers.ts";
import { settingFields } from "./schema.ts";
import { type ConfiguredEntry, launchPart, type Report, readFields } from "./servers.ts";
import { readYaml } from "./yaml-reader.ts";

export interface ConfigFile {
	readonly path: string;
	readonly fields: Readonly<Record<string, unknown>>;
	readonly servers: readonly ConfiguredEntry[];
	/** In the form `FILE:LINE: "FIELD" …` */
	readonly problems: readonly string[];
	readonly extension?: Extension;
}

const maxBytes = 256 * 1024;
const extensionField = "pi-lsp";
const maxProblems = 100;
const parsedFiles = new StatCache<ConfigFile>(200);

/** The second is swissarmyhammer's. */
const repositoryFiles = [".pi-lsp.json", join(".swissarmyhammer", "config.yaml")];

/**
 * Up to the repository's or workspace's top; swissarmyhammer's needs an `lsp`. On a shared machine anyone may put one
 * above: the user, root or the owner of `from` must own it.
 */
export async function nearestConfig(from: string, disk: Disk = plainDisk): Promise<ConfigFile | undefined> {
	const top = (await repositoryOf(from, disk)) ?? (await workspaceOf(from, disk));
	for (let directory = from; ; directory = dirname(directory)) {
		for (const name of repositoryFiles) {
			const path = join(directory, name);
			const found = await readConfig(path, "repository", disk, (await disk.real(top)) ?? top);
			if (!found || (name !== repositoryFiles[0] && isEmpty(found))) continue;
			if (await isOwned(path, from, disk)) return found;
			return { ...empty(path), problems: [`${path}: does not count, because another user owns it`] };
		}
		if (directory === top) return undefined;
	}
}

async function isOwned(path: string, from: string, disk: Disk): Promise<boolean> {
	const user = process.getuid?.();
	if (user === undefined) return true;
	const [file, directory] = await Promise.all([disk.stats(path), disk.stats(from)]);
	return file !== undefined && [BigInt(user), 0n, directory?.uid].includes(file.uid);
}

type Source = "user" | "repository" | "extension";

/** Links must not lead out of `within`. */
export async function readConfig(
	path: string,
	who: Source,
	disk: Disk = plainDisk,
	within = "anywhere",
): Promise<ConfigFile | undefined> {
	const info = await disk.stats(path);
	if (!info || info.isDirectory() || (who !== "repository" && !info.isFile())) return undefined;
	const key = JSON.stringify([who, within, path]);
	const known = parsedFiles.get(key, info);
	if (known) return known.value;
	const content = await read(path, { maxBytes, within });
	const file =
		"text" in content
			? parseConfig(path, content.text, who)
			: { ...empty(path), problems: [`${path}: ${refusalWords[content.refused]}`] };
	parsedFiles.set(key, info, file);
	return file;
}

function parseConfig(path: string, text: string, who: Source): ConfigFile {
	try {
		const { value, repeated, lineOf } = path.endsWith(".yaml") ? readYaml(text) : readJson(text);
		const problems: string[] = [];
		let unreported = 0;
		const report: Report = (at, message) => {
			if (problems.length >= maxProblems) unreported++;
			else problems.push(`${path}:${lineOf(at)}: ${at.length > 0 ? `"${fieldName(at)}" ` : ""}${message}`);
		};
		for (const at of repeated) report(at, "stands here twice; the last one counts");
		if (!isObject(value)) report([], "must hold a JSON object");
		if (who === "extension" && isObject(value)) return { ...readExtension(path, value, report), problems };
		const { fields, entries } = isObject(value) ? readObject(value, [], who, report) : { fields: {}, entries: [] };
		if (unreported > 0) problems.push(`${path}: ${unreported} more mistakes`);
		return { path, fields, servers: entries, problems };
	} catch (error) {
		if (!(error instanceof JsonMistake)) throw error;
		return { ...empty(path), problems: [`${path}:${error.line}:${error.column}: ${error.message}`] };
	}
}

function readExtension(
	path: string,
	manifest: Readonly<Record<string, unknown>>,
	report: Report,
): Omit<ConfigFile, "problems"> {
	const { [extensionField]: own } = manifest;
	if (!isObject(own)) {
		report([extensionField], "must be an object with the languages that the package adds");
		return { path, fields: {}, servers: [] };
	}
	const { fields, entries } = readObject(own, [extensionField], "extension", report);
	return { path, fields: {}, servers: entries, extension: readAdditions(path, manifest, fields, report) };
}

function readObject(
	value: Readonly<Record<string, unknown>>,
	at: JsonPath,
	who: Source,
	report: Report,
): { readonly fields: Record<string, unknown>; readonly entries: readonly ConfiguredEntry[] } {
	const known = who === "extension" ? extensionFields : settingFields;
	const fields = readFields(known, value, at, report);
	for (const [name, { user, as }] of Object.entries(settingFields))
		if (user && who === "repository" && Object.hasOwn(value, name)) {
			report([...at, name], "counts in the user's own configuration only");
			delete fields[as ?? name];
		}
	const entries = fields.servers === undefined ? [] : readServers(fields.servers, [...at, "servers"], servers, report);
	if (fields.languages !== undefined)
		entries.push(...readLanguages(fields.languages, [...at, "languages"], servers, report));
	delete fields.servers;
	delete fields.languages;
	const { lsp } = fields;
	// Other tools keep these settings in an object `lsp`.
	if (!isObject(lsp)) return { fields, entries };
	if (at.length > 0) {
		report([...at, "lsp"], "must be true or false here");
		return { fields: { ...fields, lsp: true }, entries };
	}
	const inner = readObject(lsp, ["lsp"], who, report);
	return { fields: { ...fields, lsp: true, ...inner.fields }, entries: [...entries, ...inner.entries] };
}

export function launchLines(file: ConfigFile | undefined): string[] {
	const lines: string[] = [];
	for (const entry of file?.servers ?? [])
		for (const [name, value] of Object.entries(launchPart(entry, servers)))
			lines.push(`${entry.id}: ${name} = ${canonical(value)}`);
	for (const [name, value] of Object.entries(file?.fields ?? {}))
		if (settingFields[name]?.launch) lines.push(`${name} = ${canonical(value)}`);
	return lines.sort();
}

function canonical(value: unknown): string {
	return JSON.stringify(value, (_, item: unknown) =>
		isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
	);
}

const maxShown = 200;

function fieldName(at: JsonPath): string {
	const name = at.map((part) => (typeof part === "number" ? `[${part}]` : `.${part.slice(0, maxShown)}`)).join("");
	return name
		.replace(/^\./, "")
		.slice(0, maxShown)
		.replace(/[^\x20-\x7e\u00a1-\u1fff\u3000-\ud7ff]/g, "?");
}

function isEmpty({ fields, servers: entries, problems }: ConfigFile): boolean {
	return Object.keys(fields).length + entries.length + problems.length === 0;
}

function empty(path: string): ConfigFile {
	return { path, fields: {}, servers: [], problems: [] };
}
