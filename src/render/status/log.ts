import { oneLine } from "../escape.ts";

/** A line of the daemon's log as a person reads it; one that is no event (Node's own last words) as it is. */
export function logLine(line: string): string {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return oneLine(line);
	}
	if (typeof value !== "object" || value === null || !("event" in value)) return oneLine(line);
	const { time, pid, event, ...facts } = value as Record<string, unknown>;
	const told = Object.entries(facts).map(([name, fact]) => `${name}=${oneLine(String(fact))}`);
	return [time, pid, event, ...told].join(" ");
}
