import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelRequest } from "../../test/faces/pi/model-request.ts";
import { configurePi, PI_CLI, PI_NODE, piArguments, piEnvironment } from "../../test/faces/pi/pi-home.ts";
import { lines, type PiEvent } from "../../test/faces/pi/run-pi.ts";
import {
	type ScriptedCall,
	type ScriptedModel,
	type ScriptedTurn,
	startScriptedModel,
} from "../../test/faces/pi/scripted-model.ts";
import type { Workspace } from "../../test/support/workspace.ts";
import { machineMs, onMachine, readTimes } from "./clock.ts";

const probe = fileURLToPath(new URL("probe.ts", import.meta.url));

/** More requests than any session of the bench makes. */
const maxRequests = 100_000;
/** A request that has not come by then never will, in milliseconds. */
const longestMs = 180_000;

/** The times of one tool call of a pi, and the request that contains its result. */
export interface Answered {
	readonly request: ModelRequest;
	readonly text: string;
	/** From the start of the tool call to its end inside pi. */
	readonly toolMs: number;
	/** From the model's answer to the start of the call, and from its end to the arrival of the next request. */
	readonly delayMs: number;
}

interface Asked {
	readonly request: ModelRequest;
	readonly answer: (turn: ScriptedTurn) => void;
}

export type PiMode = "rpc" | "json";

export interface PiOptions {
	readonly mode?: PiMode;
	/** Whether the daemon's messages with findings are recorded. */
	readonly taps?: boolean;
}

/** A real pi whose model's turns the bench decides while it runs. */
export class LivePi {
	readonly #child: ChildProcess;
	readonly #model: ScriptedModel;
	readonly #mode: PiMode;
	readonly #times: string;
	readonly #asked: Asked[] = [];
	#wake = () => {};
	#runs = 0;
	#ended = 0;
	#exit: number | string | undefined;
	#stderr = "";
	#calls = 0;
	#newest: ModelRequest | undefined;
	/** The file of the recorded messages with findings. */
	readonly tapped: string;
	/** When each call was made, on the machine's clock, in order. */
	readonly #made: { readonly id: string; readonly at: number }[] = [];

