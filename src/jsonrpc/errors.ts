export class FrameError extends Error {
	override readonly name = "FrameError";
}

export class StalledError extends Error {
	override readonly name = "StalledError";
}

const tooLarge = "bytes are more than a peer takes";

export class TooLargeError extends Error {
	override readonly name = "TooLargeError";

	constructor(bytes: number) {
		super(`${bytes} ${tooLarge}`);
	}

	/** vscode-jsonrpc wraps the message in its own error. */
	static is(error: Error): boolean {
		return error.message.endsWith(tooLarge);
	}
}

export class ConnectionClosedError extends Error {
	override readonly name = "ConnectionClosedError";

	constructor(cause: Error | undefined) {
		super("the connection was closed", { cause });
	}
}
