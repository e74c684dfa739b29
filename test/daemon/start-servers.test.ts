import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { typescriptServer } from "../../bench/bare-client.ts";
import { dispatch } from "../../src/daemon/serve.ts";
import { type Project, withProject } from "../diagnostics/project.ts";
import { FAKE_SERVER } from "../fakes/fake.ts";
import { listenAt } from "../support/listening.ts";
import { withWorkspace } from "../support/workspace.ts";

const files = { "src/a.ts": "export const a: number = 1;\n", "src/a.json": "{}\n" };

interface Status {
	readonly servers: readonly { readonly id: string; readonly pid?: number; readonly state: string }[];
}
interface Started {
	readonly servers: readonly {
		readonly server: string;
		readonly ready?: boolean;
		readonly error?: { readonly code: string };
	}[];
}

/** The user's configuration of addresses. */
function allow(project: Project, ...connectAllowed: string[]): void {
	const directory = join(String(project.ws.env.XDG_CONFIG_HOME), "pi-lsp");
	mkdirSync(directory, { recursive: true });
	writeFileSync(join(directory, "config.json"), JSON.stringify({ connectAllowed }));
}

/** Runs `body` while a real TypeScript 7 listens at an address, one for each connection. */
async function withListening(project: Project, body: (address: string, heard: Socket[]) => Promise<void>) {
	const address = join(project.ws.base, "somebody");
	const heard: Socket[] = [];
	const { root: cwd, env } = project.ws;
	const server = await listenAt(address, heard, () => spawn(typescriptServer(), ["--lsp", "--stdio"], { cwd, env }));
	try {
		await body(address, heard);
	} finally {
		for (const socket of heard) socket.destroy();
		server.close();
	}
}

const typeOf = async ({ call }: Project) =>
	(await call<{ text: string }>("hover", { file: "src/a.ts", symbol: "a" })).text;

/** The TypeScript server that answers now; without a process if another process runs it. */
const answering = async ({ call }: Project) =>
	(await call<Status>("status", {})).servers.filter(({ id, state }) => id === "typescript" && state === "active");

test("start: a server that another process runs is used from the start that names it to the next start", () =>
	withProject(files, async (project) => {
		const { call } = project;
		expect(await typeOf(project)).toContain("a: number");
		await withListening(project, async (connect, heard) => {
			allow(project, connect);
			const started = await call<Started>("start", { language: "typescript", connect });
			expect(started.servers).toEqual([expect.objectContaining({ server: "typescript", root: "." })]);
			expect(started.servers[0]?.error).toBeUndefined();
			for (let round = 0; round < 2; round++) expect(await typeOf(project)).toContain("a: number");
			expect(heard).toHaveLength(1);
			expect((await answering(project)).map(({ pid }) => pid)).toContain(undefined);
			await call("start", { language: "typescript" });
			expect(await typeOf(project)).toContain("a: number");
			expect((await answering(project)).every(({ pid }) => pid !== undefined)).toBe(true);
			expect(heard).toHaveLength(1);
		});
	}));

test("start: a connection is kept if another one fails", () =>
	withProject(files, async (project) =>
		withListening(project, async (connect) => {
			const start = (address: string) => project.call<Started>("start", { language: "typescript", connect: address });
			allow(project, connect, join(project.ws.base, "nobody"));
			await start(connect);
			await expect(start(join(project.ws.base, "nobody"))).rejects.toMatchObject({ code: "LSP_SERVER_UNAVAILABLE" });
			expect(await typeOf(project)).toContain("a: number");
			expect((await answering(project)).map(({ pid }) => pid)).toEqual([undefined]);
		}),
	));

test("start: an address without a listener is an error, and the own server is kept", () =>
	withProject(files, async (project) => {
		const connect = join(project.ws.base, "nobody");
		allow(project, connect);
		await expect(project.call("start", { language: "typescript", connect })).rejects.toMatchObject({
			code: "LSP_SERVER_UNAVAILABLE",
			message: expect.stringContaining(connect),
		});
		expect(await typeOf(project)).toContain("a: number");
		await expect(project.call("start", { connect })).rejects.toMatchObject({
			code: "LSP_INVALID_INPUT",
			message: expect.stringContaining("needs a language"),
		});
	}));

