import { LspError } from "../../contract/errors.ts";
import { sweepOrphans } from "../../process/orphans.ts";
import { isAlive, pidOf, signalProcess } from "../../process/process-identity.ts";
import { deadline, pause } from "../../util/abort.ts";
import { type Address, addressOf } from "./address.ts";
import { DaemonClient, unresponsive } from "./connect.ts";
import { livingIdentity } from "./lock.ts";

/** The daemon leaves within 12 s. */
const [askMs, leaveMs, signalMs] = [1000, 15_000, 5000];

/** Resolves to the process id. Rejects with LSP_DAEMON_UNRESPONSIVE. */
export async function stopDaemon(env: NodeJS.ProcessEnv = process.env): Promise<number | undefined> {
	const address = addressOf(env);
	const identity = livingIdentity(address.lifeLock);
	const asked = await askToLeave(address);
	if (identity === undefined) return undefined;
	if (asked && (await isGone(identity, leaveMs))) return pidOf(identity);
	for (const signal of ["SIGTERM", "SIGKILL"] as const) {
		signalProcess(identity, signal);
		if (!(await isGone(identity, signalMs))) continue;
		sweepOrphans();
		return pidOf(identity);
	}
	throw unresponsive(address, `End the process ${pidOf(identity)} by hand.`);
}

async function askToLeave(address: Address): Promise<boolean> {
	const limit = deadline(askMs, () => unresponsive(address));
	let client: DaemonClient | undefined;
	try {
		client = (await DaemonClient.find(address))?.client;
		await client?.call("shutdown", {}, limit.signal);
		return client !== undefined;
	} catch (error) {
		if (error instanceof LspError && error.code !== "LSP_DAEMON_REFUSED") return error.code === "LSP_CONNECTION_LOST";
		throw error;
	} finally {
		limit.end();
		client?.close();
	}
}

async function isGone(identity: string, ms: number): Promise<boolean> {
	for (const end = Date.now() + ms; Date.now() < end; await pause(20)) if (!isAlive(identity)) return true;
	return !isAlive(identity);
}
