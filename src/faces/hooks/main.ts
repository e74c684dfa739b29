import { readSync, writeSync } from "node:fs";
import { LineSplitter } from "../../jsonrpc/line-splitter.ts";
import { harmlessJson } from "../../render/harmless.ts";
import { answerEvent } from "./run.ts";

export { isWorthCaching } from "./run.ts";

/** The daemon's socket takes 16 MB. */
const maxBytes = 12 * 1024 * 1024;
const chunkBytes = 64 * 1024;

const asLines = "--lines";

/** Always exits with 0 and an empty standard error. */
async function main([, , , host = "", name]: readonly string[]): Promise<void> {
	if (name === asLines) return answerLines(host);
	const input = await readInput();
	end(input === undefined ? "{}" : await answerEvent(host, name, input));
}

/** Only a full non-blocking pipe needs a stream, which takes 1.2 ms. */
function end(answer: string): void {
	let rest = Buffer.from(`${harmlessJson(answer)}\n`, "utf8");
	try {
		while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
			process.stdout.on("error", () => process.exit(0)).write(rest, () => process.exit(0));
			return;
		}
	}
	process.exit(0);
}

/** Only a non-blocking pipe needs a stream. */
async function readInput(): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	const keep = (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes <= maxBytes) chunks.push(chunk);
	};
	try {
		for (;;) {
			const chunk = Buffer.alloc(chunkBytes);
			const read = readSync(0, chunk);
			if (read === 0) break;
			keep(chunk.subarray(0, read));
		}
	} catch {
		for await (const chunk of process.stdin as AsyncIterable<Buffer>) keep(chunk);
	}
	return bytes <= maxBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

/** A line is a number and a payload; its answer is the number and what a process would print. */
async function answerLines(host: string): Promise<void> {
	process.stdout.on("error", () => process.exit(0));
	const answer = async (bytes: Buffer, isWhole = true) => {
		const [, number, payload = ""] = /^(\d+) (.*)/s.exec(bytes.toString("utf8")) ?? [];
		const text = isWhole ? await answerEvent(host, undefined, payload) : "{}";
		process.stdout.write(`${number} ${harmlessJson(text)}\n`);
	};
	const lines = new LineSplitter(maxBytes, {
		line: (bytes) => void answer(bytes),
		tooLong: (head) => void answer(head, false),
	});
	for await (const chunk of process.stdin as AsyncIterable<Buffer>) lines.feed(chunk);
	process.exit(0);
}

process.on("uncaughtException", () => end("{}"));
process.on("unhandledRejection", () => {});
main(process.argv).catch(() => end("{}"));
