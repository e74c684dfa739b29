import { execFile } from "node:child_process";
import { delimiter } from "node:path";
import { LspError } from "../contract/errors.ts";
import { childEnvironment } from "./environment.ts";
import { programPath, safePath } from "./find-program.ts";

/** How a program is run. */
export interface Running {
	readonly cwd: string;
	/** The directory from which no program is taken. */
	readonly workspace: string;
	/** The caller's environment; the program gets of it what a server would. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Further variables for the program. */
	readonly more?: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
	/** Bytes of its own data that the program may hold, on Linux, where the shell can say so; files that it maps do not count. */
	readonly maxMemory?: number;
	/** Bytes of output; a program that writes more is ended, and counts as failed. */
	readonly maxBytes: number;
}

/** What a program has written, and whether it says that it succeeded. */
export interface Ran {
	readonly ok: boolean;
	readonly stdout: string;
	readonly stderr: string;
}

const limitMs = 10_000;

/**
 * Runs a program to its end, without a shell, from the PATH that servers are started from. Rejects with
 * LSP_PREREQUISITE_MISSING, with LSP_SERVER_TIMEOUT after ten seconds, or with the signal's reason.
 */
export async function runProgram(
	program: string,
	args: readonly string[],
	{ cwd, workspace, env, more = {}, signal, maxBytes, maxMemory }: Running,
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
		} as const;
		const kilobytes = process.platform === "linux" && maxMemory !== undefined ? maxMemory / 1024 : undefined;
		const [run, words] =
			kilobytes === undefined
				? [file, args]
				: ["/bin/sh", ["-c", `ulimit -d ${kilobytes}; exec "$0" "$@"`, file, ...args]];
		execFile(run, words, options, (error, stdout, stderr) => {
			if (signal.aborted) reject(signal.reason);
			else if (error?.killed && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
				reject(new LspError("LSP_SERVER_TIMEOUT", `${program} did not answer within ${limitMs / 1000} s.`));
			else resolve({ ok: !error, stdout, stderr });
		});
	});
}
