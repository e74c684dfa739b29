import { oneLine } from "../escape.ts";

/** Keeps other lines, such as a fatal error of Node. */
export function logLine(line: string): string {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return oneLine(line);
	}
	if (typeof value !== "object" || value === null || !("event" in value)) return oneLine(line);
	const { time, pid, event, ...facts } = value as Record<string, unknown>;
	const fields = Object.entries(facts).map(([name, fact]) => `${name}=${oneLine(String(fact))}`);
	return [time, pid, event, ...fields].join(" ");
}
