import process from "node:process";
import { harmless, harmlessJson } from "../../render/harmless.ts";

/** The only place from which the command line writes. */

/** Prints a text of some lines; the exit code of a command that has nothing else to say. */
export function print(text: string): 0 {
	process.stdout.write(ended(harmless(text)));
	return 0;
}

/** Prints data as JSON: whatever is in its texts is escaped and not lost. */
export function printJson(value: unknown): 0 {
	return printJsonText(JSON.stringify(value, null, 2));
}

/** Prints what is JSON already, or should be. */
export function printJsonText(json: string): 0 {
	process.stdout.write(ended(harmlessJson(json)));
	return 0;
}

/** Prints beside the answer, on standard error. */
export function printAside(text: string): void {
	process.stderr.write(ended(harmless(text)));
}

/** Prints a text in place of all that stands on the terminal. */
export function printOver(text: string): void {
	// Go to the top of the screen and clear it.
	process.stdout.write(`\u001b[H\u001b[2J${ended(harmless(text))}`);
}

function ended(text: string): string {
	return text.endsWith("\n") ? text : `${text}\n`;
}
