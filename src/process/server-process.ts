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

/** What to run for a language server: nothing here was chosen by a repository unless it is trusted. */
export interface LaunchCommand {
	/** Absolute path of the program. */
	readonly file: string;
	readonly args: readonly string[];
	/** Working directory, the root of the project. */
	readonly cwd: string;
	readonly env: Environment;
	/** Where a server listens that somebody else runs; then nothing is started, and `file` is the same. */
	readonly connect?: string;
	/** What it is started through, if it is not to reach more than it needs. */
	readonly sandbox?: SandboxCommand;
}

/** How a process ended. */
export interface Exit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** The end of a process in words; of one that is somebody else's only the connection is known to be over. */
export function describeExit({ code, signal }: Exit, passive: boolean): string {
	if (passive) return "the connection was closed";
	return signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
}

type PipedChild = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable };

/**
 * A language server's process: its own process group (a server's children go with it), its standard error drained
 * into the last 64 KB (an undrained pipe wedges the server after some hundred calls), and a stop that always ends.
 */
export class ServerProcess {
	readonly passive = false;
	readonly #child: PipedChild;
	/** True for a server in a sandbox with process ids of its own; the child is then what waits for it outside. */
	readonly apart: boolean;
	readonly exited: Promise<Exit>;
	/** Resolves when it is gone and all that it wrote has been read; a grandchild may hold the pipes open for longer. */
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
				// Left to V8, 30 MB of dead chunks pile up, and malloc never gives that back.
				collectGarbage("young");
				this.#flood = 0;
			}
			this.onStderr?.(chunk);
		});
		// EPIPE arrives here when the server is gone; the exit tells the story.
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

	/** Starts the process; rejects with LSP_SERVER_UNAVAILABLE or LSP_SERVER_START_FAILED when it cannot be run at all. */
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
			// Afterwards: it starts the server when it has read them, and the server takes after it.
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

	/** Called with what the server writes to its standard error. */
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

	/** The last of standard error, at most `characters` long. */
	stderrTail(characters = 4096): string {
		return this.#stderr.toString().slice(-Math.min(characters, stderrBytes)).trim();
	}

	/**
	 * Stops the process for certain: after `politely` (the protocol's own shutdown) at most 3 s of waiting, then
	 * SIGTERM to the group and 2 s, then SIGKILL. Killing at once corrupts some servers' index files (neovim #19672).
	 */
	async stop(politely: Promise<void>): Promise<Exit> {
		await this.#within(3000, politely);
		// TypeScript 7 does not leave at `exit`, but when its input ends.
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

	/** Without the monitor, whose end would take all the others along at once. */
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
		// No such process or group: everyone is gone already.
	}
}

/** bubblewrap tells the signal that ended its program as a shell does, by an exit code above 128. */
function monitored(code: number | null, signal: NodeJS.Signals | null): Exit {
	const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
	return name === undefined ? { code, signal } : { code: null, signal: name as NodeJS.Signals };
}

/**
 * Whoever sits at the machine goes first. Two steps and not more: the agent waits for this very process, and at five
 * each check took a fifth longer while two cores were full.
 */
function lowerPriority(pid: number | undefined): void {
	try {
		// From where the daemon stands: root's would be raised otherwise.
		if (pid !== undefined) setPriority(pid, Math.min(getPriority() + 2, constants.priority.PRIORITY_LOW));
	} catch {
		// It has ended already, or the system does not let us.
	}
}
