import { pause } from "../../src/util/abort.ts";
import type { OwnFile } from "../soak/crowd.ts";
import type { Call, HttpClient } from "./http-client.ts";

export interface Member {
	readonly client: HttpClient;
	readonly own: OwnFile;
	/** Part of every answer to `lsp_status`. */
	readonly status: string;
	readonly path: string;
}

export class Outcome {
	/** In milliseconds. */
	readonly statusMs: number[] = [];
	readonly hoverMs: number[] = [];
	lost = 0;
	crossed = 0;
	readonly examples: string[] = [];

	/** Every fifth question of a client is a hover. Its time counts from `due`, when it was to be sent. */
	async ask({ client, own, status, path }: Member, round: number, due = performance.now()): Promise<void> {
		const isHover = round % 5 === 4;
		const hover = { name: "lsp_hover", arguments: { file: path, line: 1, column: round + 1 } };
		const call: Call = isHover ? hover : { name: "lsp_status", arguments: {} };
		const wanted = isHover ? `1:${round + 1} ${own.text}`.trim() : status;
		try {
			const text = await client.call(call);
			(isHover ? this.hoverMs : this.statusMs).push(performance.now() - due);
			if (`${text}\n`.includes(wanted)) return;
			this.crossed++;
			this.#example(`${path}: ${text}`);
		} catch (error) {
			this.lost++;
			this.#example((error as Error).message);
		}
	}

	#example(what: string): void {
		if (this.examples.length < 5) this.examples.push(what.slice(0, 300));
	}
}

/**
 * The next question of a client follows its answer at once, so that as many requests are pending as there are clients.
 * Resolves with the milliseconds of all.
 */
export async function askWithoutPause(members: readonly Member[], outcome: Outcome, rounds: number): Promise<number> {
	const began = performance.now();
	await Promise.all(
		members.map(async (member) => {
			for (let round = 0; round < rounds; round++) await outcome.ask(member, round);
		}),
	);
	return performance.now() - began;
}

/** Each member asks every `everyMs`, answered or not; their times are spread evenly. */
export async function askInTurn(
	members: readonly Member[],
	outcome: Outcome,
	{ rounds, everyMs }: { readonly rounds: number; readonly everyMs: number },
): Promise<void> {
	const began = performance.now();
	await Promise.all(
		members.map(async (member, index) => {
			const asked: Promise<void>[] = [];
			for (let round = 0; round < rounds; round++) {
				const due = began + (round + index / members.length) * everyMs;
				const early = due - performance.now();
				if (early > 0) await pause(early);
				asked.push(outcome.ask(member, round, due));
			}
			await Promise.all(asked);
		}),
	);
}
