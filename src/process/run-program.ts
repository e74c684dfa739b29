import { execFile } from "node:child_process";
import { delimiter } from "node:path";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "./environment.ts";
import { programPath, safePath } from "./find-program.ts";

export interface Running {
	readonly cwd: string;
	readonly workspace: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly more?: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
	/** Of the data segment, on Linux. */
	readonly maxMemory?: number;
	readonly maxBytes: number;
	readonly input?: string;
	/** Of output; default: utf8. */
	readonly encoding?: "latin1";
}

export interface Ran {
	readonly ok: boolean;
	readonly stdout: string;
	readonly stderr: string;
}

const limitMs = 10_000;

/** Rejects with LSP_PREREQUISITE_MISSING, LSP_SERVER_TIMEOUT, or the signal's reason. */
export async function runProgram(
	program: string,
	args: readonly string[],
	{ cwd, workspace, env, more = {}, signal, maxBytes, maxMemory, input, encoding }: Running,
): Promise<Ran> {
	const file = program.includes("/") ? program : await programPath(program, workspace, env);
	if (!file) throw new LspError("LSP_PREREQUISITE_MISSING", `${program} not found.`, { missing: program });
	const PATH = (await safePath(env.PATH ?? "", workspace)).join(delimiter);
	return new Promise((resolve, reject) => {
		const options = {
			cwd,
			env: { ...childEnvironment(env), PATH, PAGER: "cat", ...more },
			timeout: limitMs,
			killSignal: "SIGKILL",
			maxBuffer: maxBytes,
			signal,
			encoding: encoding ?? "utf8",
		} as const;
		const kilobytes = process.platform === "linux" && maxMemory !== undefined ? maxMemory / 1024 : undefined;
		const [run, words] =
			kilobytes === undefined
				? [file, args]
				: ["/bin/sh", ["-c", `ulimit -d ${kilobytes}; exec "$0" "$@"`, file, ...args]];
		const child = execFile(run, words, options, (error, stdout, stderr) => {
			if (signal.aborted) reject(signal.reason);
			else if (error?.killed && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
				reject(new LspError("LSP_SERVER_TIMEOUT", `${program} did not answer within ${limitMs / 1000} s.`));
			else resolve({ ok: !error, stdout, stderr });
		});
		if (input === undefined) return;
		// A program may end early without reading its input.
		child.stdin?.on("error", () => {});
		child.stdin?.end(input);
	});
}
