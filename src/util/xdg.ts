import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

const fallbacks = {
	XDG_CONFIG_HOME: ".config",
	XDG_STATE_HOME: ".local/state",
	XDG_DATA_HOME: ".local/share",
	XDG_CACHE_HOME: ".cache",
};

/** A relative base would be in some repository. */
export function ownDirectory(
	kind: keyof typeof fallbacks,
	env: Readonly<Record<string, string | undefined>> = process.env,
): string {
	const base = env[kind];
	return join(base && isAbsolute(base) ? base : join(env.HOME || homedir(), fallbacks[kind]), "pi-lsp");
}
