import type { Writable } from "node:stream";
import { StalledError } from "./errors.ts";

const maxQueuedBytes = 16 * 1024 * 1024;

/**
 * Writes before it returns: messages keep their order. Node buffers what the peer does not read (docs/facts.md, 9):
 * beyond 16 MB this throws StalledError.
 */
export function writeBytes(stream: Writable, bytes: Uint8Array): void {
	if (stream.destroyed || stream.writableEnded) throw new Error("the stream is closed");
	const waiting = stream.writableLength;
	if (waiting > 0 && waiting + bytes.length > maxQueuedBytes) throw new StalledError(`${waiting} bytes were not read`);
	// A change and the next request share a system call.
	if (stream.writableCorked === 0) {
		stream.cork();
		process.nextTick(() => stream.uncork());
	}
	stream.write(bytes);
}
