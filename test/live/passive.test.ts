import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { proveDocument, repeatUntilUnchanged } from "../../src/diagnostics/sources/prove.ts";
import { collectPushes } from "../../src/diagnostics/sources/push.ts";
import { Pool } from "../../src/pool/pool.ts";
import type { Route } from "../../src/routing/locate.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const files = {
	"go.mod": "module sample\n\ngo 1.22\n",
	"main.go": 'package main\n\nfunc main() { var x int = "no" }\n',
};

/** Runs `gopls -listen` on a socket for a test, and ends it afterwards. */
async function withGopls(ws: Workspace, body: (socket: string, gopls: ChildProcess) => Promise<void>): Promise<void> {
	const socket = join(ws.base, "gopls");
	const env = { ...withServers(ws.env), GOTOOLCHAIN: "local" };
	const gopls = spawn("gopls", [`-listen=unix;${socket}`], { env, stdio: "ignore" });
	try {
		await expect.poll(() => existsSync(socket), { timeout: 10_000 }).toBe(true);
		await body(socket, gopls);
	} finally {
		gopls.kill();
		if (gopls.exitCode === null) await once(gopls, "exit");
	}
}

describe.skipIf(!isThere("gopls") || !isThere("go"))("gopls -listen, started by another process,", () => {
	for (const mapped of [false, true])
		test(`${mapped ? "sees the files under another path" : "is asked"}, and keeps running after a disconnect`, () =>
			withWorkspace(files, (ws) =>
				withGopls(ws, async (socket, gopls) => {
					const remote = join(ws.base, "elsewhere");
					symlinkSync(ws.root, remote);
					const own = (await readSettings("/")).servers.find(({ id }) => id === "gopls");
					if (!own) throw new Error("gopls is not in the table");
					const paths = mapped ? { paths: `${ws.root}:${remote}` } : {};
					const config = { ...own, command: "/no/such/program", connect: socket, ...paths };
					const route: Route = { config, root: ws.root, languageId: "go" };
					const ask = (pool: Pool) =>
						pool.use(
							route,
							{ workspace: ws.root, env: async () => ws.env, signal: AbortSignal.timeout(30_000) },
							(server) =>
								repeatUntilUnchanged(server, ws.path("main.go"), "go", async (document) => ({
									found: (await proveDocument(server, document)).diagnostics,
									strategy: server.offers("textDocument/diagnostic"),
									passive: server.passive,
								})),
						);
					// It runs twice: a file that the first run leaves exists for the second.
					for (let round = 0; round < 2; round++) {
						const pool = new Pool(() => {});
						pool.onStarted = collectPushes;
						const { found, passive } = await ask(pool);
						expect(passive).toBe(true);
						expect(found.map(({ line, code }) => [line, code])).toContainEqual([3, "IncompatibleAssign"]);
						await pool.close();
						expect(gopls.exitCode).toBe(null);
					}
				}),
			));
});
