import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

export interface Refusal {
	readonly status: number;
	readonly error: string;
}

interface GateOptions {
	readonly address: string;
	readonly scheme: "http" | "https";
	/** Undefined: all clients may enter. */
	readonly token: string | undefined;
	readonly hosts: readonly string[];
}

/** By headers alone; refusals reveal nothing of this machine. */
export class Gate {
	readonly #scheme: string;
	readonly #isOpen: boolean;
	readonly #digest: Buffer;
	readonly #hosts: ReadonlySet<string>;
	readonly #takesAddresses: boolean;

	constructor({ address, scheme, token, hosts }: GateOptions) {
		this.#scheme = scheme;
		this.#isOpen = token === undefined;
		this.#digest = digestOf(token ?? "");
		const own = isIP(address) === 6 ? `[${address}]` : address;
		this.#hosts = new Set(["localhost", "127.0.0.1", "[::1]", own, ...hosts].map((host) => host.toLowerCase()));
		this.#takesAddresses = !isLoopback(address);
	}

	/** A web page can reach a local server by its own host name (DNS rebinding). */
	refusedHost({ host = "", origin }: IncomingHttpHeaders): Refusal | undefined {
		const [, written, port = 0] = /^(\[[\da-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
		const name = Number(port) > 65_535 ? undefined : written?.toLowerCase();
		const isAddress = name !== undefined && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
		if (name === undefined || !(this.#hosts.has(name) || (this.#takesAddresses && isAddress)))
			return { status: 403, error: "host not allowed" };
		if (origin !== undefined && origin.toLowerCase() !== `${this.#scheme}://${host.toLowerCase()}`)
			return { status: 403, error: "origin not allowed" };
		return undefined;
	}

	refusedToken({ authorization = "" }: IncomingHttpHeaders): Refusal | undefined {
		const given = /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? "";
		if (this.#isOpen || timingSafeEqual(digestOf(given), this.#digest)) return undefined;
		return { status: 401, error: "unauthorized" };
	}
}

/** Of equal length for any token. */
function digestOf(token: string): Buffer {
	return createHash("sha256").update(token).digest();
}

export function isLoopback(address: string): boolean {
	return address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}
