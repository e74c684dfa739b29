import { FrameError } from "./errors.ts";

/** Of a message on the daemon's socket. */
export const maxLineBytes = 16 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Throws FrameError. */
export function parseLine(line: Buffer): object {
	let value: unknown;
	try {
		value = JSON.parse(utf8.decode(line));
	} catch (error) {
		throw new FrameError("a line is not JSON in UTF-8", { cause: error });
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new FrameError("a line is no object");
	return value;
}

export function lineOf(message: object): Buffer {
	return Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
}
