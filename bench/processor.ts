import { pause } from "../src/util/abort.ts";
import { processesOf } from "../test/support/processes.ts";
import { processorMs } from "../test/support/processor.ts";
import type { Workspace } from "../test/support/workspace.ts";

/** So long nobody may have worked, in milliseconds, and so much counts as nothing. */
const quietMs = 20;
const nothingMs = 1;
/** A server that has not come to rest by then never will. */
const maxMs = 10_000;

/**
 * Waits until none of a workspace's processes works, servers of both sides among them: what the last one clears up behind
 * its answer (a Go server collects on all processors, with 10,000 files for longer than 20 ms) would be taken from the time
 * of the next edit. An agent's edits are seconds apart.
 */
export async function untilQuiet({ runId }: Workspace): Promise<void> {
	const pids = processesOf(runId).map(({ pid }) => pid);
	const spent = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
	for (const end = performance.now() + maxMs; performance.now() < end; ) {
		const before = spent();
		await pause(quietMs);
		if (spent() - before < nothingMs) return;
	}
	throw new Error(`the processes of the run still work after ${maxMs} ms`);
}
