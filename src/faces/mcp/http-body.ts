import type { IncomingMessage } from "node:http";
import { refusedAsNoJson } from "../../jsonrpc/refusals.ts";
import type { Refusal } from "./http-gate.ts";

export const maxBodyBytes: number = 4 * 1024 * 1024;
/** A client still writing at the close could not read the reason. */
const maxReadBytes = 2 * maxBodyBytes;
/** Nesting costs stack; the protocol's messages are flatter. */
const maxLevels = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true });

export async function bodyOf(
	request: IncomingMessage,
): Promise<{ readonly value: unknown } | { readonly refused: Refusal } | { readonly answer: object }> {
	const tooLarge = { refused: { status: 413, error: "more than 4 MB" } };
	if (request.headers["content-encoding"] !== undefined)
		return { refused: { status: 415, error: "no content encoding is taken" } };
	if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? ""))
		return { refused: { status: 415, error: "Content-Type must be application/json" } };
	if (Number(request.headers["content-length"]) > maxReadBytes) return tooLarge;
	const pieces: Buffer[] = [];
	let size = 0;
	for await (const piece of request as AsyncIterable<Buffer>) {
		size += piece.length;
		if (size > maxReadBytes) return tooLarge;
		if (size <= maxBodyBytes) pieces.push(piece);
	}
	if (size > maxBodyBytes) return tooLarge;
	const bytes = Buffer.concat(pieces);
	if (levelsIn(bytes) > maxLevels) return { refused: { status: 400, error: "nested too deeply" } };
	try {
		return { value: JSON.parse(utf8.decode(bytes)) };
	} catch {
		return { answer: refusedAsNoJson() };
	}
}

const [quote, backslash] = [0x22, 0x5c];

function levelsIn(json: Uint8Array): number {
	let [level, most, isText] = [0, 0, false];
	for (let at = 0; at < json.length; at++) {
		const byte = json[at];
		if (byte === quote) isText = !isText;
		else if (isText) at += byte === backslash ? 1 : 0;
		else if (byte === 0x5b || byte === 0x7b) most = Math.max(most, ++level);
		else if (byte === 0x5d || byte === 0x7d) level--;
	}
	return most;
}
