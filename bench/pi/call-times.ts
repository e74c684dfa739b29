import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../test/support/workspace.ts";

/** When a tool call reached each stage, on the clock of its pi. */
export interface CallTimes {
	readonly started?: number;
	/** Extensions are asked before the tool runs. */
	readonly called?: number;
	/** The tool has run; extensions are asked about its result. */
	readonly done?: number;
	readonly ended?: number;
}

/** The probe of a workspace's pi writes its times here. */
export function timesFile(ws: Workspace): string {
	return join(ws.base, "times.json");
}

/** The times of the last pi of a workspace, for each tool call in order. */
export function readTimes(ws: Workspace): Required<CallTimes>[] {
	const all = JSON.parse(readFileSync(timesFile(ws), "utf8")) as CallTimes[];
	return all.map((call) => {
		const { started, called, done, ended } = call;
		if (started === undefined || called === undefined || done === undefined || ended === undefined)
			throw new Error(`a tool call was not seen to its end: ${JSON.stringify(call)}`);
		return { started, called, done, ended };
	});
}

/** The whole tool call, for which the agent waits. */
export function wholeCall({ started, ended }: Required<CallTimes>): number {
	return ended - started;
}

/** The time of extensions after the tool has run. */
export function afterTool({ done, ended }: Required<CallTimes>): number {
	return ended - done;
}

/** The time until the tool has run, its own work included. */
export function untilDone({ started, done }: Required<CallTimes>): number {
	return done - started;
}

/** The time between the baseline and the check of an edit. */
export function toolItself({ called, done }: Required<CallTimes>): number {
	return done - called;
}
