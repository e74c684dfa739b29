import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { findProgram } from "../../test/live/languages.ts";
import { runCommand } from "../../test/support/run-command.ts";
import type { Files } from "../../test/support/workspace.ts";
import { type BareClient, type BareServer, typescriptServer } from "../bare-client.ts";
import { bareServers } from "../languages.ts";
import { type Oracle, tscOracle } from "../oracle.ts";
import { typescript5Oracle } from "../oracle-typescript5.ts";
import { json } from "../registries.ts";
import { goModule, npmPackage, pythonPackage, rustCrate } from "../truth/packages.ts";

export type LanguageName = "TypeScript" | "Python" | "Go" | "Rust" | "C";

/** A real package to change, the server that changes it, and the compiler that judges. */
export interface ChangeSubject {
	/** The name of its rows in the table. */
	readonly name: string;
	readonly language: LanguageName;
	/** Without this program the subject is left out. */
	readonly program?: string;
	readonly files: () => Files;
	readonly isSource: (path: string) => boolean;
	readonly bare: () => BareServer;
	/** The compiler's errors in the tree, without pi-lsp. `bare` is a client for the unchanged tree. */
	readonly oracle: (root: string, bare: BareClient) => Oracle;
}

const compilerOptions = {
	target: "es2022",
	module: "esnext",
	moduleResolution: "bundler",
	lib: ["es2022", "dom"],
	strict: true,
	types: [],
	noEmit: true,
};

function isTypescript(path: string): boolean {
	return /^src\/.*\.tsx?$/.test(path) && !/\b(?:__tests__|tests?|spec)\b/.test(path);
}

function manifests(more: object = {}): Files {
	return {
		"package.json": json({ name: "corpus", version: "1.0.0", type: "module", private: true, ...more }),
		"tsconfig.json": json({ compilerOptions, include: ["src"] }),
	};
}

/** Files in TypeScript 7, by default those of redux. */
export function typescript7(files: () => Files = () => npmPackage("redux", "5.0.1", isTypescript)): ChangeSubject {
	return {
		name: "redux 5.0.1, TypeScript 7",
		language: "TypeScript",
		files: () => ({ ...manifests(), ...files() }),
		isSource: isTypescript,
		bare: () => ({ command: typescriptServer(), args: ["--lsp", "--stdio"], languageId: "typescript" }),
		oracle: (root) => tscOracle("typescript", root, [["--noEmit", "-p", "tsconfig.json"]], isTypescript),
	};
}

/** rxjs has many more functions than redux. */
export const rxjs: ChangeSubject = {
	...typescript7(() => npmPackage("rxjs", "7.8.2", isTypescript)),
	name: "rxjs 7.8.2, TypeScript 7",
};

export const typescript5: ChangeSubject = {
	name: "immer 11.2.10, TypeScript 5.9",
	language: "TypeScript",
	files: () => ({
		...manifests({ devDependencies: { typescript: "~5.9.0" } }),
		...npmPackage("immer", "11.2.10", isTypescript),
	}),
	isSource: isTypescript,
	bare: bareServers.typescript5,
	oracle: (root) => typescript5Oracle(root, ["tsconfig.json"], isTypescript),
};

const isPython = (path: string) => path.endsWith(".py");
const isGo = (path: string) => path.endsWith(".go") && !path.endsWith("_test.go");
const isRust = (path: string) => /^src\/.*\.rs$/.test(path);
const isC = (path: string) => /\.[ch]$/.test(path);

const python: ChangeSubject = {
	name: "packaging 25.0, pyright",
	language: "Python",
	program: "pyright-langserver",
	files: () => ({
		"pyproject.toml": `[project]\nname = "corpus"\n`,
		...pythonPackage("packaging", "25.0", (path) => /^packaging\/.*\.py$/.test(path)),
	}),
	isSource: isPython,
	bare: bareServers.pyright,
	oracle: pulledFrom(isPython),
};

const go: ChangeSubject = {
	name: "go-toml 2.3.1, gopls",
	language: "Go",
	program: "gopls",
	files: () =>
		goModule(
			"github.com/pelletier/go-toml/v2",
			"v2.3.1",
			(path) => path === "go.mod" || (isGo(path) && !path.startsWith("benchmark/")),
		),
	isSource: isGo,
	bare: bareServers.gopls,
	oracle: (root) => lineOracle(root, [["go", "vet", "./..."]], /^(?:vet: )?(\S+\.go):(\d+)(?::\d+)?: /gm),
};

