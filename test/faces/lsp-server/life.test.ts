import { spawn } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { daemonOf } from "../../daemon/daemon.ts";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { Editor, withEditors } from "./editor.ts";

const PROJECT: Files = { ...TYPESCRIPT_PROJECT, "src/a.ts": `export const a: number = "";\n` };

test(
	"the server exits with an exit notification, with its input and with its editor, and the daemon keeps running",
	{ timeout: 120_000 },
	() =>
		withWorkspace(PROJECT, async (ws) => {
			const [one, other, orphan] = [new Editor(ws), new Editor(ws), new Editor(ws)];
			try {
				await one.initialize();
				await one.open("src/a.ts");
				expect(await one.pushed("src/a.ts", 1)).toEqual(["2322"]);
				const { pid } = daemonOf(ws);
				expect(await one.end()).toBe(0);
				await other.initialize();
				other.child.stdin?.end();
				expect(await other.exited).toBe(1);
				// An editor that was killed: its process has exited, the pipe is still open.
				const editor = spawn(process.execPath, ["-e", ""]);
				await new Promise((resolve) => editor.once("exit", resolve));
				await orphan.connection.sendRequest("initialize", { processId: editor.pid, rootUri: null, capabilities: {} });
				expect(await orphan.exited).toBe(1);
				expect(daemonOf(ws).pid).toBe(pid);
			} finally {
				for (const { child } of [one, other, orphan]) child.kill("SIGKILL");
			}
		}),
);

test("requests out of order get the errors of the protocol", { timeout: 60_000 }, () =>
	withWorkspace(PROJECT, async (ws) => {
		const editor = new Editor(ws);
		try {
			await expect(editor.ask("textDocument/hover", "src/a.ts")).rejects.toMatchObject({ code: -32002 });
			await editor.initialize();
			expect(editor.initialized.serverInfo?.name).toBe("pi-lsp");
			expect(editor.initialized.capabilities.positionEncoding).toBe("utf-16");
			await expect(editor.connection.sendRequest("initialize", {})).rejects.toMatchObject({ code: -32600 });
			await editor.connection.sendRequest("shutdown");
			await expect(editor.ask("textDocument/hover", "src/a.ts")).rejects.toMatchObject({ code: -32600 });
			await editor.connection.sendNotification("exit");
			expect(await editor.exited).toBe(0);
		} finally {
			editor.child.kill("SIGKILL");
		}
	}),
);

test("200 malformed messages are answered or ignored, and the next query is answered", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) =>
		withEditors(ws, [{}], async (editor) => {
			const { stdin } = editor.child;
			const bad = malformed(ws);
			expect(bad).toHaveLength(200);
			for (const message of bad) stdin?.write(message);
			await editor.open("src/a.ts");
			expect(await editor.pushed("src/a.ts", 1)).toEqual(["2322"]);
			const position = editor.at("src/a.ts", "a:");
			expect(JSON.stringify(await editor.ask("textDocument/hover", "src/a.ts", { position }))).toContain("const a");
			expect(editor.child.exitCode).toBeNull();
		}),
	),
);

test("a frame that cannot be read is answered with the protocol's error", { timeout: 60_000 }, () =>
	withWorkspace(PROJECT, async (ws) => {
		const child = spawn(process.execPath, [CLI, "lsp-server"], { cwd: ws.root, env: { ...ws.env } });
		try {
			let out = "";
			child.stdout.on("data", (chunk: Buffer) => {
				out += chunk;
			});
			const codes = () => [...out.matchAll(/"code":(-?\d+)/g)].map(([, code]) => Number(code));
			const answered = (text: string | Buffer, code: number) => {
				const before = codes().length;
				child.stdin.write(text);
				return until(`it answers ${code}`, () => (codes()[before] === code ? met(true) : notYet(out)));
			};
			await answered(frame("{"), -32700);
			await answered(frame(Buffer.from([0x22, 0xff, 0xfe, 0x22])), -32700);
			await answered(frame("[]"), -32600);
			await answered(frame("null"), -32600);
			await answered(frame(`{"jsonrpc":"2.0","id":1,"method":7}`), -32600);
			await answered(frame(`{"jsonrpc":"2.0","id":{},"method":"initialize"}`), -32600);
			await answered("Content-Length: many\r\n\r\n", -32700);
			await answered(`Content-Length: ${10 ** 12}\r\n\r\n`, -32700);
			await answered(`Content-Length: 1\r\nX: ${"x".repeat(9000)}`, -32700);
			await answered(frame(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}`), -32002);
			child.stdin.write(frame(`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"capabilities":{}}}`));
			await until("it is initialized", () => (out.includes("capabilities") ? met(true) : notYet(out)));
		} finally {
			child.kill("SIGKILL");
		}
	}),
);

function frame(body: string | Buffer): Buffer {
	const bytes = Buffer.from(body as string);
	return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** Frames, messages and parameters that no editor should send. */
function malformed(ws: Workspace): (string | Buffer)[] {
	const uri = `file://${ws.path("src/a.ts")}`;
	const odd = [null, 0, -1, 1e300, "", "x".repeat(10_000), [], {}, [null], { uri }, { uri: 7 }, { uri: "%" }, true];
	const notifications = ["didOpen", "didChange", "didSave", "didClose"].map((name) => `textDocument/${name}`);
	const requests = ["hover", "rename", "diagnostic", "codeAction"].map((name) => `textDocument/${name}`);
	const messages: object[] = [];
	for (const value of odd) {
		for (const method of notifications) messages.push({ method, params: { textDocument: value } });
		for (const [index, method] of requests.entries())
			messages.push({
				id: 1_000_000 + messages.length + index,
				method,
				params: { textDocument: value, position: value },
			});
		messages.push({ method: "textDocument/didChange", params: { textDocument: { uri }, contentChanges: value } });
		messages.push({ method: "workspace/didChangeWatchedFiles", params: { changes: value } });
		messages.push({ method: "$/cancelRequest", params: { id: value } });
		messages.push({ id: `s${messages.length}`, method: "codeAction/resolve", params: { data: value } });
		messages.push({ id: `s${messages.length}`, method: "workspace/executeCommand", params: { arguments: value } });
		messages.push({ id: `s${messages.length}`, method: "callHierarchy/incomingCalls", params: { item: value } });
		messages.push({ id: value, method: "textDocument/hover", params: value });
	}
	const frames = messages.map((message) => frame(JSON.stringify({ jsonrpc: "2.0", ...message })));
	const raw = ["noise\r\n", "\r\n\r\n", frame("{"), frame("[[["), frame(""), "Content-Length: -1\r\n\r\n"];
	return [...frames, ...raw, ...frames].slice(0, 200);
}
