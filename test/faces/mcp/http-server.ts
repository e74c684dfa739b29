import { type ChildProcess, spawn } from "node:child_process";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import process from "node:process";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";

/** `pi-lsp mcp --http` in a process of its own. */
export interface HttpServer {
	readonly child: ChildProcess;
	readonly url: URL;
	readonly port: number;
	/** Its standard error so far. */
	stderr(): string;
	readonly exit: Promise<number | string | null>;
}

export const token = "correct horse battery staple";

/** The headers of a request with the token. */
export const json = {
	Authorization: `Bearer ${token}`,
	"Content-Type": "application/json",
	Accept: "application/json, text/event-stream",
};

/** Runs a test with a server; at its end a signal ends it, with exit code 0. */
export function withHttp(
	ws: Workspace,
	args: readonly string[],
	body: (server: HttpServer) => Promise<void>,
	more: Readonly<Record<string, string>> = { PI_LSP_TOKEN: token },
): Promise<void> {
	return withHttpProgram(ws, [CLI, "mcp", "--http", "--port", "0", ...args], body, more);
}

/** Does the same with another program that prints its address in the same words. */
export async function withHttpProgram(
	ws: Workspace,
	program: readonly string[],
	body: (server: HttpServer) => Promise<void>,
	more: Readonly<Record<string, string>> = {},
): Promise<void> {
	const child = spawn(process.execPath, program, { cwd: ws.root, env: { ...ws.env, ...more }, stdio: "pipe" });
	let stderr = "";
	let stdout = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
		ws.record(`mcp: ${text}`);
	});
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	const exit = new Promise<number | string | null>((resolve) => {
		child.once("exit", (code, signal) => resolve(code ?? signal));
	});
	try {
		const address = await until("it says where it listens", () => {
			const [, found] = /^listening on (\S+)$/m.exec(stderr) ?? [];
			return found === undefined ? notYet(stderr) : met(found);
		});
		const url = new URL(address);
		await body({ child, url, port: Number(url.port), stderr: () => stderr, exit });
	} finally {
		child.kill("SIGTERM");
	}
	const ended = await exit;
	if (ended !== 0 || stdout !== "") throw new Error(`it ended with ${ended}, and printed ${JSON.stringify(stdout)}`);
}

export interface Answered {
	readonly status: number | undefined;
	readonly headers: IncomingMessage["headers"];
	readonly text: string;
}

/** Sends one raw request; `write` sends an incomplete body. */
export function ask(
	{ port }: HttpServer,
	options: RequestOptions,
	body: string | Buffer | ((send: ReturnType<typeof request>) => void) = "",
): Promise<Answered> {
	return new Promise((resolve, reject) => {
		const sent = request(
			{ host: "127.0.0.1", port, path: "/mcp", method: "POST", agent: false, ...options },
			(answer) => {
				let text = "";
				answer.setEncoding("utf8").on("data", (piece: string) => {
					text += piece;
				});
				answer.once("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
				answer.once("error", reject);
			},
		);
		sent.once("error", reject);
		if (typeof body === "function") body(sent);
		else sent.end(body);
	});
}
