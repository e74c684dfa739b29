import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Evidence } from "../../server.ts";
import type { Directories } from "./directories.ts";
import { fits } from "./wildcard.ts";

/** A directory and the names in it. */
export interface Level {
	readonly directory: string;
	readonly names: ReadonlySet<string>;
}

/**
 * True if a directory holds one of the things that are looked for. Every check asks for some ten servers and all the
 * directories above a file; where the names alone tell, the answer is there at once.
 */
export function holds(level: Level, evidence: Evidence, directories: Directories): boolean | Promise<boolean> {
	const { names } = level;
	const { files = [], packages = [], mentions } = evidence;
	if (files.some((file) => holdsName(names, file))) return true;
	const mayDepend = packages.length > 0 && names.has("package.json");
	const mayMention = mentions !== undefined && Object.keys(mentions).some((name) => names.has(name));
	return mayDepend || mayMention ? says(level.directory, evidence, directories) : false;
}

/**
 * Where files of these names would count for a tool that looks for them in a directory and in all above it. The home
 * directory is left out: what lies there is the person's own (`~/.cargo/config.toml`).
 */
export function placesUpward(from: string, names: readonly string[]): string[] {
	const home = homedir();
	const places: string[] = [];
	for (let at = from; ; at = dirname(at)) {
		if (at !== home) places.push(...names.map((name) => join(at, name)));
		if (at === dirname(at)) return places;
	}
}

/** True if one of the names is the wanted one, in which `*` stands for any run of characters. */
export function holdsName(names: ReadonlySet<string>, wanted: string): boolean {
	return wanted.includes("*") ? [...names].some((name) => fits(name, wanted)) : names.has(wanted);
}

/** Those of the names that are among the wanted ones, in which `*` stands for any run of characters. */
export function namesOf(names: ReadonlySet<string>, wanted: readonly string[]): string[] {
	return wanted.flatMap((one) => {
		if (one.includes("*")) return [...names].filter((name) => fits(name, one));
		return names.has(one) ? [one] : [];
	});
}

async function says(
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

/** True if a word stands in a text by itself, outside what `#` makes a comment. */
function isMentioned(text: string, word: string): boolean {
	const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	const [before, after] = [/^\w/.test(word) ? "(?<![\\w-])" : "", /\w$/.test(word) ? "(?![\\w-])" : ""];
	const expression = new RegExp(before + escaped + after);
	return text.split("\n").some((line) => expression.test(line.replace(/(^|\s)#.*/, "")));
}
