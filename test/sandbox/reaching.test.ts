import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withServers } from "../live/languages.ts";
import { processesOf } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { named, noSandbox } from "./sandbox-program.ts";

const program = fileURLToPath(new URL("../fakes/reaching-server.mjs", import.meta.url));

type Deeds = Readonly<Record<string, readonly [deed: string, what: string | number]>>;

/** Runs a check in an untrusted workspace, by a server that does these deeds. Returns their results. */
async function reached(ws: Workspace, deeds: Deeds, sandbox: string): Promise<Record<string, string>> {
	const server = { command: process.execPath, args: [program, JSON.stringify(deeds)], match: ["reach"] };
	put(join(ws.base, "config/pi-lsp/config.json"), JSON.stringify({ servers: { reaching: server } }));
	ws.write("a.reach", "text\n");
	const { stdout } = await ws.cli(["check", "a.reach", "--json"], {
		env: { ...withServers(ws.env), PI_LSP_SANDBOX: sandbox },
	});
	const { files } = JSON.parse(stdout) as CheckReport;
	expect(files).toMatchObject([{ state: "fresh" }]);
	return Object.fromEntries(files[0]?.diagnostics.map(({ message }) => message.split(": ")) ?? []);
}

function put(path: string, text: string): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

/** Deeds that must be refused, each with an existing target that would work. */
async function temptations(ws: Workspace, body: (deeds: Deeds, heard: () => number) => Promise<void>): Promise<void> {
	const elsewhere = mkdtempSync("/tmp/pl-elsewhere-");
	const [tcp, unix] = [createServer(), createServer()];
	let heard = 0;
	for (const server of [tcp, unix]) server.on("connection", (socket) => socket.end(() => heard++));
	try {
		await listening(tcp, 0);
		const socket = ws.path("some.sock");
		await listening(unix, socket);
		const home = ws.env.HOME ?? "";
		const address = tcp.address();
		const deeds: Deeds = {
			"write to the workspace": ["write", put(ws.path("source.txt"), "")],
			"write to the home directory": ["write", join(home, ".bashrc")],
			"write to a key": ["write", put(join(home, ".ssh/authorized_keys"), "")],
			"write to our configuration": ["write", join(ws.base, "config/pi-lsp/config.json")],
			"read a key": ["read", put(join(home, ".ssh/id_ed25519"), "secret")],
			"list keys": ["list", join(home, ".ssh")],
			"read a password": ["read", put(join(home, ".netrc"), "secret")],
			"read a token": ["read", put(join(home, ".config/gh/hosts.yml"), "secret")],
			"read what is trusted": ["read", put(join(ws.base, "config/pi-lsp/trust/x.json"), "{}")],
			"read the daemon's secret": ["read", join(ws.base, "run/pi-lsp/cookie")],
			"read another's temporary file": ["read", put(join(elsewhere, "file"), "secret")],
			"connect to a port": ["connect", typeof address === "object" && address ? address.port : 0],
			"connect to a socket": ["connect", socket],
			"see another process": ["signal", process.pid],
		};
		await body(deeds, () => heard);
	} finally {
		tcp.close();
		unix.close();
		rmSync(elsewhere, { recursive: true, force: true });
	}
}

function listening(server: Server, where: number | string): Promise<void> {
	return new Promise((resolve) => void server.listen(where, resolve));
}

test.skipIf(noSandbox)(named("a server of an untrusted tree reaches nothing outside of its workspace"), () =>
	withWorkspace({}, (ws) =>
		temptations(ws, async (deeds, heard) => {
			expect(await reached(ws, deeds, "require")).toEqual({
				"write to the workspace": "EROFS",
				"write to the home directory": "EROFS",
				"write to a key": "EACCES",
				"write to our configuration": "EACCES",
				"read a key": "ENOENT",
				"list keys": "EMPTY",
				"read a password": "EACCES",
				"read a token": "ENOENT",
				"read what is trusted": "ENOENT",
				"read the daemon's secret": "ENOENT",
				"read another's temporary file": "ENOENT",
				"connect to a port": "ECONNREFUSED",
				"connect to a socket": "EACCES",
				"see another process": "ESRCH",
			});
			expect(heard()).toBe(0);
			expect(ws.read("source.txt")).toBe("");
			expect(existsSync(join(ws.env.HOME ?? "", ".bashrc"))).toBe(false);
		}),
	),
);

test("the same server reaches all of it without a sandbox, so the test above can fail", () =>
	withWorkspace({}, (ws) =>
		temptations(ws, async (deeds, heard) => {
			expect(new Set(Object.values(await reached(ws, deeds, "off")))).toEqual(new Set(["done"]));
			expect(heard()).toBe(2);
			expect(ws.read("source.txt")).toBe("reached\n");
		}),
	));

test.skipIf(noSandbox)(
	named("a server in a sandbox may read its workspace and write to a cache and a temporary folder of its own"),
	() =>
		withWorkspace({ "source.txt": "text\n" }, async (ws) => {
			const mark = `pl-${ws.runId}`;
			const found = await reached(
				ws,
				{
					read: ["read", ws.path("source.txt")],
					cache: ["write", `$XDG_CACHE_HOME/${mark}`],
					temporary: ["write", `$TMPDIR/${mark}`],
					plain: ["write", `/tmp/${mark}`],
				},
				"require",
			);
			expect(found).toEqual({ read: "done", cache: "done", temporary: "done", plain: "done" });
			expect(existsSync(`/tmp/${mark}`)).toBe(false);
			const status = await ws.cli(["status", "--json"]);
			expect(status.stdout).toContain('"reaching"');
			await ws.cli(["stop"]);
			await until("it has gone", () => {
				const left = processesOf(ws.runId);
				return left.length === 0 ? met(true) : notYet(JSON.stringify(left));
			});
			const kept = readFileSync(onlyFile(join(ws.base, "cache/pi-lsp/untrusted/reaching"), mark), "utf8");
			expect(kept).toBe("reached\n");
		}),
);

/** The file of this name in the one directory of a directory. */
function onlyFile(directory: string, name: string): string {
	const [first = ""] = readdirSync(directory);
	return join(directory, first, name);
}
