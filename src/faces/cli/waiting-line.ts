import type { Caller } from "../../contract/caller.ts";
import { oneLine } from "../../render/escape.ts";
import { reportWaiting } from "../waiting.ts";
import { askAtTerminal, printWaiting } from "./print.ts";

export interface Waiting {
	say(text: string): void;
	ask(question: string): Promise<boolean | undefined>;
}

const everyMs = 1000;

export async function showWaiting<Result>(first: string, work: (waiting: Waiting) => Promise<Result>): Promise<Result> {
	if (!isTerminal()) return work({ say() {}, ask: askAtTerminal });
	const began = performance.now();
	let text = first;
	let isAsking = false;
	let isDrawn = false;
	const draw = () => {
		if (isAsking) return;
		isDrawn = true;
		printWaiting(`${oneLine(text)} · ${Math.round((performance.now() - began) / 1000)} s`);
	};
	const clear = () => {
		if (isDrawn) printWaiting(undefined);
		isDrawn = false;
	};
	const timer = setInterval(draw, everyMs);
	try {
		return await work({
			say(next) {
				text = next;
			},
			async ask(question) {
				isAsking = true;
				clear();
				return askAtTerminal(question).finally(() => {
					isAsking = false;
				});
			},
		});
	} finally {
		clearInterval(timer);
		clear();
	}
}

export function showCall<Result>(
	caller: Caller,
	cwd: string,
	work: (ask: Waiting["ask"]) => Promise<Result>,
): Promise<Result> {
	return showWaiting("waiting for the answer", async ({ say, ask }) => {
		const stop = isTerminal() ? reportWaiting(caller, cwd, ({ message }) => say(message)) : undefined;
		return work(ask).finally(() => stop?.());
	});
}

function isTerminal(): boolean {
	return process.stderr.isTTY === true && process.env.TERM !== "dumb";
}
