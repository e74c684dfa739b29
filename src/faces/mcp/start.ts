import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireWithCache } from "../../util/code-cache.ts";

export function serveMcp(args: readonly string[]): Promise<number> {
	const file = join(dirname(fileURLToPath(import.meta.url)), "mcp-main.cjs");
	return requireWithCache<typeof import("./main.ts")>(file).serveMcp(args);
}
