import { pause } from "../src/util/abort.ts";
import { processesOf } from "../test/support/processes.ts";
import { processorMs } from "../test/support/processor.ts";
import type { Workspace } from "../test/support/workspace.ts";

/** No process may have worked this long, in milliseconds; less than `nothingMs` does not count. */
const quietMs = 20;
const nothingMs = 1;
/** A server that is not idle by then never will be. */
const maxMs = 10_000;

/**
 * Waits until no process of a workspace works, the servers of both sides included. Work behind the last answer (a Go server
 * collects on all processors, with 10,000 files for longer than 20 ms) would slow the next edit down, while an agent's
 * edits are seconds apart.
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
