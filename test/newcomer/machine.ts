import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll } from "vitest";
import { PI_CLI, piEnvironment } from "../faces/pi/pi-home.ts";
import { npmEnvironment, packed } from "../install/packed.ts";
import { startLoopbackRegistry } from "../support/loopback-registry.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";

/** A machine with Node, npm, git and a shell's own tools, whose npm registry has pi-lsp and its dependencies. */
export interface Machine {
	readonly ws: Workspace;
	readonly home: string;
	/** The folder in which `npm install -g` puts programs. */
	readonly programs: string;
	readonly env: Readonly<Record<string, string>>;
}

const TOOLS =
	"git sh bash env cat ls mkdir rm cp mv grep sed head tail sort uname which tr cut xargs find chmod dirname basename id tar gzip ps touch wc sleep";

/** Gives the body a machine on which nothing but pi is installed. */
export function withMachine(files: Files, body: (machine: Machine) => Promise<void>): Promise<void> {
	return withWorkspace(files, async (ws) => {
		const home = join(ws.base, "home");
		const few = join(ws.base, "bin");
		mkdirSync(few);
		const places = ["/usr/bin", "/bin"];
		for (const tool of TOOLS.split(" ")) {
			const folder = places.find((folder) => existsSync(join(folder, tool)));
			if (folder !== undefined) symlinkSync(join(folder, tool), join(few, tool));
		}
		const node = join(process.execPath, "..");
		for (const tool of ["node", "npm", "npx"]) symlinkSync(join(node, tool), join(few, tool));
		writeFileSync(join(few, "pi"), `#!/bin/sh\nexec node '${PI_CLI}' "$@"\n`, { mode: 0o755 });
		const registry = await startLoopbackRegistry(join(ws.base, "registry"), { "pi-lsp": await packed(ws) });
		try {
			const programs = join(home, ".npm/bin");
			const env: Record<string, string> = {
				...piEnvironment(ws),
				...npmEnvironment(ws, registry),
				npm_config_prefix: join(home, ".npm"),
				PATH: [programs, few].join(delimiter),
				// The default folders are used if a person has set none of these variables.
				XDG_CONFIG_HOME: join(home, ".config"),
				XDG_STATE_HOME: join(home, ".local/state"),
				XDG_DATA_HOME: join(home, ".local/share"),
				XDG_CACHE_HOME: join(home, ".cache"),
			};
			// `pi install` calls npm, and the sandbox is the usual one.
			const { PI_OFFLINE: _, PI_LSP_SANDBOX: __, ...online } = env;
			await body({ ws, home, programs, env: online });
		} finally {
			await registry.close();
		}
	});
}

/** Keeps the value that a function gives its body from the first test of a block to the last. */
export function during<T>(around: (body: (value: T) => Promise<void>) => Promise<void>): () => T {
	let held: { readonly value: T } | undefined;
	let leave = () => {};
	let ended = Promise.resolve();
	beforeAll(
		() =>
			new Promise<void>((resolve, reject) => {
				const body = (value: T) => {
					held = { value };
					resolve();
					return new Promise<void>((end) => {
						leave = end;
					});
				};
				ended = around(body);
				ended.catch(reject);
			}),
		120_000,
	);
	afterAll(async () => {
		leave();
		await ended;
	}, 60_000);
	return () => {
		if (held === undefined) throw new Error("The block has not begun.");
		return held.value;
	};
}
