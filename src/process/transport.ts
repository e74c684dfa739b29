import type { Readable, Writable } from "node:stream";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import type { Exit, LaunchCommand } from "./server-process.ts";
import { ServerProcess } from "./server-process.ts";
import { ServerSocket } from "./socket.ts";

export interface Transport {
	readonly passive: boolean;
	/** The server does not see our process id. */
	readonly apart: boolean;
	readonly pid: number | undefined;
	readonly stdin: Writable;
	readonly stdout: Readable;
	readonly exited: Promise<Exit>;
	readonly drained: Promise<void>;
	readonly exit: Exit | undefined;
	onStderr: ((chunk: Buffer) => void) | undefined;
	stderrTail(characters?: number): string;
	stop(shutdown: Promise<void>): Promise<Exit>;
	kill(): void;
}

/** Rejects with LSP_SERVER_UNAVAILABLE or LSP_SERVER_START_FAILED. */
export async function openTransport(
	config: ServerConfig,
	launch: LaunchCommand,
	signal?: AbortSignal,
): Promise<Transport> {
	try {
		return await (launch.connect === undefined
			? ServerProcess.start(launch)
			: ServerSocket.open(launch.connect, signal));
	} catch (thrown) {
		if (!(thrown instanceof LspError)) throw thrown;
		const { code, message, details, cause } = thrown;
		throw new LspError(code, message, { ...aboutServer(config), ...details }, { cause });
	}
}
