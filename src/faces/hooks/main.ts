import process from "node:process";
import { harmlessJson } from "../../render/harmless.ts";
import { answerEvent } from "./run.ts";

/** The daemon's socket takes 16 MB. */
const maxBytes = 12 * 1024 * 1024;

/** Always exits with 0 and an empty standard error. */
async function main([, , , host = "", name]: readonly string[]): Promise<void> {
	const input = await readInput();
	end(input === undefined ? "{}" : await answerEvent(host, name, input));
}

function end(answer: string): void {
	process.stdout.write(`${harmlessJson(answer)}\n`, () => process.exit(0));
}

async function readInput(): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes <= maxBytes) chunks.push(chunk);
	}
	return bytes <= maxBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

process.on("uncaughtException", () => end("{}"));
process.on("unhandledRejection", () => {});
process.stdout.on("error", () => process.exit(0));
main(process.argv).catch(() => end("{}"));
