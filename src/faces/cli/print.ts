import process from "node:process";
import { createInterface } from "node:readline/promises";
import { harmless, harmlessJson } from "../../render/harmless.ts";

/** Only this file writes for the command line (test/layers.test.ts). */

/** Returns exit code 0. */
export function print(text: string): 0 {
	process.stdout.write(withLineEnd(harmless(text)));
	return 0;
}

/** Control characters are escaped, not removed. */
export function printJson(value: unknown): 0 {
	return printJsonText(JSON.stringify(value, null, 2));
}

/** For a text that should be JSON already. */
export function printJsonText(json: string): 0 {
	process.stdout.write(withLineEnd(harmlessJson(json)));
	return 0;
}

export function printAside(text: string): void {
	process.stderr.write(withLineEnd(harmless(text)));
}

/** Clears the terminal first. */
export function printOver(text: string): void {
	process.stdout.write(`\u001b[H\u001b[2J${withLineEnd(harmless(text))}`);
}

/** Undefined without a terminal. */
export async function askAtTerminal(question: string): Promise<boolean | undefined> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(`${harmless(question)} [y/N] `).finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}

function withLineEnd(text: string): string {
	return text.endsWith("\n") ? text : `${text}\n`;
}
