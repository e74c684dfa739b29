import { createHash } from "node:crypto";

export function hashOf(content: string | Uint8Array, length = 16): string {
	return createHash("sha256").update(content).digest("hex").slice(0, length);
}
