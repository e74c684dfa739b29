import process from "node:process";
import type { PiEvent } from "../test/faces/pi/run-pi.ts";

type Colour = "bold" | "dim" | "red" | "green" | "cyan";
const CODES: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, cyan: 36 };

/** Text in a colour on a terminal, plain in a file. */
export function painted(colour: Colour, text: string): string {
	const wanted = process.stdout.isTTY && process.env.NO_COLOR === undefined;
	return wanted ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

interface Part {
	readonly type: string;
	readonly text?: string;
	readonly name?: string;
	readonly arguments?: Readonly<Record<string, unknown>>;
}

interface Message {
	readonly role: string;
	readonly content: string | readonly Part[];
}

interface Replacement {
	readonly oldText: string;
	readonly newText: string;
}

/** Prints a conversation while it happens, from the events of pi's json mode. */
export function conversationPrinter(print: (text: string) => void): (event: PiEvent) => void {
	const started = new Map<unknown, number>();
	return (event) => {
		if (event.type === "message_end") printMessage(event.message as Message, print);
		if (event.type === "tool_execution_start") started.set(event.toolCallId, performance.now());
		if (event.type === "tool_execution_end") {
			const ms = performance.now() - (started.get(event.toolCallId) ?? Number.NaN);
			const { content } = event.result as { content: readonly Part[] };
			printResult(content.map((part) => part.text ?? "").join("\n"), ms, print);
		}
	};
}

function printMessage(message: Message, print: (text: string) => void): void {
	if (message.role !== "user" && message.role !== "assistant") return;
	const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
	const speaker = message.role === "user" ? "you" : "model";
	for (const part of parts) {
		if (part.type === "text" && part.text) printAs(speaker, part.text, print);
		if (part.type === "toolCall") printAs(speaker, callText(part), print);
	}
}

function callText({ name, arguments: given = {} }: Part): string {
	const head = painted("bold", `${name} ${String(given.path)}`);
	if (typeof given.content === "string") return `${head}\n${prefixed("+", "green", given.content)}`;
	const edits = (given.edits ?? []) as readonly Replacement[];
	const changes = edits.flatMap(({ oldText, newText }) => [
		prefixed("-", "red", oldText),
		prefixed("+", "green", newText),
	]);
	return [head, ...changes].join("\n");
}

function printResult(text: string, ms: number, print: (text: string) => void): void {
	const [first = "", ...rest] = text.split("\n");
	const shown = rest.map((line) => (/^(ERROR|<\/?diagnostics)/.test(line) ? painted("red", line) : line));
	printAs("pi", [`${first} ${painted("cyan", `(${Math.round(ms)} ms)`)}`, ...shown].join("\n"), print);
}

function prefixed(sign: string, colour: Colour, text: string): string {
	return text
		.trimEnd()
		.split("\n")
		.map((line) => painted(colour, `${sign} ${line.replaceAll("\t", "  ")}`))
		.join("\n");
}

const SPEAKER_WIDTH = 7;

function printAs(speaker: string, text: string, print: (text: string) => void): void {
	const [first, ...rest] = text.split("\n");
	const margin = " ".repeat(SPEAKER_WIDTH);
	print(`${painted("dim", speaker.padEnd(SPEAKER_WIDTH))}${first}`);
	for (const line of rest) print(line === "" ? "" : `${margin}${line}`);
	print("");
}
