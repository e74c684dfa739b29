import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../../test/support/repository.ts";
import { runCommand } from "../../test/support/run-command.ts";
import type { Workspace } from "../../test/support/workspace.ts";

/** The directory of the measured pi-lsp; `PI_LSP_BENCH_EXTENSION` names that of another version. */
export const EXTENSION: string = resolve(process.env.PI_LSP_BENCH_EXTENSION || REPOSITORY);

/** The README contains only figures of this checkout. */
export const isOwn: boolean = EXTENSION === REPOSITORY;

const cli = join(EXTENSION, "dist/cli.cjs");

/** Runs the command line of the measured version in a workspace. */
async function runCli(
	{ root, env }: Workspace,
	args: readonly string[],
	timeoutMs = 60_000,
): Promise<{ readonly code: number | string; readonly stdout: string }> {
	return runCommand(process.execPath, [cli, ...args], { cwd: root, env, timeoutMs });
}

/** A pi whose extension finds no daemon would only seem to be slow. */
export function expectBuilt(): void {
	if (!existsSync(cli)) throw new Error(`${EXTENSION} is not there, or not built`);
}

/** Only the version that started a daemon may stop it. */
export async function stopDaemon(ws: Workspace): Promise<void> {
	expectBuilt();
	const { code, stdout } = await runCli(ws, ["stop"]);
	if (code !== 0) throw new Error(`the daemon cannot be stopped: ${code} ${stdout}`);
}
