import { createInterface } from "node:readline/promises";
import type { Style, Styled } from "../../render/formats/pretty.ts";
import { harmless, harmlessJson } from "../../render/harmless.ts";

/** Only this file prints (test/layers.test.ts). */

export function print(text: string): 0 {
	process.stdout.write(withLineEnd(harmless(text)));
	return 0;
}

/** Escapes control characters. */
export function printJson(value: unknown): 0 {
	return printJsonText(JSON.stringify(value, null, 2));
}

export function printJsonText(json: string): 0 {
	process.stdout.write(withLineEnd(harmlessJson(json)));
	return 0;
}

export function printAside(text: string): void {
	process.stderr.write(withLineEnd(harmless(text)));
}

export function printWaiting(text: string | undefined): void {
	const width = Math.max(20, (process.stderr.columns || 80) - 1);
	process.stderr.write(`\r\u001b[K${text === undefined ? "" : [...harmless(text)].slice(0, width).join("")}`);
}

const codes: Readonly<Record<Style, string>> = {
	error: "1;31",
	warning: "1;33",
	info: "1;36",
	hint: "36",
	path: "1",
	dim: "2",
	good: "32",
};

/** NO_COLOR and FORCE_COLOR count. */
export function printStyled(lines: readonly (readonly Styled[])[]): void {
	const { NO_COLOR = "", FORCE_COLOR = "", TERM } = process.env;
	const isForced = FORCE_COLOR !== "" && FORCE_COLOR !== "0";
	const inColour = NO_COLOR === "" && (isForced || (process.stdout.isTTY && TERM !== "dumb"));
	const written = ({ text, style }: Styled) =>
		inColour && style ? `\u001b[${codes[style]}m${harmless(text)}\u001b[0m` : harmless(text);
	process.stdout.write(withLineEnd(lines.map((line) => line.map(written).join("")).join("\n")));
}

export function clearScreen(): void {
	process.stdout.write("\u001b[H\u001b[2J");
}

export function printOver(text: string): void {
	clearScreen();
	process.stdout.write(withLineEnd(harmless(text)));
}

/** Undefined without a terminal. */
export async function askAtTerminal(question: string): Promise<boolean | undefined> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(`${harmless(question)} [y/N] `).finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}

/** `otherwise` says what was not done: `Nothing was run`. */
export async function confirmed(question: string, otherwise: string): Promise<boolean> {
	const answer = await askAtTerminal(question);
	if (answer === true) return true;
	print(
		answer === undefined
			? `${otherwise}: there is no terminal to ask at. With --yes nothing is asked.`
			: `${otherwise}.`,
	);
	return false;
}

function withLineEnd(text: string): string {
	return text.endsWith("\n") ? text : `${text}\n`;
}
