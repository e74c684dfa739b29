import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { socketOf } from "../../test/daemon/daemon.ts";
import { Caller } from "../../test/faults/caller.ts";
import { appears } from "../../test/faults/waits.ts";
import { type Workspace, withWorkspace } from "../../test/support/workspace.ts";
import { makeCorpus } from "../corpus.ts";
import { atMost, type Figure, wrongAnswers } from "../figures.ts";
import { startDaemon } from "../soak/preloaded.ts";
import { quantile, spreadOf } from "../statistics.ts";
import { declarationsIn, type KnownPlace, linesWith } from "./places.ts";

const clients = 50;
const questionsOfEach = 200;
const maxDelayMs = 50;
/** Every third file ends with this line, so that checks of different files differ. */
const mistake = `export const mistake: number = "";\n`;

interface Own extends KnownPlace {
	readonly errors: number;
	/** Names on the first level of the file's outline, sorted. */
	readonly declares: readonly string[];
}

/**
 * 50 clients of one daemon with TypeScript 7 ask 10,000 questions of all kinds. Each client asks about its own module,
 * whose names are unique, so that a crossed answer is detected. The daemon itself measures how late its event loop is.
 */
export async function crowd(log: (line: string) => void): Promise<Figure[]> {
	const corpus = makeCorpus();
	const files: Record<string, string> = { ...corpus.files };
	const owns = declarationsIn(corpus, clients).map((place, index): Own => {
		const errors = index % 3 === 0 ? 1 : 0;
		if (errors > 0) files[place.file] += mistake;
		return { ...place, errors, declares: declaredIn(files[place.file] ?? "") };
	});
	log(`${clients} clients at once, ${clients * questionsOfEach} questions`);
	return withWorkspace(files, async (ws) => {
		const probe = join(ws.base, "delay.json");
		const home = { env: ws.env, socket: () => socketOf(ws) };
		const pid = await startDaemon(home, "delay.cjs", { env: { PI_LSP_PROBE: probe } });
		const odd: string[] = [];
		const callers = await Promise.all(owns.map(() => connect(ws, odd)));
		const warmUp = new Outcome();
		for (const [index, own] of owns.entries()) await warmUp.ask(callers[index] as Caller, own, index);
		await delayOf(pid, probe);

		const outcome = new Outcome();
		const began = performance.now();
		await Promise.all(
			owns.map(async (own, client) => {
				// The next question follows the answer, as with agents.
				for (let round = 0; round < questionsOfEach; round++)
					await outcome.ask(callers[client] as Caller, own, round + client);
			}),
		);
		const seconds = (performance.now() - began) / 1000;
		const delay = await delayOf(pid, probe);
		for (const caller of callers) caller.close();
		log(`${seconds.toFixed(1)} s; the event loop was ${delay.max.toFixed(0)} ms late at the most`);
		for (const example of [...warmUp.examples, ...outcome.examples, ...odd.slice(0, 3)]) log(example);
		const n = clients * questionsOfEach;
		return [
			{ what: `${clients} clients: from a question to its answer`, unit: "ms", ours: spreadOf(outcome.ms) },
			wrongAnswers(`${clients} clients: lost`, outcome.lost, n),
			wrongAnswers(`${clients} clients: crossed`, outcome.crossed, n),
			wrongAnswers(`${clients} clients: answers without a question, or repeated`, odd.length, n),
			atMost(`${clients} clients: event loop delay, 99th percentile`, "ms", delay.p99, maxDelayMs),
			{ what: "... of an answer: 99th percentile", unit: "ms", ours: spreadOf([quantile(outcome.ms, 0.99)]) },
		];
	});
}

function connect(ws: Workspace, odd: string[]): Promise<Caller> {
	const socket = socketOf(ws) ?? "";
	return Caller.connect({ socket, cwd: ws.root, env: ws.env, odd: (what) => odd.push(what) });
}

/** The daemon's measurements since the last call, in milliseconds. */
async function delayOf(pid: number, probe: string): Promise<{ readonly p99: number; readonly max: number }> {
	rmSync(probe, { force: true });
	process.kill(pid, "SIGUSR2");
	await appears(probe);
	return JSON.parse(readFileSync(probe, "utf8")) as { p99: number; max: number };
}

interface Places {
	readonly places: readonly { readonly path: string; readonly line: number }[];
}

class Outcome {
	/** Milliseconds from a question to its answer, of the answered ones. */
	readonly ms: number[] = [];
	/** Not answered, or with an error. */
	lost = 0;
	/** Answered with another module's data. */
	crossed = 0;
	readonly examples: string[] = [];

	/** Asks one question about a module; `turn` decides which of the five kinds. */
	async ask(caller: Caller, own: Own, turn: number): Promise<void> {
		const began = performance.now();
		try {
			const wrong = await kinds[turn % 10 === 9 ? 4 : turn % 4]?.(caller, own);
			this.ms.push(performance.now() - began);
			if (wrong === undefined) return;
			this.crossed++;
			this.#example(`${own.file}: ${wrong}`);
		} catch (error) {
			this.lost++;
			this.#example(`${own.file}: ${(error as Error).message}`);
		}
	}

	#example(what: string): void {
		if (this.examples.length < 5) this.examples.push(what.slice(0, 300));
	}
}

/** Resolves with the fault of the answer, if any. */
type Ask = (caller: Caller, own: Own) => Promise<string | undefined>;

const kinds: readonly Ask[] = [
	async (caller, { file, line, column, definition }) =>
		unless(placesOf(await caller.ask<Places>("definition", { file, line, column })), [definition]),
	async (caller, { file, line, column, name }) => {
		const { text } = await caller.ask<{ text: string }>("hover", { file, line, column });
		return text.includes(`function ${name}(`) ? undefined : text;
	},
	async (caller, { file, line, column, references }) =>
		unless(placesOf(await caller.ask<Places>("references", { file, line, column })), references),
	async (caller, { file, declares }) => {
		const { symbols } = await caller.ask<{ symbols: { name: string }[] }>("symbols", { file });
		return unless(symbols.map(({ name }) => name).sort(), declares);
	},
	async (caller, { file, errors }) => {
		const { files } = await caller.ask<CheckReport>("check", { files: [file], scope: "file", timeout: 20_000 });
		const [own] = files;
		// An unproven file is no answer.
		if (own?.state !== "fresh") throw new Error(`not proven: ${own?.state} (${own?.reason})`);
		return unless([`${own.path} ${own.diagnostics.length}`], [`${file} ${errors}`]);
	},
];

function placesOf({ places }: Places): string[] {
	return [...new Set(places.map(({ path, line }) => `${path}:${line}`))].sort();
}

function unless(found: readonly string[], wanted: readonly string[]): string | undefined {
	return found.join() === wanted.join() ? undefined : `${found.join()} instead of ${wanted.join()}`;
}

function declaredIn(text: string): string[] {
	const found = linesWith({ files: { own: text } }, /^export /).map((place) => Number(place.split(":")[1]));
	const lines = text.split("\n");
	return found.map((line) => /^export \w+ (\w+)/.exec(lines[line - 1] ?? "")?.[1] ?? "").sort();
}
