import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { CLI } from "../../support/repository.ts";
import { met, never, notYet, until } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";

/** A server without a client, with its input and its output. */
export interface Bare {
	readonly child: ChildProcess;
	send(message: object): void;
	/** Its standard output so far. */
	stdout(): string;
	/** The exit code or the signal. */
	readonly exit: Promise<number | string | null>;
}

export function start(ws: Workspace, args: readonly string[]): Bare {
	const child = spawn(process.execPath, [CLI, "mcp", ...args], { cwd: ws.root, env: { ...ws.env }, stdio: "pipe" });
	let stdout = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		stdout += text;
	});
	child.stderr.on("data", (chunk: Buffer) => ws.record(`mcp: ${chunk}`));
	child.stdin.on("error", () => {});
	return {
		child,
		send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
		stdout: () => stdout,
		exit: new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal))),
	};
}

export function printed(bare: Bare, what: RegExp): Promise<boolean> {
	return until(`it says ${what}`, () => {
		if (what.test(bare.stdout())) return met(true);
		const { exitCode, stdout } = bare.child;
		return exitCode !== null && stdout?.readableEnded ? never(`it has ended with ${exitCode}`) : notYet(bare.stdout());
	});
}

/** The result or the error in the answer to the message with that id. */
export async function answerTo(bare: Bare, id: number): Promise<ReturnType<typeof JSON.parse>> {
	return until(`${id} is answered`, () => {
		const messages = bare
			.stdout()
			.split("\n")
			.slice(0, -1)
			.map((line) => JSON.parse(line));
		const answer = messages.find((message) => message.id === id && message.method === undefined);
		return answer ? met(answer.result ?? answer.error) : notYet(bare.stdout());
	});
}
