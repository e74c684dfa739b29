import process from "node:process";
import { createInterface } from "node:readline/promises";
import { harmless } from "../../render/harmless.ts";

/** Asks whoever sits at the terminal a question of yes or no; undefined where nobody does. */
export async function askAtTerminal(question: string): Promise<boolean | undefined> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(`${harmless(question)} [y/N] `).finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}
