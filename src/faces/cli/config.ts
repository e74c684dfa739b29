import { resolve } from "node:path";
import process from "node:process";
import type { CallerConfig } from "../../config/caller-config.ts";

/** What the person typed of configuration, to go with every call: `--config FILE`, and servers in agent-lsp's form. */
export function callerConfig(
	file: string | undefined,
	servers: readonly string[] = [],
): { readonly config?: CallerConfig } {
	if (file === undefined && servers.length === 0) return {};
	const parts = { ...(file === undefined ? {} : { file: resolve(file) }), ...(servers.length > 0 ? { servers } : {}) };
	return { config: { ...parts, directory: process.cwd() } };
}
