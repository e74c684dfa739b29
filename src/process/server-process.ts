import { type ChildProcess, spawn } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LspError } from "../contract/errors.ts";
import { ByteRing } from "../util/byte-ring.ts";
import { collectGarbage } from "../util/collect-garbage.ts";
import type { Environment } from "./environment.ts";
import { ownerMark } from "./orphans.ts";
import { handInputs, inputPipes, type SandboxCommand } from "./sandbox-command.ts";
import { processTree } from "./usage.ts";

const stderrBytes = 64 * 1024;
const floodBytes = 4 * 1024 * 1024;

/** Nothing of it is from an untrusted repository. */
export interface LaunchCommand {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Environment;
	readonly connect?: string;
	readonly sandbox?: SandboxCommand;
}

export interface Exit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export function describeExit({ code, signal }: Exit, passive: boolean): string {
	if (passive) return "the connection was closed";
	return signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
}

type PipedChild = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };

/** Standard error is drained: a full pipe blocks the server. */
export class ServerProcess {
	readonly passive = false;
	readonly #child: PipedChild;
	readonly apart: boolean;
	readonly exited: Promise<Exit>;
	/** After exit and all output; a grandchild may keep the pipes open. */
	readonly drained: Promise<void>;
	readonly #stderr = new ByteRing(stderrBytes);
	#flood = 0;
	#exit: Exit | undefined;

	private constructor(child: PipedChild, apart: boolean) {
		this.#child = child;
		this.apart = apart;
		child.stderr.on("data", (chunk: Buffer) => {
			this.#stderr.add(chunk);
			this.#flood += chunk.length;
			if (this.#flood > floodBytes) {
				// V8 would leave 30 MB of garbage to malloc, which keeps it.
				collectGarbage("young");
				this.#flood = 0;
			}
			this.onStderr?.(chunk);
		});
		child.stdin.on("error", () => {});
		this.drained = new Promise((resolve) => void child.once("close", () => resolve()));
		this.exited = new Promise((resolve) => {
			child.once("exit", (code, signal) => {
				this.#exit = apart ? monitored(code, signal) : { code, signal };
				this.#signalGroup("SIGKILL");
				resolve(this.#exit);
			});
		});
	}

	/** Rejects with LSP_SERVER_UNAVAILABLE or LSP_SERVER_START_FAILED. */
	static start(launch: LaunchCommand): Promise<ServerProcess> {
		const { sandbox } = launch;
		const file = sandbox?.file ?? launch.file;
		const args = sandbox ? [...sandbox.args, launch.file, ...launch.args] : launch.args;
		return new Promise((resolve, reject) => {
			const child = spawn(file, args, {
				cwd: launch.cwd,
				env: { ...launch.env, ...ownerMark() },
				detached: true,
				stdio: ["pipe", "pipe", "pipe", ...(sandbox ? inputPipes(sandbox) : [])],
				windowsHide: true,
			});
			lowerPriority(child.pid);
			// The inputs start the server.
			if (sandbox) handInputs(child, sandbox);
			child.once("error", (error: NodeJS.ErrnoException) => {
				const missing = error.code === "ENOENT";
				reject(
					new LspError(
						missing ? "LSP_SERVER_UNAVAILABLE" : "LSP_SERVER_START_FAILED",
						missing
							? `${file} is not installed, or its directory ${launch.cwd} is gone.`
							: `${file} could not be run (${error.code ?? error.message}).`,
						{
							command: [launch.file, ...launch.args].join(" "),
							...(missing ? { search_paths: [dirname(file)] } : { exit_code: null, stderr: "" }),
						},
						{ cause: error },
					),
				);
			});
			child.once("spawn", () => resolve(new ServerProcess(child as PipedChild, sandbox?.ownProcessIds ?? false)));
		});
	}

	onStderr: ((chunk: Buffer) => void) | undefined;

	get pid(): number {
		return this.#child.pid ?? -1;
	}
	get stdin(): Writable {
		return this.#child.stdin;
	}
	get stdout(): Readable {
		return this.#child.stdout;
	}
	get exit(): Exit | undefined {
		return this.#exit;
	}

	stderrTail(characters = 4096): string {
		return this.#stderr.toString().slice(-Math.min(characters, stderrBytes)).trim();
	}

	/**
	 * After `shutdown` SIGTERM, at last SIGKILL: killing at once corrupts some servers' index files (neovim #19672).
	 */
	async stop(shutdown: Promise<void>): Promise<Exit> {
		await this.#within(3000, shutdown);
		// TypeScript 7 exits at the end of its input, not at `exit`.
		this.#child.stdin.end();
		if (!this.#exit) await this.#within(1000, this.exited);
		if (!this.#exit) {
			this.#terminate();
			await this.#within(2000, this.exited);
		}
		if (!this.#exit) this.#signalGroup("SIGKILL");
		return this.exited;
	}

	kill(): void {
		if (!this.#exit) this.#signalGroup("SIGKILL");
	}

	#within(ms: number, work: Promise<unknown>): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, ms);
			const done = () => {
				clearTimeout(timer);
				resolve();
			};
			work.then(done, done);
			this.exited.then(done);
		});
	}

	/** The end of bubblewrap's monitor would kill the whole sandbox. */
	#terminate(): void {
		if (this.apart) for (const pid of processTree(this.pid).slice(1)) send(pid, "SIGTERM");
		else this.#signalGroup("SIGTERM");
	}

	#signalGroup(signal: NodeJS.Signals): void {
		if (this.#child.pid) send(-this.#child.pid, signal);
	}
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// The group is gone.
	}
}

/** bubblewrap reports its program's signal by an exit code above 128. */
function monitored(code: number | null, signal: NodeJS.Signals | null): Exit {
	const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
	return name === undefined ? { code, signal } : { code: null, signal: name as NodeJS.Signals };
}

/** By two steps: the agent waits. An absolute one could exceed the daemon's. */
function lowerPriority(pid: number | undefined): void {
	try {
		if (pid !== undefined) setPriority(pid, Math.min(getPriority() + 2, constants.priority.PRIORITY_LOW));
	} catch {
		// It has exited, or this is not allowed.
	}
}
