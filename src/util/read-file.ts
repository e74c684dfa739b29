import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { isRemote } from "./files.ts";
import { isInside } from "./paths.ts";

/**
 * The one place where a file is opened that a repository, a server or a client has named. It may be a link to /dev/zero, a
 * FIFO without a writer, or larger than memory: only a regular file is opened, without waiting for it, and no more of it
 * is read than the caller says.
 */
export interface Reading {
	/** Bytes; of a longer file nothing is read. */
	readonly maxBytes: number;
	/** The directory, links followed, that the file has to lie in when its own links are followed. */
	readonly within: string | "anywhere";
}

/** Why there is no text. */
export type Refusal = "missing" | "outside" | "irregular" | "too large" | "unreadable";

/** What is wrong with the file, to stand behind its name. */
export const refusalWords: Readonly<Record<Refusal, string>> = {
	missing: "does not exist",
	outside: "is a link that leads elsewhere",
	irregular: "is no regular file",
	"too large": "is too large",
	unreadable: "cannot be read",
};

export type Content = { readonly text: string } | { readonly refused: Refusal };

/** Bytes of a file that is written by people: a manifest, a configuration, a list of what to ignore. */
export const maxManifestBytes: number = 1024 * 1024;
/** Bytes of a source file. A message to a server could hold no longer one. */
export const maxSourceBytes: number = 64 * 1024 * 1024;

export const anyManifest: Reading = { maxBytes: maxManifestBytes, within: "anywhere" };
export const anySource: Reading = { maxBytes: maxSourceBytes, within: "anywhere" };

const refusals = channel("pi-lsp.file-refused");

/** Calls `listener` with each file that was there and was not read; the function that comes back ends that. */
export function onRefused(listener: (path: string, refused: Refusal) => void): () => void {
	const heard = (message: unknown) => {
		const { path, refused } = message as { readonly path: string; readonly refused: Refusal };
		listener(path, refused);
	};
	subscribe(refusals.name, heard);
	return () => unsubscribe(refusals.name, heard);
}

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
// Windows has none of these but the first.
const flags = O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);
const remoteMs = 10_000;
const pieceBytes = 256 * 1024;

/** A file's text without its byte order mark, or undefined where it is refused. */
export async function readText(path: string, reading: Reading): Promise<string | undefined> {
	const content = await read(path, reading);
	return "text" in content ? content.text : undefined;
}

/** The same without a promise, for a caller that cannot wait; a file system that hangs holds it up. */
export function readTextNow(path: string, reading: Reading): string | undefined {
	try {
		return textOf(bytesOfLocal(path, reading));
	} catch (error) {
		refusalOf(error, path);
		return undefined;
	}
}

/** A file's text without its byte order mark, or why there is none. */
export async function read(path: string, reading: Reading): Promise<Content> {
	try {
		return { text: textOf(await bytesOf(path, reading)) };
	} catch (error) {
		return { refused: refusalOf(error, path) };
	}
}

/** The first bytes of a file of any length, or why there are none. */
export async function readHead(path: string, most: number): Promise<Buffer | Refusal> {
	try {
		return await bytesOf(path, { maxBytes: Number.POSITIVE_INFINITY, within: "anywhere" }, most);
	} catch (error) {
		return refusalOf(error, path);
	}
}

/** A file's first bytes; all of it without `most`. */
/** Hands the text of a file on in pieces, each when the one before is done with; false where it is refused. */
export async function readPieces(
	path: string,
	reading: Reading,
	take: (text: string) => Promise<void>,
): Promise<boolean> {
	try {
		requireReadable(await stat(path), path, reading);
		const handle = await open(path, flags);
		try {
			requireReadable(await handle.stat(), path, reading);
			const decoder = new StringDecoder("utf8");
			const buffer = Buffer.allocUnsafe(pieceBytes);
			for (let total = 0; total <= reading.maxBytes; ) {
				const { bytesRead } = await handle.read(buffer, 0, pieceBytes, null);
				if (bytesRead === 0) return true;
				total += bytesRead;
				await take(decoder.write(buffer.subarray(0, bytesRead)));
			}
			throw new Refused("too large");
		} finally {
			await handle.close();
		}
	} catch (error) {
		refusalOf(error, path);
		return false;
	}
}

function bytesOf(path: string, reading: Reading, most?: number): Buffer | Promise<Buffer> {
	return isRemote(path) ? inTime(bytesOfRemote(path, reading, most)) : bytesOfLocal(path, reading, most);
}

function bytesOfLocal(path: string, reading: Reading, most = reading.maxBytes): Buffer {
	const real = reading.within === "anywhere" ? path : realpathSync.native(path);
	// Before it is opened: to open a device may do something.
	requireReadable(statSync(real), real, reading);
	const descriptor = openSync(real, flagsFor(reading));
	try {
		const info = fstatSync(descriptor);
		requireReadable(info, real, reading);
		const buffer = Buffer.allocUnsafe(Math.min(info.size, most));
		let length = 0;
		for (let count = 1; count > 0 && length < buffer.length; length += count)
			count = readSync(descriptor, buffer, length, buffer.length - length, null);
		return buffer.subarray(0, length);
	} finally {
		closeSync(descriptor);
	}
}

/** The same where the system may not answer for a while. */
async function bytesOfRemote(path: string, reading: Reading, most = reading.maxBytes): Promise<Buffer> {
	const real = reading.within === "anywhere" ? path : await realpath(path);
	requireReadable(await stat(real), real, reading);
	const handle = await open(real, flagsFor(reading));
	try {
		const info = await handle.stat();
		requireReadable(info, real, reading);
		const buffer = Buffer.allocUnsafe(Math.min(info.size, most));
		let length = 0;
		for (let count = 1; count > 0 && length < buffer.length; length += count)
			count = (await handle.read(buffer, length, buffer.length - length, null)).bytesRead;
		return buffer.subarray(0, length);
	} finally {
		await handle.close();
	}
}

/** A path whose links have been followed is no link any more. */
function flagsFor({ within }: Reading): number {
	return within === "anywhere" ? flags : flags | (O_NOFOLLOW ?? 0);
}

class Refused extends Error {
	readonly refused: Refusal;

	constructor(refused: Refusal) {
		super(refused);
		this.refused = refused;
	}
}

function requireReadable(info: Stats, real: string, { maxBytes, within }: Reading): void {
	if (within !== "anywhere" && !isInside(real, within)) throw new Refused("outside");
	if (!info.isFile()) throw new Refused("irregular");
	if (info.size > maxBytes) throw new Refused("too large");
}

function refusalOf(error: unknown, path: string): Refusal {
	const { code } = error as NodeJS.ErrnoException;
	if (code === "ENOENT" || code === "ENOTDIR") return "missing";
	const refused = error instanceof Refused ? error.refused : "unreadable";
	if (refusals.hasSubscribers) refusals.publish({ path, refused });
	return refused;
}

/** No editor shows a byte order mark to a server, and a compiler does not count it as a column. */
function textOf(bytes: Buffer): string {
	return withoutMark(bytes.toString("utf8"));
}

/** A text without a byte order mark. */
export function withoutMark(text: string): string {
	return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function inTime<Value>(work: Promise<Value>): Promise<Value> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Refused("unreadable")), remoteMs);
		timer.unref();
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