test.each([
	["another machine", "example.com:9999", 'only "connectAllowed"'],
	["all interfaces", "0.0.0.0:9999", 'only "connectAllowed"'],
	["a name that begins as this machine's", "127.0.0.1.example.com:9999", 'only "connectAllowed"'],
	["a file that is no socket", "/etc/passwd", 'only "connectAllowed"'],
	["this machine", "localhost:9999", "Ask the person"],
	["this machine by number", "127.0.0.1:9999", "Ask the person"],
	["this machine in IPv6", "[::1]:9999", "Ask the person"],
])("%s is not connected to without a person's consent", (_, connect, suggestion) =>
	withProject(files, async (project) => {
		const asked = project.call("start", { language: "typescript", connect });
		await expect(asked).rejects.toMatchObject({
			code: "LSP_NEEDS_PERSON",
			message: expect.stringContaining(connect),
			details: { suggestion: expect.stringContaining(suggestion) },
		});
		expect(await typeOf(project)).toContain("a: number");
		expect((await answering(project)).every(({ pid }) => pid !== undefined)).toBe(true);
	}),
);

test("start: connectAllowed of a repository does not count", () =>
	withProject({ ...files, ".pi-lsp.json": '{ "connectAllowed": ["localhost:9999"] }' }, async ({ call }) => {
		const asked = call("start", { language: "typescript", connect: "localhost:9999" });
		await expect(asked).rejects.toMatchObject({ code: "LSP_NEEDS_PERSON" });
		const { problems } = await call<{ problems: string[] }>("status", {});
		expect(problems).toEqual([
			expect.stringContaining('"connectAllowed" counts in the user\'s own configuration only'),
		]);
	}));

test("restart: only the servers of the caller's own workspace are stopped", () =>
	withProject(files, async (project) => {
		const { call, ws, service } = project;
		await typeOf(project);
		const other = join(ws.base, "other");
		mkdirSync(join(other, ".git"), { recursive: true });
		writeFileSync(join(other, "package.json"), "{}");
		writeFileSync(join(other, "b.ts"), "export const b = 1;\n");
		const params = { cwd: other, input: { files: ["b.ts"] } };
		await dispatch(service, "check", params, { env: async () => process.env, signal: new AbortController().signal });
		expect(service.pool.servers().map(({ root }) => root)).toEqual([ws.root, other]);
		expect(await call("restart", {})).toEqual({ stopped: 1 });
		expect(service.pool.servers().map(({ root }) => root)).toEqual([other]);
		expect(await call("restart", { server: "typescript" })).toEqual({ stopped: 0 });
	}));

test("start: the servers of a directory's ten languages are all started", () => {
	const languages = Array.from({ length: 10 }, (_, n) => `made${n}`);
	const sources = Object.fromEntries(languages.map((name) => [`a.${name}`, "one\n"]));
	return withWorkspace(sources, async (ws) => {
		const fake = { command: process.execPath, args: [FAKE_SERVER, "{}"], rootMarkers: [], looseFiles: true };
		const servers = languages.map((id) => ({ ...fake, id, match: [id], languageId: id }));
		ws.write("../config/pi-lsp/config.json", JSON.stringify({ servers }));
		const { stdout } = await ws.cli(["start", "--json"]);
		const started = (JSON.parse(stdout) as Started).servers.filter(({ error }) => !error).map(({ server }) => server);
		expect(started.sort()).toEqual(languages);
	});
});

test("start --timeout: the command line waits that long for a server that reads the project, and reports if it still does", () => {
	const begin = { token: "t", value: { kind: "begin", title: "Indexing" } };
	const script = { on: [{ method: "initialized", do: [{ notify: "$/progress", params: begin }] }] };
	return withWorkspace({ "a.made": "one\n" }, async (ws) => {
		const command = { command: process.execPath, args: [FAKE_SERVER, JSON.stringify(script)] };
		const server = { ...command, id: "made", match: ["made"], languageId: "made", rootMarkers: [], looseFiles: true };
		ws.write("../config/pi-lsp/config.json", JSON.stringify({ servers: [server] }));
		const readiness = async (args: readonly string[]) =>
			(JSON.parse((await ws.cli(["start", ...args, "--json"])).stdout) as Started).servers.map(({ ready }) => ready);
		expect(await readiness([])).toEqual([undefined]);
		expect(await readiness(["--timeout", "400"])).toEqual([false]);
	});
});
