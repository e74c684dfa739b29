import { readdirSync } from "node:fs";
import { join } from "node:path";
import { npmEnvironment, succeed } from "../install/packed.ts";
import { REPOSITORY } from "../support/repository.ts";
import type { Workspace } from "../support/workspace.ts";

export const EXAMPLE = join(REPOSITORY, "test/extension/ini-keys");
export const TWICE = "[server]\nport = 1\nport = 2\n";
export const FILES = { ".pi-lsp.json": `{ "graceMs": 20000 }\n`, "a.ini": TWICE };

/** The example as its author would publish it, installed as its user would. */
export async function installExample(ws: Workspace): Promise<string> {
	const target = join(ws.base, "ext");
	const env = npmEnvironment(ws);
	await succeed(ws, "npm", ["pack", "--pack-destination", ws.base], env, EXAMPLE);
	const [tarball = ""] = readdirSync(ws.base).filter((name) => name.endsWith(".tgz"));
	await succeed(ws, "npm", ["install", "--offline", "--prefix", target, join(ws.base, tarball)], env);
	return join(target, "node_modules/pi-lsp-ini-keys");
}

/** Names packages in the user's configuration. */
export function use(ws: Workspace, ...extensions: readonly string[]): void {
	ws.write("../config/pi-lsp/config.json", JSON.stringify({ extensions }));
}
