import type fs from "node:fs";
import { basename, dirname, join } from "node:path";

type Call = (...args: unknown[]) => unknown;

/** Calls whose second argument is a path too. */
const ofTwoPaths = ["rename", "renameSync", "link", "linkSync"];

/**
 * `node:fs`, or `node:fs/promises`, as on a disk of macOS or Windows: a name is found in any case, and keeps the case
 * in which it was created or last renamed. Only for the trees of `withTree`.
 */
export function caseInsensitive<Module extends object>(module: Module, { readdirSync }: typeof fs): Module {
	const onDisk = (path: unknown): unknown => {
		const at = typeof path === "string" ? path.indexOf("/pl-writer-") : -1;
		if (typeof path !== "string" || at === -1) return path;
		return path
			.slice(at + 1)
			.split("/")
			.reduce((directory, name) => join(directory, nameOf(directory, name)), path.slice(0, at));
	};
	const nameOf = (directory: string, name: string): string => {
		let names: string[] = [];
		try {
			names = readdirSync(directory);
		} catch {
			// The path is missing, or no directory.
		}
		if (names.includes(name)) return name;
		return names.find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;
	};
	const wrapped = (name: string, call: Call): Call => {
		const made = (first: unknown, ...rest: unknown[]) => {
			const from = onDisk(first);
			if (!ofTwoPaths.includes(name)) return call(from, ...rest);
			const [second, ...more] = rest;
			const to = onDisk(second);
			// rename(2) gives the one file the new name.
			const isRespelt = name.startsWith("rename") && from === to && typeof second === "string";
			return call(from, isRespelt ? join(dirname(String(to)), basename(second)) : to, ...more);
		};
		const own = Object.entries(call).map(([key, value]) => [
			key,
			typeof value === "function" ? wrapped(key, value as Call) : value,
		]);
		return Object.assign(made, Object.fromEntries(own));
	};
	const isLookup = (name: string, value: unknown) => typeof value === "function" && !/^[A-Z_]/.test(name);
	const functions = Object.entries(module as Record<string, Call>).filter(([name, value]) => isLookup(name, value));
	const all = { ...module, ...Object.fromEntries(functions.map(([name, call]) => [name, wrapped(name, call)])) };
	return { ...all, default: all };
}
