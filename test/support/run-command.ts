import { spawn } from "node:child_process";

/** The result of a finished command. */
export interface CommandResult {
	/** Exit code, or the signal's name where a signal ended it. */
	readonly code: number | string;
	readonly stdout: string;
	readonly stderr: string;
	readonly wallMs: number;
}

/** The options of a command. */
export interface CommandOptions {
	readonly cwd: string;
	/** The whole environment: nothing is inherited. */
	readonly env: Readonly<Record<string, string>>;
	/** The text on stdin; without it stdin is /dev/null. */
	readonly input?: string;
	readonly timeoutMs?: number;
	/** Receives stdout while the command still runs. */
	readonly onStdout?: (text: string) => void;
}

/** Runs a command to its end. A command that exceeds its time is killed and fails, with its output so far. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
	const { cwd, env, input, timeoutMs = 45_000, onStdout } = options;
	const started = performance.now();
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
		let stdout = "";
		let stderr = "";
		let late = false;
		child.stdout?.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
			onStdout?.(text);
		});
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
		});
		const timer = setTimeout(() => {
			late = true;
			child.kill("SIGKILL");
			// A grandchild that inherited the pipes would keep "close" waiting.
			child.stdout?.destroy();
			child.stderr?.destroy();
		}, timeoutMs);
		child.on("error", (error) => {
			clearTimeout(timer);
			reject(error);
		});
		child.on("close", (code, signal) => {
			clearTimeout(timer);
			if (late) {
				const command = [file, ...args].join(" ");
				reject(new Error(`no end within ${timeoutMs} ms: ${command}\nstdout: ${stdout}\nstderr: ${stderr}`));
				return;
			}
			resolve({ code: code ?? signal ?? "unknown", stdout, stderr, wallMs: performance.now() - started });
		});
		if (input !== undefined) child.stdin?.end(input);
	});
}
