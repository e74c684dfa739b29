import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { ConnectionClosedError } from "../jsonrpc/connection.ts";
import { describeExit, type Exit, type LaunchCommand } from "../process/server-process.ts";
import type { Transport } from "../process/transport.ts";
import { Complaint } from "./complaint.ts";

interface FailedStart {
	readonly config: ServerConfig;
	readonly launch: LaunchCommand;
	readonly process: Pick<Transport, "passive" | "stderrTail">;
	readonly exit: Exit;
	readonly output: string;
}

export function startError({ config, launch, process, exit, output }: FailedStart, cause: unknown): LspError {
	const why = cause instanceof ConnectionClosedError ? describeExit(exit, process.passive) : (cause as Error).message;
	const { stray: stdout, messages } = readFirstOutput(output);
	const complaint = new Complaint();
	for (const { method, params } of messages) complaint.received(String(method), params);
	const words = complaint.text ?? (lastLine(process.stderrTail(300)) || lastLine(stdout.slice(-300)));
	return new LspError(
		"LSP_SERVER_START_FAILED",
		`${config.id} failed to start: ${why}${words ? `: ${words.replace(/\.$/, "")}` : ""}.`,
		{
			...aboutServer(config),
			command: [launch.file, ...launch.args].join(" "),
			exit_code: exit.code,
			stderr: process.stderrTail(),
			...(stdout ? { stdout } : {}),
		},
		{ cause },
	);
}

/** `when`: ` while it was asked textDocument/hover`. */
export function crashError(
	config: ServerConfig,
	process: Pick<Transport, "passive" | "exit" | "stderrTail">,
	when = "",
	cause?: unknown,
): LspError {
	const { exit } = process;
	return new LspError(
		"LSP_SERVER_CRASHED",
		`${config.id} ended${when} (${exit ? describeExit(exit, process.passive) : "its output was closed"}).`,
		{ ...aboutServer(config), exit_code: exit?.code ?? null, stderr: process.stderrTail() },
		{ cause },
	);
}

function lastLine(text: string): string {
	return text.split("\n").at(-1) ?? "";
}

interface FirstOutput {
	readonly stray: string;
	readonly messages: readonly { readonly method?: unknown; readonly params?: unknown }[];
}

const frameHead = /Content-Length: *(\d{1,9})[^{]{0,200}?\r?\n\r?\n/i;

export function readFirstOutput(output: string): FirstOutput {
	// Frames' lengths are in bytes.
	const [before = "", ...frames] = Buffer.from(output, "utf8").toString("latin1").split(frameHead);
	const stray = [before];
	const messages: object[] = [];
	for (let at = 0; at + 1 < frames.length; at += 2) {
		const length = Number(frames[at]);
		const text = frames[at + 1] ?? "";
		stray.push(text.slice(length));
		const message = parsed(text.slice(0, length));
		if (typeof message === "object" && message !== null) messages.push(message);
	}
	return { stray: decoded(stray.join("")).trim(), messages };
}

function parsed(bytes: string): unknown {
	try {
		return JSON.parse(decoded(bytes));
	} catch {
		return undefined;
	}
}

function decoded(bytes: string): string {
	return Buffer.from(bytes, "latin1").toString("utf8");
}
