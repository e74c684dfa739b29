import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Build } from "../../src/operations/build.ts";
import { withServers } from "../live/languages.ts";
import { REPOSITORY } from "../support/repository.ts";
import type { Workspace } from "../support/workspace.ts";

export function linkVitest(ws: Workspace): void {
	mkdirSync(ws.path("node_modules/.bin"), { recursive: true });
	symlinkSync(join(REPOSITORY, "node_modules/vitest"), ws.path("node_modules/vitest"));
	symlinkSync(join(REPOSITORY, "node_modules/vitest/vitest.mjs"), ws.path("node_modules/.bin/vitest"));
}

/** Runs `pi-lsp test` in a trusted workspace, with this machine's toolchains; otherwise Go compiles its library. */
export async function runTests(
	ws: Workspace,
	...args: readonly string[]
): Promise<{ readonly code: number | string; readonly build: Build }> {
	const { GOCACHE, RUSTUP_HOME, CARGO_HOME } = process.env;
	const env = {
		...withServers(ws.env),
		PI_LSP_TRUST: "1",
		GOCACHE: GOCACHE ?? join(homedir(), ".cache/go-build"),
		RUSTUP_HOME: RUSTUP_HOME ?? join(homedir(), ".rustup"),
		CARGO_HOME: CARGO_HOME ?? join(homedir(), ".cargo"),
	};
	const { code, stdout } = await ws.cli(["test", ...args, "--json"], { env, timeoutMs: 300_000 });
	return { code, build: JSON.parse(stdout) as Build };
}
