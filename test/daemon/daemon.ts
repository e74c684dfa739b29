import { existsSync, readdirSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type FoundProcess, processesOf } from "../support/processes.ts";
import type { CommandResult } from "../support/run-command.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace } from "../support/workspace.ts";

/** A project with one error, in `src/a.ts`. */
export const WRONG_PROJECT: Files = { ...TYPESCRIPT_PROJECT, "src/a.ts": `export const a: number = "";\n` };

/** The daemons of a workspace; there must never be two. */
export function daemonsOf(ws: Workspace): FoundProcess[] {
	return processesOf(ws.runId).filter(({ argv }) => argv.some((word) => word.endsWith("/daemon.cjs")));
}

/** The language servers of a workspace. */
export function serversOf(ws: Workspace): FoundProcess[] {
	return processesOf(ws.runId).filter(({ argv }) => argv.includes("--lsp"));
}

/** The one daemon of a workspace. */
export function daemonOf(ws: Workspace): FoundProcess {
	const [daemon, ...more] = daemonsOf(ws);
	if (!daemon || more.length) throw new Error(`${more.length + (daemon ? 1 : 0)} daemons run`);
	return daemon;
}

/** Resolves when no daemon and no server is left. */
export function everybodyGone(ws: Workspace, timeoutMs = 20_000): Promise<unknown> {
	return until(
		"daemon and servers are gone",
		() => {
			const left = [...daemonsOf(ws), ...serversOf(ws)];
			return left.length === 0 ? met(true) : notYet(JSON.stringify(left));
		},
		{ timeoutMs },
	);
}

/** Asks about `src/a.ts`, whose one error must be the answer. */
export async function ask(ws: Workspace): Promise<CommandResult> {
	const result = await ws.cli(["check", "src/a.ts", "--json", "--timeout", "30000"]);
	if (!isRight(result)) throw new Error(`not the answer: ${result.stdout}${result.stderr}`);
	return result;
}

export function isRight({ code, stdout }: CommandResult): boolean {
	if (code !== 1) return false;
	const { files } = JSON.parse(stdout) as CheckReport;
	return files[0]?.state === "fresh" && files[0].diagnostics.length === 1;
}

/** The address of the daemon of a workspace, or undefined if there is no socket. */
export function socketOf(ws: Workspace): string | undefined {
	const directory = join(ws.base, "run/pi-lsp");
	// A name that begins with a dot is a bound socket that is about to be renamed.
	const isSocket = (file: string) => file.endsWith(".sock") && !file.startsWith(".");
	const name = existsSync(directory) ? readdirSync(directory).find(isSocket) : undefined;
	return name && join(directory, name);
}

/** Sends raw bytes to the daemon and collects its output until it disconnects or `enough` matches. */
export function speak(ws: Workspace, bytes: string | Uint8Array, enough?: RegExp): Promise<string> {
	const path = socketOf(ws);
	if (!path) throw new Error("no daemon listens");
	return new Promise((resolve, reject) => {
		const socket = net.connect(path);
		let text = "";
		const timer = setTimeout(() => {
			socket.destroy();
			reject(new Error(`neither an answer nor an end within 10 s: ${text}`));
		}, 10_000);
		const done = () => {
			clearTimeout(timer);
			socket.destroy();
			resolve(text);
		};
		socket.setEncoding("utf8").on("data", (chunk: string) => {
			text += chunk;
			if (enough?.test(text)) done();
		});
		socket.on("error", () => {});
		socket.on("close", done);
		socket.write(bytes);
	});
}
