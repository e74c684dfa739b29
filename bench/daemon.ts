import process from "node:process";
import type { CheckReport } from "../src/contract/check-report.ts";
import { connectDaemon, type DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { withServers } from "../test/live/languages.ts";
import type { Workspace } from "../test/support/workspace.ts";

/** Connects to a workspace's daemon, which finds this machine's servers on the PATH of its callers. */
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

export function checkFile(daemon: DaemonClient, cwd: string, file: string): Promise<CheckReport> {
	return daemon.call<CheckReport>("check", { cwd, input: { files: [file], scope: "file", timeout: 60_000 } });
}

/** Whether the file is proven to have an error; undefined if it is not proven. */
export function provenWrong({ files: [own] }: CheckReport): boolean | undefined {
	return own?.state === "fresh" ? own.diagnostics.some(({ severity }) => severity === "error") : undefined;
}
