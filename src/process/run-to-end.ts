import { randomUUID } from "node:crypto";
import { LineSplitter } from "../jsonrpc/line-splitter.ts";
import { deadline, pause, waitOrAbort } from "../util/abort.ts";
import { ByteRing } from "../util/byte-ring.ts";
import { killMarked } from "./orphans.ts";
import { type Exit, type LaunchCommand, ServerProcess } from "./server-process.ts";

export interface RunOptions {
	readonly signal: AbortSignal;
	readonly limitMs: number;
	readonly input?: string;
	/** Its input stays open until it has written a line. */
	readonly answers?: boolean;
	/** Non-blank, without leading white space. */
	onLine(line: string): void;
}

export interface RunEnd extends Exit {
	readonly timedOut: boolean;
	readonly ms: number;
	readonly output: string;
	readonly omittedBytes: number;
}

const keptBytes = 32 * 1024;
/** A message of Cargo or Go is one line of JSON. */
const maxLineBytes = 1024 * 1024;
const drainMs = 2000;
const maxRounds = 50;
const roundMs = 10;

/** Marks processes that leave their group. */
const runVariable = "PI_LSP_COMMAND";

/**
 * In its own process group; resolves when all its processes have ended. Rejects with LSP_SERVER_UNAVAILABLE,
 * LSP_SERVER_START_FAILED or the signal's reason.
 */
export async function runToEnd(
	launch: LaunchCommand,
	{ signal, limitMs, input = "", answers = false, onLine }: RunOptions,
): Promise<RunEnd> {
	signal.throwIfAborted();
	const mark = randomUUID();
	const started = performance.now();
	const child = await ServerProcess.start({ ...launch, env: { ...launch.env, [runVariable]: mark } });
	child.stdin.write(input);
	if (!answers) child.stdin.end();
	const tail = new ByteRing(keptBytes);
	let bytes = 0;
	const listen = () => {
		const lines = new LineSplitter(maxLineBytes, {
			line: (line) => {
				onLine(line.toString("utf8"));
				child.stdin.end();
			},
			tooLong: () => {},
		});
		const take = (chunk: Buffer) => {
			bytes += chunk.length;
			tail.add(chunk);
			lines.feed(chunk);
		};
		return { take, end: () => lines.feed(Buffer.from("\n")) };
	};
	const [stdout, stderr] = [listen(), listen()];
	child.stdout.on("data", stdout.take);
	child.onStderr = stderr.take;
	const limit = deadline(limitMs, () => new Error("The time is over."), signal);
	try {
		const exit = await waitOrAbort(child.exited, limit.signal).catch(() => {
			child.kill();
			return child.exited;
		});
		// A process may be read before the child that it forks appears.
		for (let round = 0; round < maxRounds && killMarked(runVariable, mark) > 0; round++) await pause(roundMs);
		await within(drainMs, child.drained);
		signal.throwIfAborted();
		stdout.end();
		stderr.end();
		return {
			...exit,
			timedOut: limit.signal.aborted,
			ms: performance.now() - started,
			output: withoutHalf(tail.toString(), bytes > keptBytes),
			omittedBytes: Math.max(bytes - keptBytes, 0),
		};
	} finally {
		limit.end();
	}
}

function withoutHalf(text: string, isCut: boolean): string {
	return isCut ? text.slice(text.indexOf("\n") + 1) : text;
}

function within(ms: number, work: Promise<unknown>): Promise<unknown> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
