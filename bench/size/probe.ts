import { appendFileSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

/**
 * An extension that records when each tool call of its pi begins and ends, on the machine's clock, which the model's side
 * reads as well. It is loaded before the measured extension, so that its handlers run first.
 */
export default function probe(pi: ExtensionAPI): void {
	const { PI_LSP_BENCH_TIMES: file, PI_LSP_BENCH_TAP: tapped } = process.env;
	if (file === undefined) return;
	if (tapped !== undefined) tap(tapped);
	const started = new Map<string, number>();
	pi.on("tool_execution_start", (event) => void started.set(event.toolCallId, machineMs()));
	pi.on("tool_execution_end", (event) => {
		const ended = machineMs();
		const call = { id: event.toolCallId, started: started.get(event.toolCallId), ended };
		appendFileSync(file, `${JSON.stringify(call)}\n`);
	});
}

function machineMs(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Records the daemon's messages with findings to this process: a text for the model names at most five files, but all
 * findings are compared with the compiler's.
 */
function tap(file: string): void {
	const rests = new WeakMap<Socket, string>();
	const { push } = Socket.prototype;
	Socket.prototype.push = function (this: Socket, chunk: unknown, encoding?: BufferEncoding): boolean {
		// The daemon is the only peer on a Unix socket that uses JSON-RPC.
		if (Buffer.isBuffer(chunk) && this.remoteAddress === undefined) {
			const lines = ((rests.get(this) ?? "") + chunk.toString("latin1")).split("\n");
			rests.set(this, lines.pop() ?? "");
			for (const line of lines)
				if (line.startsWith('{"jsonrpc"') && line.includes('"diagnostics":'))
					appendFileSync(file, `${machineMs()} ${Buffer.from(line, "latin1").toString("utf8")}\n`);
		}
		return push.call(this, chunk, encoding);
	};
}
