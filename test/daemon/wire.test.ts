import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { paramsFromEnvironment } from "../../src/contract/protocol.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { ask, daemonOf, daemonsOf, socketOf, speak, WRONG_PROJECT } from "./daemon.ts";

function line(value: unknown): string {
	return `${JSON.stringify(value)}\n`;
}

function hover(ws: Workspace, id: number): object {
	return {
		id,
		method: "hover",
		params: { cwd: ws.root, ...paramsFromEnvironment(ws.env), input: { file: "src/a.ts", symbol: "a" } },
	};
}

describe("the daemon's socket", () => {
	test("Unreadable bytes end their connection and no other", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			for (const garbage of [
				"hello\n",
				"[]\n",
				"5\n",
				Buffer.from([0xff, 0xfe, 0x0a]),
				"GET / HTTP/1.1\r\n\r\n",
				"x".repeat(17 << 20),
			])
				await speak(ws, garbage);
			await ask(ws);
			expect(daemonOf(ws).pid).toBe(pid);
		}));

	test("Empty lines are skipped, and a malformed call gets a typed error", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const answerTo = async (message: object) => JSON.parse(await speak(ws, `\n \n${line(message)}`, /\n/)) as unknown;
			const error = (code: string) => ({
				error: { data: { code, details: { suggestion: expect.stringMatching(/\w/) } } },
			});
			expect(await answerTo({ id: 1, method: "no_such_thing", params: {} })).toMatchObject(
				error("LSP_UNKNOWN_OPERATION"),
			);
			expect(await answerTo({ id: 1, method: "toString", params: {} })).toMatchObject(error("LSP_UNKNOWN_OPERATION"));
			expect(await answerTo({ id: 1, method: "hover" })).toMatchObject(error("LSP_INVALID_INPUT"));
			expect(await answerTo({ id: 1, method: "hover", params: null })).toMatchObject(error("LSP_INVALID_INPUT"));
			expect(await answerTo({ id: 1, method: "hover", params: [] })).toMatchObject(error("LSP_INVALID_INPUT"));
			expect(await answerTo({ id: 1, method: "hover", params: { cwd: 5 } })).toMatchObject(error("LSP_INVALID_INPUT"));
			expect(await answerTo({ id: 1, method: "hover", params: { cwd: ws.root, input: 5 } })).toMatchObject(
				error("LSP_INVALID_INPUT"),
			);
			expect(await answerTo({ id: 1, method: "request", params: { cwd: ws.root } })).toMatchObject(
				error("LSP_INVALID_INPUT"),
			);
			for (const config of [5, null, {}, { directory: ws.root, file: 5 }, { directory: ws.root, servers: "go:gopls" }])
				expect(await answerTo({ id: 1, method: "status", params: { cwd: ws.root, config } })).toMatchObject(
					error("LSP_INVALID_INPUT"),
				);
			for (const method of ["check_edit", "late", "hello", "request", "destroy_server"])
				for (const params of [{}, { cwd: 5, session: {}, call: [], file: null, wait: "x", nonce: {}, id: 5, root: [] }])
					expect(await answerTo({ id: 1, method, params }), `${method} ${JSON.stringify(params)}`).not.toMatchObject({
						error: { data: { code: "LSP_INTERNAL" } },
					});
		}));

	test("A call that is too large or has a malformed id is answered, and the connection is kept", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const large = line({ id: 1, method: "status", params: { cwd: ws.root, input: { text: "x".repeat(17 << 20) } } });
			const text = await speak(ws, `${large}${line({ id: {}, method: "status" })}${line(hover(ws, 2))}`, /"id":2/);
			const answers = text
				.split("\n")
				.filter(Boolean)
				.map((each) => JSON.parse(each) as { id: unknown; method?: string });
			const [first, second, third] = answers.filter(({ method }) => method === undefined);
			expect(first).toMatchObject({ id: 1, error: { code: -32600, message: expect.stringContaining("16 MB") } });
			expect(second).toMatchObject({ id: null, error: { code: -32600 } });
			expect(JSON.stringify(third)).toContain("const a: number");
		}));

	test("A malformed baseline disturbs nothing", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const { pid } = daemonOf(ws);
			const odd = [{}, null, [], { cwd: 5 }, { cwd: ws.root, file: 5, session: {}, call: 1, text: {}, next: [] }];
			const notes = odd.map((params) => line({ method: "baseline", params })).join("");
			expect(await speak(ws, notes + line(hover(ws, 1)), /"id":1/)).toContain("const a: number");
			expect(daemonOf(ws).pid).toBe(pid);
			expect(readFileSync(join(ws.base, "state/pi-lsp/daemon.log"), "utf8")).not.toMatch(/un(caught|handled)/);
		}));

	test("100 calls in one write are answered, each once", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const calls = Array.from({ length: 100 }, (_, id) =>
				line({ id, method: "status", params: { cwd: ws.root, input: {} } }),
			);
			const text = await speak(ws, calls.join(""), /(.*\n){100}/);
			const ids = text
				.trim()
				.split("\n")
				.map((answer) => (JSON.parse(answer) as { id: number }).id);
			expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, id) => id));
		}));

	test("A caller that disconnects during a call disturbs no other call", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			for (let round = 0; round < 50; round++) {
				const socket = net.connect(socketOf(ws) ?? "");
				socket.on("error", () => {});
				await new Promise<void>((resolve) => socket.write(line(hover(ws, 1)), () => resolve()));
				socket.destroy();
			}
			await ask(ws);
			const descriptors = () => readFileSync(`/proc/${daemonOf(ws).pid}/status`, "utf8").match(/FDSize:\s+(\d+)/)?.[1];
			expect(Number(descriptors())).toBeLessThanOrEqual(256);
		}));

	test("The files of the daemon (socket, log, cookie and directories) are private", () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			await ask(ws);
			const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
			const socket = socketOf(ws) ?? "";
			expect([socket, dirname(socket), join(dirname(socket), "cookie")].map(mode)).toEqual(["600", "700", "600"]);
			expect([join(ws.base, "state/pi-lsp"), join(ws.base, "state/pi-lsp/daemon.log")].map(mode)).toEqual([
				"700",
				"600",
			]);
		}));
});

