import process from "node:process";
import { processesOf } from "../../support/processes.ts";
import type { Workspace } from "../../support/workspace.ts";
import { piEnvironment } from "./pi-home.ts";

/** A language server that can be stopped in the middle of its work, so that a check takes as long as a test wants. */
export interface HeldServer {
	hold(): void;
	release(): void;
}

/** Starts the server of a file and gives it to a test to stop; at the end it is released in any case. */
export async function withHeldServer(
	ws: Workspace,
	file: string,
	body: (server: HeldServer) => Promise<void>,
): Promise<void> {
	// Callers with another environment have a server of their own.
	await ws.cli(["check", file, "--timeout", "30000"], { env: piEnvironment(ws) });
	const signal = (name: NodeJS.Signals) => {
		const servers = processesOf(ws.runId).filter(({ argv }) => argv.includes("--stdio"));
		if (servers.length === 0) throw new Error("no language server runs");
		for (const { pid } of servers) process.kill(pid, name);
	};
	try {
		await body({ hold: () => signal("SIGSTOP"), release: () => signal("SIGCONT") });
	} finally {
		signal("SIGCONT");
	}
}
