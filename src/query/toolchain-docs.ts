import { basename, dirname, extname, join, parse, relative, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Settings } from "../config/read-settings.ts";
import { trustSuggestion } from "../config/trust.ts";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "../process/environment.ts";
import { withoutBroughtPaths } from "../process/find-program.ts";
import { type Ran, type Running, runProgram } from "../process/run-program.ts";
import { goModulePath } from "../project/manifests/go-mod.ts";
import { pythonEnvironment } from "../project/python-environment.ts";
import { ancestors } from "../project/workspace-of.ts";
import type { WorkspaceFile } from "../routing/locate.ts";
import { anySource, readText } from "../util/read-file.ts";
import { plainName } from "./document-symbols.ts";
import { sysrootDocs } from "./rust-docs.ts";

const documentedLanguages = ["go", "python", "rust"] as const;
export type DocumentedLanguage = (typeof documentedLanguages)[number];

export interface ToolchainDocs {
	readonly text?: string;
	readonly command: string;
	readonly reason?: string;
}

export interface DocsQuestion {
	readonly symbol: string;
	readonly language: DocumentedLanguage;
	readonly place: WorkspaceFile | undefined;
	/** Real and absolute. */
	readonly cwd: string;
	readonly workspace: string;
	readonly settings: Settings;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
}

const maxBytes = 1024 * 1024;

/** Arguments of programs: no option, path or script. */
const forms: Readonly<Record<DocumentedLanguage, RegExp>> = {
	go: /^[\p{L}_][\p{L}\p{N}_~-]*(?:[./][\p{L}\p{N}_][\p{L}\p{N}_~-]*)*$/u,
	python: /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u,
	rust: /^[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*$/u,
};

export function documentedLanguage(path: string): DocumentedLanguage | undefined {
	return ({ ".go": "go", ".py": "python", ".pyi": "python", ".rs": "rust" } as const)[extname(path)];
}

/**
 * Runs nothing of an untrusted repository. Rejects with LSP_INVALID_INPUT, LSP_PREREQUISITE_MISSING,
 * LSP_SERVER_UNTRUSTED or LSP_SERVER_TIMEOUT.
 */
export async function toolchainDocs(question: DocsQuestion): Promise<ToolchainDocs> {
	const { language } = question;
	const symbol = plainName(question.symbol);
	if (!forms[language].test(symbol))
		throw new LspError("LSP_INVALID_INPUT", `"${question.symbol}" is no name of a symbol in ${language}.`);
	if (language === "go") return goDocs(symbol, question);
	return language === "python" ? pythonDocs(symbol, question) : rustDocs(symbol, question);
}

/** `go doc` runs no sources; the variables prevent downloads of modules and of a `toolchain` line's Go. */
async function goDocs(symbol: string, { place, ...question }: DocsQuestion): Promise<ToolchainDocs> {
	const cwd = place ? dirname(place.path) : question.cwd;
	const command = `go doc ${symbol}`;
	const more = { GOTOOLCHAIN: "local", GOPROXY: "off", GOFLAGS: "" };
	const { ok, stdout, stderr } = await run("go", ["doc", "--", symbol], { ...question, cwd, more });
	if (ok && stdout !== "") return { text: await withImportPath(stdout, cwd, question.workspace), command };
	return stderr === "" ? { command } : { command, reason: stderr };
}

async function withImportPath(text: string, directory: string, workspace: string): Promise<string> {
	const [line = ""] = text.split("\n", 1);
	if (!line.endsWith('// import "."')) return text;
	for (const above of ancestors(directory, workspace)) {
		const manifest = await readText(join(above, "go.mod"), anySource);
		const module = goModulePath(manifest ?? "");
		if (module === undefined) continue;
		const path = [module, ...relative(above, directory).split(sep).filter(Boolean)].join("/");
		return `${line.slice(0, -'"."'.length)}"${path}"${text.slice(line.length)}`;
	}
	return text;
}

/** pydoc imports modules, first from its working directory: without trust it runs isolated. */
async function pythonDocs(symbol: string, question: DocsQuestion): Promise<ToolchainDocs> {
	const { place, workspace, env, settings } = question;
	const python = process.platform === "win32" ? "python" : "python3";
	const command = `${python} -m pydoc ${symbol}`;
	const ask = async (program: string, args: readonly string[], name: string, cwd: string) => {
		const { ok, stdout } = await run(program, [...args, "-m", "pydoc", name], { ...question, cwd });
		return !ok || stdout === "" || /^No Python documentation found/i.test(stdout) ? undefined : stdout;
	};
	if (!settings.trusted) {
		const text = await ask(python, ["-I"], symbol, parse(workspace).root);
		if (text !== undefined) return { text, command };
		throw new LspError(
			"LSP_SERVER_UNTRUSTED",
			`\`${command}\` would import what the repository brings, so it was not run here.`,
			{ language: "python", command, suggestion: trustSuggestion },
		);
	}
	const cwd = place ? dirname(place.path) : question.cwd;
	const interpreter = (await pythonEnvironment(cwd, workspace, env))?.interpreter ?? python;
	const inModule = place && `${basename(place.path).replace(/\.pyi?$/, "")}.${symbol}`;
	const text = (await ask(interpreter, [], symbol, cwd)) ?? (inModule && (await ask(interpreter, [], inModule, cwd)));
	return text === undefined ? { command } : { text, command };
}

/** `cargo doc` would run build scripts. */
async function rustDocs(symbol: string, question: DocsQuestion): Promise<ToolchainDocs> {
	const command = "rustc --print sysroot";
	if (!/^(?:std|core|alloc|proc_macro)(?:::|$)/.test(symbol)) return { command };
	// No `rust-toolchain.toml` has an effect there.
	const cwd = parse(question.workspace).root;
	const { ok, stdout, stderr } = await run("rustc", ["--print", "sysroot"], { ...question, cwd });
	if (!ok) return stderr === "" ? { command } : { command, reason: stderr };
	const text = await sysrootDocs(stdout.trim(), symbol);
	return text === undefined ? { command } : { text, command };
}

async function run(
	program: string,
	args: readonly string[],
	question: Pick<Running, "workspace" | "env" | "signal" | "cwd" | "more"> & Pick<DocsQuestion, "settings">,
): Promise<Ran> {
	const { workspace, settings } = question;
	const inherited = childEnvironment(question.env);
	const env = settings.trusted ? inherited : await withoutBroughtPaths(inherited, workspace);
	const plain = (text: string) => stripVTControlCharacters(text).trimEnd();
	const { ok, stdout, stderr } = await runProgram(program, args, { ...question, env, maxBytes });
	return { ok, stdout: plain(stdout), stderr: plain(stderr) };
}