test("A false daemon without the cookie is refused, and gets no message but hello", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		await ask(ws);
		const path = socketOf(ws) ?? "";
		await ws.cli(["stop"]);
		const heard: string[] = [];
		const squatter = net.createServer((socket) => {
			socket.setEncoding("utf8").on("data", (chunk: string) => {
				heard.push(chunk);
				const { id } = JSON.parse(chunk) as { id: number };
				socket.write(line({ jsonrpc: "2.0", id, result: { protocol: 1, build: "x", pid: 1, proof: "x" } }));
			});
			socket.on("error", () => {});
		});
		mkdirSync(dirname(path), { recursive: true });
		await new Promise<void>((resolve) => squatter.listen(path, resolve));
		try {
			const result = await ws.cli(["check", "src/a.ts", "--json"], { env: { ...ws.env, CANARY: "canary" } });
			expect(result.code).toBe(3);
			expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: "LSP_DAEMON_REFUSED" } });
			expect(heard.map((text) => (JSON.parse(text) as { method: string }).method)).toEqual(["hello"]);
			expect(heard.join("")).not.toMatch(/canary|src\/a\.ts/);
			expect(daemonsOf(ws)).toEqual([]);
		} finally {
			await new Promise((resolve) => squatter.close(resolve));
		}
	}));

test("no secret of the caller's environment reaches the daemon, the server, the log or the status", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		const canary = "canary-4711";
		const env = { ...ws.env, MY_TOKEN: canary, AWS_SECRET_ACCESS_KEY: canary, NODE_OPTIONS: "", ANY_PASSWORD: canary };
		await ws.cli(["check", "src/a.ts"], { env });
		const { stdout } = await ws.cli(["status", "--json"], { env });
		const { daemon, servers } = JSON.parse(stdout) as { daemon: { pid: number }; servers: { pid: number }[] };
		expect(servers).toHaveLength(1);
		for (const { pid } of [daemon, ...servers])
			expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain(canary);
		expect(stdout + readFileSync(join(ws.base, "state/pi-lsp/daemon.log"), "utf8")).not.toContain(canary);
	}));

test("a log of more than 5 MB is rotated, and one old log is kept", () =>
	withWorkspace(WRONG_PROJECT, async (ws) => {
		await ask(ws);
		const log = join(ws.base, "state/pi-lsp/daemon.log");
		await ws.cli(["stop"]);
		writeFileSync(log, "x".repeat(6 << 20), { mode: 0o600 });
		await ask(ws);
		await until("the log was rotated", () =>
			statSync(log).size < 5 << 20 ? met(true) : notYet(`${statSync(log).size}`),
		);
		expect(statSync(`${log}.1`).size).toBeGreaterThan(5 << 20);
	}));
