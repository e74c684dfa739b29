import process from "node:process";
import { connectDaemon, type DaemonClient } from "../src/daemon/connect.ts";
import type { LateResult } from "../src/daemon/protocol.ts";
import type { CheckReport } from "../src/findings.ts";
import { withServers } from "../test/live/languages.ts";
import type { Workspace } from "../test/support/workspace.ts";

/** Runs `body` with a kept connection to a workspace's daemon, whose callers have this machine's servers on their PATH. */
export async function withDaemon<T>(ws: Workspace, body: (daemon: DaemonClient) => Promise<T>): Promise<T> {
	const path = process.env.PATH;
	const env = withServers(ws.env);
	// The daemon asks its caller for the environment of a server that it starts, and the caller is this process.
	process.env.PATH = env.PATH;
	const daemon = await connectDaemon(env);
	try {
		return await body(daemon);
	} finally {
		daemon.close();
		process.env.PATH = path;
	}
}

/** Checks one file as it is on disk. */
export function checkFile(daemon: DaemonClient, cwd: string, file: string): Promise<CheckReport> {
	return daemon.call<CheckReport>("check", { cwd, input: { files: [file], scope: "file", timeout: 60_000 } });
}

/** Whether the file itself is proven to have an error; undefined where nothing is proven. */
export function provenWrong({ files: [own] }: CheckReport): boolean | undefined {
	return own?.state === "fresh" ? own.diagnostics.some(({ severity }) => severity === "error") : undefined;
}

/**
 * Waits for the second look behind a session's answers: between two edits of an agent it has long ended, and it must not
 * slow down what is measured next, ours or the bare client's. Gives the calls that it told of, for the next check.
 */
export async function restOf(daemon: DaemonClient, session: string): Promise<string[]> {
	const told: string[] = [];
	for (let pending = 1; pending > 0; ) {
		const late = await daemon.call<LateResult>("late", { session, wait: 60_000 });
		pending = late.pending;
		told.push(...late.results.map(({ call }) => call));
	}
	return told;
}
