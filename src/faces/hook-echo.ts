import { appendFileSync, existsSync } from "node:fs";
import { basename } from "node:path";
import type { HostEvent } from "./hooks/event.ts";

/** A hook that was called, as a line of JSON in the file that this variable names. */
export interface HookCall {
	readonly host: string;
	readonly event: string;
	readonly phase: string;
	/** The program of the hook. */
	readonly script: string;
}

/** Set by `pi-lsp doctor --hosts`, which makes the file: a hook then asks no daemon. */
const variable = "PI_LSP_ECHO";

/** What the model has to read of the file's echo. */
export function echoText(file: string): string {
	return `pi-lsp: ${basename(file)}`;
}

/** The file; undefined if no echo is wanted. */
export function wantsEcho(): string | undefined {
	const file = process.env[variable];
	return file && existsSync(file) ? file : undefined;
}

/** What the model reads: only after an edit. */
export function echo(file: string, host: string, event: HostEvent | undefined, name: string): string | undefined {
	const call: HookCall = { host, event: event?.name ?? name, phase: event?.phase ?? "", script: process.argv[1] ?? "" };
	appendFileSync(file, `${JSON.stringify(call)}\n`);
	return event?.phase === "after" && event.call ? echoText(file) : undefined;
}

/** For the environment of a host. */
export function echoEnvironment(file: string): Readonly<Record<string, string>> {
	// An older pi-lsp does not know the variable, and asks no daemon either.
	return { [variable]: file, PI_LSP: "0" };
}