	private constructor(child: ChildProcess, model: ScriptedModel, mode: PiMode, times: string, tapped: string) {
		this.tapped = tapped;
		this.#child = child;
		this.#model = model;
		this.#mode = mode;
		this.#times = times;
		const read = lines((line) => this.#read(line));
		child.stdout?.setEncoding("utf8").on("data", read);
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			this.#stderr += text;
		});
		child.on("close", (code, signal) => {
			this.#exit = code ?? signal ?? "unknown";
			this.#wake();
		});
	}

	/** Starts a pi in a workspace, with the extension in a directory, if given. */
	static async start(
		ws: Workspace,
		extension: string | undefined,
		{ mode = "rpc", taps = false }: PiOptions = {},
	): Promise<LivePi> {
		let pi: LivePi | undefined;
		const step = (request: ModelRequest) =>
			new Promise<ScriptedTurn>((answer) => (pi as LivePi).#take({ request, answer }));
		const model = await startScriptedModel(Array(maxRequests).fill(step));
		configurePi(ws, model.baseUrl);
		const [times, tapped] = ["size-times.ndjson", "size-tap.ndjson"].map((name) => join(ws.base, name)) as [
			string,
			string,
		];
		for (const file of [times, tapped]) writeFileSync(file, "");
		const loaded = ["--no-extensions", "-e", probe, ...(extension === undefined ? [] : ["-e", extension])];
		const asked = mode === "rpc" ? ["--mode", "rpc"] : ["--mode", "json", "Go on."];
		const child = spawn(PI_NODE, [PI_CLI, ...piArguments(undefined), ...loaded, ...asked], {
			cwd: ws.root,
			env: piEnvironment(ws, { PI_LSP_BENCH_TIMES: times, ...(taps ? { PI_LSP_BENCH_TAP: tapped } : {}) }),
			stdio: [mode === "rpc" ? "pipe" : "ignore", "pipe", "pipe"],
		});
		pi = new LivePi(child, model, mode, times, tapped);
		return pi;
	}

	/** Waits until the model is asked; sends a new prompt if no turn is running. */
	async begin(): Promise<void> {
		if (this.#asked.length === 0 && this.#runs === this.#ended) this.#prompt();
		await this.#until(() => this.#asked.length > 0, "a request of pi");
	}

	/** The text of the newest request, from the first call after a moment on. */
	textSince(moment: number): string {
		const first = this.#made.find(({ at }) => at >= moment)?.id;
		const messages = this.#newest?.messages ?? [];
		const from = messages.findIndex(({ callId }) => callId === first);
		return from < 0
			? ""
			: messages
					.slice(from)
					.map(({ text }) => text)
					.join("\n");
	}

	/** Lets the model make one call, and waits for the request that contains its result. */
	async call({ name, arguments: input }: ScriptedCall): Promise<Answered> {
		await this.begin();
		const asked = await this.#next();
		const id = `size_${++this.#calls}`;
		const answered = machineMs();
		this.#made.push({ id, at: answered });
		asked.answer({ calls: [{ name, arguments: input, id }] });
		await this.#until(() => this.#asked.length > 0, `a request after the call of ${name}`);
		const request = (this.#asked[0] as Asked).request;
		const times = readTimes(this.#times).get(id);
		const result = request.messages.find(({ callId }) => callId === id);
		if (times === undefined || result === undefined) throw new Error(`pi did not carry out its call of ${name}`);
		return {
			request,
			text: result.text,
			toolMs: times.ended - times.started,
			delayMs: times.started - answered + onMachine(request.at) - times.ended,
		};
	}

	/**
	 * Lets the model end its turn; resolves with the milliseconds until pi has ended it. Messages that an extension sends to
	 * the model before that are answered with an end as well.
	 */
	async endTurn(): Promise<number> {
		const asked = await this.#next();
		const began = machineMs();
		asked.answer({ text: "Done." });
		const isOver = () => (this.#mode === "json" ? this.#exit !== undefined : this.#runs === this.#ended);
		for (;;) {
			await this.#until(() => isOver() || this.#asked.length > 0, "the end of the turn");
			if (this.#asked.length === 0) return machineMs() - began;
			(await this.#next()).answer({ text: "Noted." });
		}
	}

	/** Waits, and answers messages that an extension sends to the model. */
	async idle(ms: number): Promise<void> {
		for (const end = machineMs() + ms; machineMs() < end; ) {
			await this.#until(() => this.#asked.length > 0, "", end - machineMs()).catch(() => {});
			while (this.#asked.length > 0) (await this.#next()).answer({ text: "Noted." });
		}
		await this.#until(() => this.#runs === this.#ended, "the end of what an extension began");
	}

	async close(): Promise<void> {
		try {
			while (this.#asked.length > 0) (await this.#next()).answer({ text: "Done." });
			this.#child.stdin?.end();
			await this.#until(() => this.#exit !== undefined, "pi's own end", 20_000);
		} finally {
			this.#child.kill("SIGKILL");
			await this.#model.close();
		}
	}

	#take(asked: Asked): void {
		this.#newest = asked.request;
		this.#asked.push(asked);
		this.#wake();
	}

	#prompt(): void {
		if (this.#mode === "json") return;
		this.#runs++;
		this.#child.stdin?.write(`${JSON.stringify({ id: `prompt-${this.#runs}`, type: "prompt", message: "Go on." })}\n`);
	}

	async #next(): Promise<Asked> {
		await this.#until(() => this.#asked.length > 0, "a request of pi");
		return this.#asked.shift() as Asked;
	}

	#read(line: string): void {
		if (!line.includes('"type":"agent_')) return;
		const { type } = JSON.parse(line) as PiEvent;
		// A run that an extension started was not counted as a prompt.
		if (type === "agent_start") this.#runs = Math.max(this.#runs, this.#ended + 1);
		if (type === "agent_end") this.#ended++;
		this.#wake();
	}

	#until(isMet: () => boolean, what: string, ms = longestMs): Promise<void> {
		return new Promise((resolve, reject) => {
			const end = (settle: () => void) => {
				clearTimeout(timer);
				this.#wake = () => {};
				settle();
			};
			const fail = (why: string) => end(() => reject(new Error(`${what}: ${why}\n${this.#stderr.slice(-1_000)}`)));
			const timer = setTimeout(() => fail(`not within ${Math.round(ms)} ms`), ms);
			this.#wake = () => {
				if (isMet()) end(resolve);
				else if (this.#exit !== undefined) fail(`pi has ended with ${this.#exit}`);
			};
			this.#wake();
		});
	}
}
