import { readFileSync } from "node:fs";
import process from "node:process";

/** Milliseconds on a clock that all processes of this machine share. */
export function machineMs(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}

/** A `performance.now()` of this process on that clock. */
export function onMachine(now: number): number {
	return now + machineMs() - performance.now();
}

/** When a tool call began and ended, on the machine's clock. */
export interface ToolTimes {
	readonly started: number;
	readonly ended: number;
}

/** The times that a pi's probe has written so far, by the id of the call. */
export function readTimes(file: string): Map<string, ToolTimes> {
	const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
	const calls = lines.map((line) => JSON.parse(line) as ToolTimes & { readonly id: string });
	return new Map(calls.map(({ id, started, ended }) => [id, { started, ended }]));
}
