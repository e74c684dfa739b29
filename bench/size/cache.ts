import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The large projects are outside the checkout and never committed. */
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-bench");

/** For a registry's client, in milliseconds. */
const longestMs = 600_000;

/** The directory of a project in the cache; `make` fills it the first time. A changed recipe needs a new key. */
export function cached(key: string, make: (into: string) => void): string {
	const directory = join(folder, key);
	if (existsSync(directory)) return directory;
	const partial = `${directory}.${process.pid}`;
	mkdirSync(partial, { recursive: true });
	try {
		make(partial);
		renameSync(partial, directory);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
	return directory;
}

/** Returns the standard output; the standard error becomes the error's message. */
export function run(
	program: string,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): string {
	return execFileSync(program, args, {
		cwd,
		env: { ...process.env, ...env },
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
		timeout: longestMs,
		maxBuffer: 2 ** 30,
	});
}

export function json(value: unknown): string {
	return `${JSON.stringify(value, null, "\t")}\n`;
}
