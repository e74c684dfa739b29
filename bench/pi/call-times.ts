import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../test/support/workspace.ts";

/** When a tool call passed each of its stations, on the clock of its pi. */
export interface CallTimes {
	readonly started?: number;
	/** Extensions are asked before the tool runs. */
	readonly called?: number;
	/** The tool has run; extensions are asked about its result. */
	readonly done?: number;
	readonly ended?: number;
}

/** Where the probe of a workspace's pi leaves its times. */
export function timesFile(ws: Workspace): string {
	return join(ws.base, "times.json");
}

/** The times that the last pi of a workspace left, one for each tool call in their order. */
export function readTimes(ws: Workspace): Required<CallTimes>[] {
	const all = JSON.parse(readFileSync(timesFile(ws), "utf8")) as CallTimes[];
	return all.map((call) => {
		const { started, called, done, ended } = call;
		if (started === undefined || called === undefined || done === undefined || ended === undefined)
			throw new Error(`a tool call was not seen to its end: ${JSON.stringify(call)}`);
		return { started, called, done, ended };
	});
}

/** The whole tool call, as the agent waits for it. */
export function wholeCall({ started, ended }: Required<CallTimes>): number {
	return ended - started;
}

/** What extensions do after the tool has run. */
export function afterTool({ done, ended }: Required<CallTimes>): number {
	return ended - done;
}

/** What comes before a tool has run, its own work included. */
export function untilDone({ started, done }: Required<CallTimes>): number {
	return done - started;
}

/** What lies between the baseline and the check of an edit. */
export function toolItself({ called, done }: Required<CallTimes>): number {
	return done - called;
}
