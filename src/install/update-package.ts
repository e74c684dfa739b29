import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { findProgram } from "../process/find-program.ts";
import { type RunEnd, runToEnd } from "../process/run-to-end.ts";
import { commandLine, type Env, type Step } from "./plan.ts";

export interface StepContext {
	readonly cwd: string;
	readonly env: Env;
	readonly path: string;
	readonly signal: AbortSignal;
}

const viewMs = 30_000;
/** Without a network npm would try for two minutes. */
const impatient = ["--fetch-retries=0", "--fetch-timeout=20000"];
const installMs = 600_000;
const lastLines = 12;

/** By npm's ordinary client. Rejects with LSP_INSTALL_FAILED and a reason. */
export async function newestVersion(context: StepContext): Promise<string> {
	// Without a network npm would answer from its cache.
	const cache = await mkdtemp(join(tmpdir(), "pi-lsp-npm-"));
	const args = ["view", "pi-lsp@latest", "version", "--json", "--cache", cache, ...impatient];
	const { output, code, timedOut } = await end({ program: "npm", args }, context, viewMs).finally(() =>
		rm(cache, { recursive: true, force: true }),
	);
	const [, version] = /^"(\d+\.\d+\.\d+[\w.+-]*)"$/m.exec(output) ?? [];
	if (code === 0 && version !== undefined) return version;
	throw unknown(timedOut ? `npm did not answer within ${viewMs / 1000} s` : whyNot(output));
}

const unreachable = /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/;

function whyNot(output: string): string {
	const [, code] = /(?:\bcode |"code": ")(E\w+)/.exec(output) ?? [];
	if (code === undefined) return `npm says: ${output.trim().split("\n")[0]}`;
	if (unreachable.test(code)) return `npm does not reach its registry (${code}): there is no network`;
	return code === "E404" ? "npm's registry has no pi-lsp (E404)" : `npm says ${code}`;
}

function unknown(why: string): LspError {
	return new LspError("LSP_INSTALL_FAILED", `The newest version is not known: ${why}.`);
}

/** Rejects with LSP_INSTALL_FAILED and the last output. */
export async function updatePackage(step: Step, context: StepContext): Promise<void> {
	const { code, signal, timedOut, output } = await end(step, context, installMs);
	if (code === 0) return;
	const how = timedOut ? `did not end within ${installMs / 1000} s` : `ended with ${signal ?? `code ${code}`}`;
	const tail = output.trimEnd().split("\n").slice(-lastLines).join("\n");
	throw new LspError("LSP_INSTALL_FAILED", `${commandLine(step)}: it ${how}.${tail ? `\n${tail}` : ""}`);
}

async function end({ program, args }: Step, context: StepContext, limitMs: number): Promise<RunEnd> {
	const { cwd, env, path, signal } = context;
	const file = await findProgram(program, path.split(delimiter), undefined);
	if (file === undefined) throw new LspError("LSP_PREREQUISITE_MISSING", `${program} is not on PATH.`);
	const own = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined);
	const launch = { file, args, cwd, env: { ...Object.fromEntries(own), PATH: path } };
	return runToEnd(launch, { signal, limitMs, onLine: () => {} });
}
