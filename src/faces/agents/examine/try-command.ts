import { basename, delimiter, isAbsolute } from "node:path";
import { asLspError } from "../../../contract/errors.ts";
import { childEnvironment } from "../../../process/environment.ts";
import { findProgram } from "../../../process/find-program.ts";
import { type RunOptions, runToEnd } from "../../../process/run-to-end.ts";
import { shellWord } from "../../../render/shell-word.ts";
import type { CommandView } from "../../../render/status/hosts.ts";
import { attempt } from "../../../util/attempt.ts";
import { statOf } from "../../../util/files.ts";
import { isInside } from "../../../util/paths.ts";
import { commandsIn } from "../../skills/shell-words.ts";
import { withoutGuard } from "../host.ts";

export interface TryContext {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly path: readonly string[];
	readonly repository: string | undefined;
	/** Of this pi-lsp. */
	readonly version: string;
	readonly signal: AbortSignal;
}

const limitMs = 10_000;

/** Without a name a hook answers `{}` and asks no server. */
const event = "{}";
const initialize = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pi-lsp doctor", version: "1" } },
};

function wordsOf(command: unknown): readonly string[] {
	if (Array.isArray(command)) return command.map(String);
	if (typeof command === "string") {
		const [only = [], ...more] = commandsIn(withoutGuard(command)) ?? [];
		return more.length > 0 ? [] : only.map(({ text }) => text);
	}
	if (typeof command !== "object" || command === null) return [];
	const { command: program, args = [] } = command as { readonly command?: unknown; readonly args?: unknown };
	return [...(Array.isArray(program) ? program : [program]), ...(Array.isArray(args) ? args : [])].map(String);
}

export function isOwnHook(command: string): boolean {
	const words = wordsOf(command);
	return isOurs(words.slice(0, words.indexOf("hook")));
}

/** Runs only pi-lsp in the form that `init` writes, outside any repository. */
export async function tryCommand(command: unknown, context: TryContext): Promise<CommandView> {
	const words = wordsOf(command);
	const shown = words.length > 0 ? words.map(shellWord).join(" ") : JSON.stringify(command);
	const at = words.findIndex((word) => word === "hook" || word === "mcp");
	const own = words.slice(0, at);
	if (!isOurs(own)) return { command: shown, condition: "not_tried", error: "`pi-lsp init` writes none of this form." };
	const missing = await missingOf(own, context);
	if (missing !== undefined) return { command: shown, condition: "missing", error: missing };
	try {
		const version = await versionOf([...own, "--version"], context);
		if (version === undefined) return { command: shown, condition: "broken", error: "It does not tell its version." };
		const isHook = words[at] === "hook";
		const asked = isHook ? { input: event } : { input: `${JSON.stringify(initialize)}\n`, answers: true };
		const lines = await linesOf(words, asked, context);
		if (!lines.some((line) => (isHook ? isObject(line) : isInitialized(line))))
			return {
				command: shown,
				condition: "broken",
				version,
				error: `It does not answer: ${lines.at(-1) ?? "nothing"}`,
			};
		return { command: shown, condition: version === context.version ? "answers" : "outdated", version };
	} catch (error) {
		return { command: shown, condition: "broken", error: asLspError(error).message };
	}
}

function isOurs([program = "", script, ...more]: readonly string[]): boolean {
	if (more.length > 0) return false;
	if (script === undefined) return /^pi-lsp(?:\.cmd|\.exe)?$/.test(basename(program));
	return /^node(?:\.exe)?$/.test(basename(program)) && /^(?:cli\.cjs|pi-lsp)$/.test(basename(script));
}

async function missingOf(words: readonly string[], { path, repository }: TryContext): Promise<string | undefined> {
	const [program = "", script] = words;
	for (const file of words)
		if (isAbsolute(file) && repository !== undefined && isInside(file, repository))
			return `${file} lies in this repository, of which nothing is run.`;
	if ((await findProgram(program, path, repository)) === undefined)
		return isAbsolute(program) ? `${program} is not there.` : `${program} is not on PATH.`;
	if (script !== undefined && !(await statOf(script))?.isFile()) return `${script} is not there.`;
	return undefined;
}

export async function versionOfProgram(
	program: string,
	context: TryContext,
): Promise<{ readonly version?: string; readonly error?: string }> {
	try {
		const version = await versionOf([program, "--version"], context);
		return version === undefined ? { error: `${program} --version tells none.` } : { version };
	} catch (error) {
		return { error: asLspError(error).message };
	}
}

async function versionOf(words: readonly string[], context: TryContext): Promise<string | undefined> {
	const lines = await linesOf(words, {}, context);
	return lines.flatMap((line) => /\d+\.\d+(?:[\w.+-]*\w)?/.exec(line) ?? [])[0];
}

async function linesOf(
	[program = "", ...args]: readonly string[],
	asked: Pick<RunOptions, "input" | "answers">,
	{ home, env, path, repository, signal }: TryContext,
): Promise<readonly string[]> {
	const file = await findProgram(program, path, repository);
	if (file === undefined) throw new Error(`${program} is not on PATH.`);
	const lines: string[] = [];
	const launch = { file, args, cwd: home, env: { ...childEnvironment(env), PATH: path.join(delimiter) } };
	const { code, timedOut } = await runToEnd(launch, {
		...asked,
		signal,
		limitMs,
		onLine: (line) => lines.push(line),
	});
	if (timedOut) throw new Error(`It did not end within ${limitMs / 1000} s.`);
	if (code !== 0) throw new Error(`It ended with exit code ${code}${lines.length > 0 ? `: ${lines.at(-1)}` : "."}`);
	return lines;
}

function isObject(line: string): boolean {
	const value = parsed(line);
	return typeof value === "object" && value !== null;
}

function isInitialized(line: string): boolean {
	const { id, result } = (parsed(line) ?? {}) as { readonly id?: unknown; readonly result?: { serverInfo?: unknown } };
	return id === 1 && result?.serverInfo !== undefined;
}

function parsed(line: string): unknown {
	return attempt(() => JSON.parse(line));
}
