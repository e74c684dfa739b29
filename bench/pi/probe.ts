import { writeFileSync } from "node:fs";
import process from "node:process";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { CallTimes } from "./call-times.ts";

/**
 * An extension that records when each tool call of a pi begins and ends. It is loaded before the measured one, so that its
 * handlers run first: the time between them and the call's end is pi's and the other extension's.
 */
export default function probe(pi: ExtensionAPI): void {
	const calls = new Map<string, CallTimes>();
	const file = process.env.PI_LSP_BENCH_TIMES;
	const note = (id: string, name: keyof CallTimes) => {
		calls.set(id, { ...calls.get(id), [name]: performance.now() });
	};
	pi.on("tool_execution_start", (event) => note(event.toolCallId, "started"));
	pi.on("tool_call", (event) => note(event.toolCallId, "called"));
	pi.on("tool_result", (event) => note(event.toolCallId, "done"));
	pi.on("tool_execution_end", (event) => note(event.toolCallId, "ended"));
	// Written at exit, so that no write disturbs a measurement.
	process.once("exit", () => file && writeFileSync(file, JSON.stringify([...calls.values()])));
}