const rust: ChangeSubject = {
	name: "regex-syntax 0.8.5, rust-analyzer",
	language: "Rust",
	program: "rust-analyzer",
	files: () => ({
		...rustCrate("regex-syntax", "0.8.5", isRust),
		"Cargo.toml": `[package]\nname = "regex-syntax"\nversion = "0.8.5"\nedition = "2021"\n\n[features]\ndefault = ["std", "unicode"]\nstd = []\nunicode = [${rustFeatures.map((name) => `"${name}"`).join(", ")}]\n${rustFeatures.map((name) => `${name} = []\n`).join("")}`,
	}),
	isSource: isRust,
	bare: () => ({
		command: "rust-analyzer",
		args: [],
		languageId: "rust",
		initializationOptions: { checkOnSave: false, cachePriming: { enable: false } },
	}),
	oracle: (root) =>
		lineOracle(root, [["cargo", "check", "--quiet", "--message-format=short"]], /^(\S+\.rs):(\d+):\d+: error\b/gm),
};

const rustFeatures = ["age", "bool", "case", "gencat", "perl", "script", "segment"].map((name) => `unicode-${name}`);

const c: ChangeSubject = {
	name: "lua 5.4.7, clangd",
	language: "C",
	program: "clangd",
	files: () => {
		const inCrate = "lua-5.4.7/";
		const crate = rustCrate("lua-src", "547.0.0", (path) => path.startsWith(inCrate) && isC(path));
		return Object.fromEntries(Object.entries(crate).map(([path, text]) => [path.slice(inCrate.length), text]));
	},
	isSource: isC,
	bare: () => ({ command: "clangd", args: ["--background-index=false"], languageId: "c" }),
	// Linking reports undefined functions of other units; debug information gives their lines.
	oracle: (root) => {
		const options = ["-w", "-g", "-fPIC", "-shared", "-Wl,-z,defs", "-fmax-errors=0", "-o", "/dev/null"];
		const units = () => readdirSync(root).filter((path) => path.endsWith(".c"));
		return () =>
			lineOracle(
				root,
				[["gcc", ...options, ...units(), "-lm", "-ldl"]],
				/^(?:\S+[: ])?(?:\S*\/)?([^\s/:]+\.[ch]):(\d+):(?:\d+: (?:fatal )?error: | (?:more )?undefined references? to )/gm,
			)();
	},
};

/** The packages for renames. */
export const renamed: readonly ChangeSubject[] = [typescript7(), typescript5, go, python];

/** The packages for edits of symbols. */
export const edited: readonly ChangeSubject[] = [typescript7(), python, go, rust, c];

/** The packages for questions about functions. */
export const asked: readonly ChangeSubject[] = [rxjs, python, go, rust];

export function isThere({ program }: ChangeSubject): boolean {
	return program === undefined || existsSync(findProgram(program) ?? "");
}

/** pyright has no other compiler; a whole run of it takes ten times as long as a bare client that opens the tree. */
function pulledFrom(isSource: (path: string) => boolean): ChangeSubject["oracle"] {
	return (root, bare) => {
		const first = textsIn(root, isSource);
		return async () => {
			const now = textsIn(root, isSource);
			const changed = Object.keys(now).filter((file) => now[file] !== first[file]);
			for (const file of changed) bare.change(file, now[file] ?? "");
			const errors = new Map<string, Set<string>>();
			await bare.pullable();
			for (const file of Object.keys(now)) {
				const found = (await bare.pull(file)).filter(({ severity }) => severity === 1);
				if (found.length > 0)
					errors.set(file, new Set(found.map(({ range, code }) => `${range.start.line + 1} ${code}`)));
			}
			for (const file of changed) bare.change(file, first[file] ?? "");
			return { errors, withoutFile: 0, outside: 0 };
		};
	};
}

function textsIn(root: string, isSource: (path: string) => boolean): Record<string, string> {
	const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(isSource).sort();
	return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Errors of programs that print one line for each; an error of several runs counts once. */
function lineOracle(root: string, runs: readonly (readonly string[])[], line: RegExp): Oracle {
	return async () => {
		const errors = new Map<string, Set<string>>();
		for (const [program = "", ...args] of runs) {
			const { PATH = "", HOME = root } = process.env;
			const { code, stdout, stderr } = await runCommand(program, args, {
				cwd: root,
				env: { PATH, HOME, LANG: "C.UTF-8" },
				timeoutMs: 180_000,
			});
			const output = `${stdout}\n${stderr}`;
			let found = 0;
			for (const [, path = "", at = ""] of output.matchAll(line)) {
				const file = path.replace(/^\.\//, "");
				errors.set(file, (errors.get(file) ?? new Set()).add(`${at} `));
				found++;
			}
			if (code !== 0 && found === 0) throw new Error(`${program} ended with ${code}: ${output.slice(0, 500)}`);
		}
		return { errors, withoutFile: 0, outside: 0 };
	};
}
