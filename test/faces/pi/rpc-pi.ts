import { type ChildProcess, spawn } from "node:child_process";
import { REPOSITORY } from "../../support/repository.ts";
import { met, never, notYet, type Patience, until, type Verdict } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";
import { HOST } from "./hosts.ts";
import type { ModelRequest } from "./model-request.ts";
import { configurePi, PI_CLI, PI_NODE, piArguments, piEnvironment } from "./pi-home.ts";
import { answerTo, conversationOf, expectWholeScript, lines, type PiEvent } from "./run-pi.ts";
import { type ScriptedStep, startScriptedModel } from "./scripted-model.ts";

/** A pi that runs in rpc mode. */
export interface RpcPi {
	readonly requests: readonly ModelRequest[];
	/** The events so far. */
	readonly events: readonly PiEvent[];
	readonly exitCode: number | string | undefined;
	/** Sends a prompt or a slash command and waits until pi has taken it; returns the index in `events` before it. */
	prompt(message: string): Promise<number>;
	/** Sends a prompt and waits until the agent has ended its turn. */
	ask(message: string): Promise<void>;
	/** Sends any command of the protocol. */
	send(command: PiEvent): void;
	/** Waits for an event, from an index in `events` on; pi's exit ends the wait. */
	event(what: string, wanted: (event: PiEvent) => boolean, from?: number): Promise<PiEvent>;
	/** Waits for a condition of this pi; pi's exit ends the wait. */
	until<T>(what: string, look: () => Verdict<T>, patience?: Patience): Promise<T>;
	/** The request that shows the model the results of its n-th turn. */
	answerTo(turn: number): ModelRequest;
}

/** How to run pi in rpc mode. */
export interface RpcPiOptions {
	readonly extension?: string | undefined;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
}

/** Runs a pi in rpc mode around a test; closing its stdin must be enough to end it. */
export async function withRpcPi(
	ws: Workspace,
	steps: readonly ScriptedStep[],
	body: (pi: RpcPi) => Promise<void>,
	options: RpcPiOptions = {},
): Promise<void> {
	const extension = "extension" in options ? options.extension : REPOSITORY;
	const model = await startScriptedModel(steps);
	configurePi(ws, model.baseUrl);
	const command = [PI_CLI, ...piArguments(extension), ...(options.args ?? []), "--mode", "rpc"];
	const child = spawn(PI_NODE, command, {
		cwd: ws.root,
		env: piEnvironment(ws, options.env),
		stdio: ["pipe", "pipe", "pipe"],
	});
	const heard = listen(child);
	ws.record(() => `pi, mode rpc:\n${conversationOf(model)}`);
	ws.record(() => `events: ${eventTypes(heard.events)}\nstderr: ${heard.stderr}\nexit: ${heard.exitCode}`);
	let commands = 0;

	const pi: RpcPi = {
		requests: model.requests,
		events: heard.events,
		get exitCode() {
			return heard.exitCode;
		},
		send(message) {
			child.stdin.write(`${JSON.stringify(message)}\n`);
		},
		async prompt(message) {
			const id = `prompt-${++commands}`;
			// A run that has ended may still be settling; the newer host takes no prompt until it has settled.
			if (!message.startsWith("/"))
				await pi.until("the last run settles", () =>
					settling(heard.events) ? notYet("it has ended") : met(undefined),
				);
			const from = heard.events.length;
			pi.send({ id, type: "prompt", message });
			const response = await pi.event(
				`pi takes "${message}"`,
				(event) => event.type === "response" && event.id === id,
				from,
			);
			if (response.success !== true) throw new Error(`pi refused "${message}": ${JSON.stringify(response)}`);
			return from;
		},
		async ask(message) {
			const from = await pi.prompt(message);
			await pi.event("the agent ends its turn", (event) => event.type === "agent_end", from);
		},
		event: (what, wanted, from = 0) =>
			pi.until(what, () => {
				const event = heard.events.slice(from).find(wanted);
				return event === undefined ? notYet(eventTypes(heard.events.slice(from))) : met(event);
			}),
		until: (what, look, patience) =>
			until(
				what,
				() => {
					const ended = heard.exitCode;
					const verdict = look();
					if (verdict.state !== "not yet" || ended === undefined) return verdict;
					return never(`pi has ended with ${ended}\n${heard.stderr}`);
				},
				patience,
			),
		answerTo: (turn) => answerTo(model, turn),
	};

	try {
		await body(pi);
		child.stdin.end();
		const code = await pi.until("pi ends when its stdin does", () =>
			heard.exitCode === undefined ? notYet("it runs") : met(heard.exitCode),
		);
		expectWholeScript(model, steps.length);
		if (code !== 0) throw new Error(`pi ended with ${code}`);
	} finally {
		child.kill("SIGKILL");
		await model.close();
	}
}

interface Heard {
	readonly events: PiEvent[];
	stderr: string;
	exitCode: number | string | undefined;
}

function listen(child: ChildProcess): Heard {
	const heard: Heard = { events: [], stderr: "", exitCode: undefined };
	// A line that is no JSON becomes an event that no test waits for, and is shown in the details of a failure.
	const hear = lines((line) => heard.events.push(parsed(line)));
	child.stdout?.setEncoding("utf8").on("data", hear);
	child.stderr?.setEncoding("utf8").on("data", (text: string) => {
		heard.stderr += text;
	});
	child.on("error", (error) => {
		heard.exitCode = error.message;
	});
	child.on("close", (code, signal) => {
		heard.exitCode = code ?? signal ?? "unknown";
	});
	return heard;
}

function settling(events: readonly PiEvent[]): boolean {
	const steps = new Set(["agent_start", "agent_end", HOST.settles]);
	const last = events.findLast(({ type }) => steps.has(type))?.type;
	return last === "agent_end" && last !== HOST.settles;
}

function parsed(line: string): PiEvent {
	try {
		return JSON.parse(line) as PiEvent;
	} catch {
		return { type: "not JSON", line };
	}
}

function eventTypes(events: readonly PiEvent[]): string {
	return events.length === 0
		? "no events"
		: events.map(({ type, method, line }) => [type, method, line].filter(Boolean).join(" ")).join(", ");
}
