import type { Readable, Writable } from "node:stream";
import type { ServerConfig } from "../../server.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import type { Exit, LaunchCommand } from "./server-process.ts";
import { ServerProcess } from "./server-process.ts";
import { ServerSocket } from "./socket.ts";

/** What a language server is spoken with: a process of ours, or a connection to one that somebody else runs. */
export interface Transport {
	/** True if somebody else runs the server: it is neither told to leave nor ended, only left. */
	readonly passive: boolean;
	/** True if our process id means nothing where it runs: in a sandbox, or on another machine. */
	readonly apart: boolean;
	readonly pid: number | undefined;
	readonly stdin: Writable;
	readonly stdout: Readable;
	/** Resolves when it has ended or the connection is gone. */
	readonly exited: Promise<Exit>;
	/** Resolves when it is gone and all that it wrote has been read. */
	readonly drained: Promise<void>;
	readonly exit: Exit | undefined;
	onStderr: ((chunk: Buffer) => void) | undefined;
	stderrTail(characters?: number): string;
	/** Ends it for certain, after `politely`. */
	stop(politely: Promise<void>): Promise<Exit>;
	kill(): void;
}

/** Starts a server, or connects to one; rejects with LSP_SERVER_UNAVAILABLE or LSP_SERVER_START_FAILED. */
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
