import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { appears } from "../../test/faults/waits.ts";
import { REPOSITORY } from "../../test/support/repository.ts";
import { met, notYet, until } from "../../test/support/until.ts";

/** The programs next to this file that a daemon can preload. */
export type Preload = "probe.cjs" | "warp.cjs" | "delay.cjs";

/** Where a daemon runs: a world of the fault tests, or a workspace. */
export interface Home {
	readonly env: Readonly<Record<string, string>>;
	/** Where it listens; undefined before. */
	socket(): string | undefined;
}

/** Starts a daemon with arguments for Node; resolves with its process id when it listens. */
export async function startDaemon(
	home: Home,
	preload: Preload,
	{ node = [], env = {} }: { readonly node?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<number> {
	const program = fileURLToPath(new URL(preload, import.meta.url));
	const child = spawn(process.execPath, [...node, "--require", program, join(REPOSITORY, "dist/daemon.cjs")], {
		cwd: "/",
		env: { ...home.env, ...env },
		stdio: "ignore",
		detached: true,
	});
	child.unref();
	const socket = await until("the daemon listens", () => {
		const path = home.socket();
		return path === undefined ? notYet("no socket") : met(path);
	});
	await appears(socket);
	return child.pid ?? -1;
}
