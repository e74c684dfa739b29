import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Evidence } from "../../server.ts";
import type { Directories } from "./directories.ts";
import { matchesWildcard } from "./wildcard.ts";

export interface Level {
	readonly directory: string;
	readonly names: ReadonlySet<string>;
}

/** No promise if names are enough: each check asks often. */
export function containsEvidence(
	level: Level,
	evidence: Evidence,
	directories: Directories,
): boolean | Promise<boolean> {
	const { names } = level;
	const { files = [], packages = [], mentions } = evidence;
	if (files.some((file) => containsName(names, file))) return true;
	const mayDepend = packages.length > 0 && names.has("package.json");
	const mayMention = mentions !== undefined && Object.keys(mentions).some((name) => names.has(name));
	return mayDepend || mayMention ? readsEvidence(level.directory, evidence, directories) : false;
}

/** Without the home directory, whose files are personal (`~/.cargo/config.toml`). */
export function pathsUpward(from: string, names: readonly string[]): string[] {
	const home = homedir();
	const places: string[] = [];
	for (let at = from; ; at = dirname(at)) {
		if (at !== home) places.push(...names.map((name) => join(at, name)));
		if (at === dirname(at)) return places;
	}
}

export function containsName(names: ReadonlySet<string>, wanted: string): boolean {
	return wanted.includes("*") ? [...names].some((name) => matchesWildcard(name, wanted)) : names.has(wanted);
}

export function matchingNames(names: ReadonlySet<string>, wanted: readonly string[]): string[] {
	return wanted.flatMap((one) => {
		if (one.includes("*")) return [...names].filter((name) => matchesWildcard(name, one));
		return names.has(one) ? [one] : [];
	});
}

async function readsEvidence(
	directory: string,
	{ packages = [], mentions = {} }: Evidence,
	directories: Directories,
): Promise<boolean> {
	if (packages.length > 0 && (await dependsOn(directory, packages, directories))) return true;
	for (const [name, words] of Object.entries(mentions)) {
		const text = await directories.text(directory, name);
		if (text !== undefined && words.some((word) => isMentioned(text, word))) return true;
	}
	return false;
}

const sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

async function dependsOn(directory: string, packages: readonly string[], directories: Directories): Promise<boolean> {
	const manifest = await directories.json(directory, "package.json");
	return sections.some((section) => {
		const declared = manifest?.[section];
		if (typeof declared !== "object" || declared === null) return false;
		return packages.some((name) => Object.hasOwn(declared, name));
	});
}

function isMentioned(text: string, word: string): boolean {
	const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	const [before, after] = [/^\w/.test(word) ? "(?<![\\w-])" : "", /\w$/.test(word) ? "(?![\\w-])" : ""];
	const expression = new RegExp(before + escaped + after);
	return text.split("\n").some((line) => expression.test(line.replace(/(^|\s)#.*/, "")));
}
