import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { World } from "../../test/faults/world.ts";
import { CLI, REPOSITORY } from "../../test/support/repository.ts";
import { met, notYet, until } from "../../test/support/until.ts";
import { echoServer } from "../soak/crowd.ts";

export const token = "of a bench";

type Body<T> = (url: URL, pid: number) => Promise<T>;

/** `pi-lsp mcp --http` with this many workspaces, each with a server. */
export function withServer<T>(world: World, workspaces: number, body: Body<T>): Promise<T> {
	echoServer(world, "gopls");
	// The folders below are its workspaces.
	rmSync(join(world.root, "go.mod"));
	mkdirSync(join(world.root, ".git"));
	for (let index = 0; index < workspaces; index++) {
		world.write(`ws-${index}/go.mod`, "module sample\n");
		mkdirSync(join(world.root, `ws-${index}/.git`));
		world.write(`ws-${index}/.pi-lsp.json`, '{ "disable": ["clangd"] }\n');
	}
	const folder = join(world.env.XDG_CONFIG_HOME ?? "", "pi-lsp");
	mkdirSync(folder, { recursive: true });
	// One server for each workspace; the default limit is 16.
	writeFileSync(join(folder, "config.json"), `{ "maxServers": ${workspaces} }\n`);
	return withProgram([CLI, "mcp", "--http", "--port", "0", "--profile", "all"], world, body);
}

export function withBareServer<T>(world: World, body: Body<T>): Promise<T> {
	const program = [join(REPOSITORY, "scripts/run-ts.mjs"), join(REPOSITORY, "bench/mcp/bare-server.ts")];
	return withProgram(program, world, body);
}

async function withProgram<T>(args: readonly string[], world: World, body: Body<T>): Promise<T> {
	const child = spawn(process.execPath, args, {
		cwd: world.root,
		env: { ...world.env, PI_LSP_TOKEN: token },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const exit = new Promise((resolve) => child.once("exit", resolve));
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	try {
		const url = await until("it prints its address", () => {
			const [, found] = /^listening on (\S+)$/m.exec(stderr) ?? [];
			return found === undefined ? notYet(stderr) : met(new URL(found));
		});
		return await body(url, child.pid ?? 0);
	} finally {
		child.kill("SIGTERM");
		await exit;
	}
}
