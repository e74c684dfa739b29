import { LspError } from "../../contract/errors.ts";
import { findDaemon } from "../../daemon/lifecycle/connect.ts";
import { stopDaemon } from "../../daemon/lifecycle/stop.ts";
import type { Status } from "../../operations/servers.ts";
import type { TrustView } from "../../render/status/trust.ts";
import { deadline } from "../../util/abort.ts";
import { isInside } from "../../util/paths.ts";
import { print } from "./print.ts";

const listMs = 1_000;

/** Rejects with LSP_NEEDS_PERSON if other workspaces are served and there is no terminal. */
export async function stopCommand(args: readonly string[]): Promise<number> {
	const isPerson = args.includes("--yes") || (process.stdin.isTTY && process.stdout.isTTY);
	const others = isPerson ? [] : await otherRoots(process.cwd()).catch(() => []);
	if (others.length > 0)
		throw new LspError("LSP_NEEDS_PERSON", `The daemon serves other workspaces too: ${others.join(", ")}.`, {
			suggestion:
				"`pi-lsp restart` stops the servers of this workspace. Ask the person to run `pi-lsp stop` in a terminal.",
		});
	const pid = await stopDaemon();
	return print(pid === undefined ? "The daemon is not running." : `Stopped the daemon (pid ${pid}).`);
}

async function otherRoots(cwd: string): Promise<string[]> {
	const client = await findDaemon();
	if (!client) return [];
	const limit = deadline(listMs, () => new Error("The daemon does not answer."));
	try {
		const { root: workspace } = await client.call<TrustView>("trust", { cwd }, limit.signal);
		const { servers } = await client.call<Status>("status", { cwd, input: {} }, limit.signal);
		const roots = servers.filter(({ pid }) => pid !== undefined).map(({ root }) => root);
		return [...new Set(roots)].filter((root) => !isInside(root, workspace) && !isInside(workspace, root)).sort();
	} finally {
		limit.end();
		client.close();
	}
}
