import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, dirname, join, relative } from "node:path";
import { withMcp } from "../faces/mcp/client.ts";
import { write } from "../faces/pi/calls.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import type { Attack, Target } from "./attacks.ts";
import { rustupHome, withServers } from "./languages.ts";

export interface Scene extends Target {
	readonly env: Readonly<Record<string, string>>;
	/** The effects of an attack; empty if it was survived. */
	harm(): readonly string[];
}

/**
 * Files that servers, their tools and pi write for themselves: caches, logs, sockets, settings; and the workspace,
 * where cargo writes a lock file.
 */
const own = ["cache", "config", "run", "state", "home/.pi", "home/.cargo", "home/go/pkg/mod/cache", "ws"];

/** Every file below a directory, with its size and time. */
function filesOf(base: string): Map<string, string> {
	const found = new Map<string, string>();
	for (const entry of readdirSync(base, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		const name = relative(base, path);
		if (!entry.isFile() || own.some((directory) => name.startsWith(`${directory}/`))) continue;
		const { size, mtimeMs } = statSync(path);
		found.set(name, `${size} ${mtimeMs}`);
	}
	return found;
}

/** Runs `body` over the tree of an attack. With sandboxes `off` nothing may get as far as them. */
export async function withAttack(
	{ disable, lay, variables }: Attack,
	sandbox: "auto" | "off",
	body: (scene: Scene) => Promise<void>,
): Promise<void> {
	const heard: string[] = [];
	const listener = createServer((socket) => {
		heard.push("a connection");
		socket.on("error", () => {}).destroy();
	});
	await once(listener.listen(0, "127.0.0.1"), "listening");
	try {
		await withWorkspace({}, async (ws) => {
			const canary = join(ws.base, "canary/ran");
			const keys = join(ws.env.HOME ?? "", ".ssh/authorized_keys");
			for (const path of [canary, keys]) mkdirSync(dirname(path), { recursive: true });
			writeFileSync(keys, "ssh-ed25519 AAAA owner\n");
			if (disable) {
				mkdirSync(join(ws.base, "config/pi-lsp"), { recursive: true });
				writeFileSync(join(ws.base, "config/pi-lsp/config.json"), JSON.stringify({ disable }));
			}
			const target = { ws, canary, keys, listener: `127.0.0.1:${(listener.address() as AddressInfo).port}` };
			lay(target);
			const before = filesOf(ws.base);
			const harm = () => {
				const ran = existsSync(canary) ? readFileSync(canary, "utf8").split("\n").filter(Boolean) : [];
				const after = [...filesOf(ws.base)];
				const written = after.filter(([name, stamp]) => before.get(name) !== stamp);
				return [...ran, ...written.map(([name]) => `${name} was written`), ...heard];
			};
			const known = withServers(ws.env);
			const { PATH = "", ...more } = variables?.(target) ?? {};
			const path = [PATH, known.PATH].filter((entry) => entry !== "").join(delimiter);
			await body({
				...target,
				harm,
				env: { ...known, PI_LSP_SANDBOX: sandbox, RUSTUP_HOME: rustupHome, ...more, PATH: path },
			});
		});
	} finally {
		listener.close();
	}
}

/** Makes a query about the file of an attack; resolves with the answer. */
export type Ask = (attack: Attack, scene: Pick<Scene, "env"> & { readonly ws: Workspace }) => Promise<string>;

export const byCommandLine =
	(...more: readonly string[]): Ask =>
	async ({ file, base }, { ws, env }) => {
		const since = base === undefined ? [] : ["--base", base];
		const options = { env, timeoutMs: 60_000 };
		const checked = await ws.cli(["check", file, "--timeout", "20000", ...since, ...more], options);
		// Queries are answered after the server's own work.
		await ws.cli(["hover", file, "1:1", ...more], options);
		return checked.stdout + checked.stderr;
	};

/** Every face. Its answers are not part of this test, except that there are some. */
export const faces = {
	"the command line": byCommandLine(),
	"the command line without a daemon": byCommandLine("--no-daemon"),
	MCP: ({ file, base }, { ws, env }) =>
		withMcp(ws, { env }, async ({ call }) => {
			const checked = await call("lsp_check", { files: [file], timeout: 20_000, ...(base ? { base } : {}) });
			await call("lsp_hover", { file, line: 1, column: 1 });
			return JSON.stringify(checked.content);
		}),
	"the hook in pi": async ({ file }, { ws, env }) => {
		const done = { text: "Done." };
		const steps = [{ calls: [write(file, ws.read(file))] }, done, done, done];
		const { PATH = "", RUSTUP_HOME = "", PI_LSP_SANDBOX = "auto" } = env;
		return (
			await runPi(ws, steps, {
				env: { PATH, RUSTUP_HOME, PI_LSP_SANDBOX },
				timeoutMs: 60_000,
				spareSteps: 2,
			})
		).result();
	},
} satisfies Record<string, Ask>;
