import { appendFileSync, existsSync } from "node:fs";
import { basename } from "node:path";
import type { HostEvent } from "./hooks/event.ts";

/** One line of JSON for each called hook, in the file that this variable names. */
export interface HookCall {
	readonly host: string;
	readonly event: string;
	readonly phase: string;
	readonly script: string;
}

/** Set with a file by `pi-lsp doctor --hosts`: hooks then ask no daemon. */
const variable = "PI_LSP_ECHO";

export function echoText(file: string): string {
	return `pi-lsp: ${basename(file)}`;
}

/** Undefined if no echo is wanted. */
export function wantsEcho(): string | undefined {
	const file = process.env[variable];
	return file && existsSync(file) ? file : undefined;
}

export function echo(file: string, host: string, event: HostEvent | undefined, name: string): string | undefined {
	const call: HookCall = { host, event: event?.name ?? name, phase: event?.phase ?? "", script: process.argv[1] ?? "" };
	appendFileSync(file, `${JSON.stringify(call)}\n`);
	return event?.phase === "after" && event.call ? echoText(file) : undefined;
}

export function echoEnvironment(file: string): Readonly<Record<string, string>> {
	// An older pi-lsp ignores the variable; this keeps it from the daemon.
	return { [variable]: file, PI_LSP: "0" };
}
