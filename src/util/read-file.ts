import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import {
	closeSync,
	constants,
	fstatSync,
	openSync,
	promises,
	readSync,
	realpathSync,
	type Stats,
	statSync,
} from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { isRemote } from "./files.ts";
import { isInside } from "./paths.ts";

/** Foreign paths may lead to /dev/zero, a FIFO or a huge file. */
export interface Reading {
	readonly maxBytes: number;
	/** Holds the file once links are followed. */
	readonly within: string | "anywhere";
}

export type Refusal = "missing" | "outside" | "irregular" | "too large" | "unreadable";

export const refusalWords: Readonly<Record<Refusal, string>> = {
	missing: "does not exist",
	outside: "is a link that leads elsewhere",
	irregular: "is no regular file",
	"too large": "is too large",
	unreadable: "cannot be read",
};

export type Content = { readonly text: string } | { readonly refused: Refusal };

export const maxManifestBytes: number = 1024 * 1024;
/** A message to a server could not carry more. */
export const maxSourceBytes: number = 64 * 1024 * 1024;

export const anyManifest: Reading = { maxBytes: maxManifestBytes, within: "anywhere" };
export const anySource: Reading = { maxBytes: maxSourceBytes, within: "anywhere" };

const refusals = channel("pi-lsp.file-refused");

export function onRefused(listener: (path: string, refused: Refusal) => void): () => void {
	const onMessage = (message: unknown) => {
		const { path, refused } = message as { readonly path: string; readonly refused: Refusal };
		listener(path, refused);
	};
	subscribe(refusals.name, onMessage);
	return () => unsubscribe(refusals.name, onMessage);
}

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
// Windows has only the first flag.
const flags = O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);
const remoteMs = 10_000;
const pieceBytes = 256 * 1024;

export async function readText(path: string, reading: Reading): Promise<string | undefined> {
	const content = await read(path, reading);
	return "text" in content ? content.text : undefined;
}

/** A remote file may block. */
export function readTextNow(path: string, reading: Reading): string | undefined {
	try {
		return textOf(bytesOfLocal(path, reading));
	} catch (error) {
		refusalOf(error, path);
		return undefined;
	}
}

export async function read(path: string, reading: Reading): Promise<Content> {
	try {
		return { text: textOf(await bytesOf(path, reading)) };
	} catch (error) {
		return { refused: refusalOf(error, path) };
	}
}

export async function readHead(path: string, most: number): Promise<Buffer | Refusal> {
	try {
		return await bytesOf(path, { maxBytes: Number.POSITIVE_INFINITY, within: "anywhere" }, most);
	} catch (error) {
		return refusalOf(error, path);
	}
}

export async function readPieces(
	path: string,
	reading: Reading,
	take: (text: string) => Promise<void>,
): Promise<boolean> {
	try {
		requireReadable(await promises.stat(path), path, reading);
		const handle = await promises.open(path, flags);
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
	// Opening a device may have an effect.
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

async function bytesOfRemote(path: string, reading: Reading, most = reading.maxBytes): Promise<Buffer> {
	const real = reading.within === "anywhere" ? path : await promises.realpath(path);
	requireReadable(await promises.stat(real), real, reading);
	const handle = await promises.open(real, flagsFor(reading));
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

/** A link may have replaced the path. */
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

/** Editors and compilers do not count a byte order mark. */
function textOf(bytes: Buffer): string {
	return withoutMark(bytes.toString("utf8"));
}

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
