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

/** A pi whose extension finds no daemon would only seem to be slow. */
export function expectBuilt(): void {
	if (!existsSync(cli)) throw new Error(`${EXTENSION} is not there, or not built`);
}

/** Only the version that started a daemon may stop it. */
export async function stopDaemon({ root, env }: Workspace): Promise<void> {
	expectBuilt();
	const { code, stdout } = await runCommand(process.execPath, [cli, "stop"], { cwd: root, env, timeoutMs: 60_000 });
	if (code !== 0) throw new Error(`the daemon cannot be stopped: ${code} ${stdout}`);
}
