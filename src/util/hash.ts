import { createHash } from "node:crypto";

/** A short, stable name for some bytes: the first `length` hexadecimal digits of their SHA-256. */
export function hashOf(content: string | Uint8Array, length = 16): string {
	return createHash("sha256").update(content).digest("hex").slice(0, length);
}
