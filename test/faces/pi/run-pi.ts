import { REPOSITORY } from "../../support/repository.ts";
import { type CommandResult, runCommand } from "../../support/run-command.ts";
import type { Workspace } from "../../support/workspace.ts";
import { conversationText, type ModelRequest, newToolResults, toolResult } from "./model-request.ts";
import { configurePi, PI_CLI, PI_NODE, piArguments, piEnvironment } from "./pi-home.ts";
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from "./scripted-model.ts";

/** How to run pi once. */
export interface PiRunOptions {
	readonly mode?: "print" | "json";
	readonly prompt?: string;
	/** The extension to load; an explicit `undefined` loads the installed ones. */
	readonly extension?: string | undefined;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
	/**
	 * The number of last steps that may be left over: a late diagnostic is reported in a request of its own. Default:
	 * none.
	 */
	readonly spareSteps?: number;
	/** Receives each event in json mode as pi prints it. */
	readonly onEvent?: (event: PiEvent) => void;
}

/** An event of pi's json and rpc modes. */
export interface PiEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** The result of a finished run of pi. */
export interface PiRun extends CommandResult {
	readonly requests: readonly ModelRequest[];
	/** pi's output in json mode line by line, else empty. */
	readonly events: readonly PiEvent[];
	/** The text of the only tool result after the model's n-th turn, as the model read it. */
	result(turn?: number): string;
	/** The texts of all tool results after the model's n-th turn. */
	results(turn?: number): string[];
}

/**
 * Runs the real pi from its start to its own exit against a script of the model's turns. A run that fails, or in
 * which the model refused to continue or was not asked for its whole script, is a failure.
 */
export async function runPi(ws: Workspace, steps: readonly ScriptedStep[], options: PiRunOptions = {}): Promise<PiRun> {
	const { mode = "print", prompt = "Go on.", args = [], env = {}, timeoutMs = 45_000, spareSteps = 0 } = options;
	const extension = "extension" in options ? options.extension : REPOSITORY;
	const model = await startScriptedModel(steps);
	const events: PiEvent[] = [];
	const heard = (event: PiEvent) => {
		events.push(event);
		options.onEvent?.(event);
	};
	try {
		configurePi(ws, model.baseUrl);
		const modeArguments = mode === "json" ? ["--mode", "json", prompt] : ["-p", prompt];
		const command = [PI_CLI, ...piArguments(extension), ...args, ...modeArguments];
		ws.record(() => `pi, mode ${mode}:\n${conversationOf(model)}`);
		const ended = await runCommand(PI_NODE, command, {
			cwd: ws.root,
			env: piEnvironment(ws, env),
			timeoutMs,
			...(mode === "json" ? { onStdout: lines((line) => heard(JSON.parse(line) as PiEvent)) } : {}),
		});
		ws.record(`pi ended with ${ended.code}\nstdout: ${shortened(ended.stdout)}\nstderr: ${shortened(ended.stderr)}`);
		expectWholeScript(model, steps.length, spareSteps);
		if (ended.code !== 0) throw new Error(`pi ended with ${ended.code}`);
		return {
			...ended,
			requests: model.requests,
			events,
			result: (turn = 0) => toolResult(answerTo(model, turn)),
			results: (turn = 0) => newToolResults(answerTo(model, turn)).map((message) => message.text),
		};
	} finally {
		await model.close();
	}
}

/** The request that shows the model the results of its n-th turn. */
export function answerTo(model: Pick<ScriptedModel, "requests">, turn: number): ModelRequest {
	const request = model.requests[turn + 1];
	if (request === undefined) throw new Error(`the model was asked ${model.requests.length} times, not ${turn + 2}`);
	return request;
}

/** Fails with the model's own reason if it refused to continue, and if it was not asked for all its turns. */
export function expectWholeScript(model: ScriptedModel, steps: number, spare = 0): void {
	const [refusal] = model.refusals;
	if (refusal !== undefined) throw refusal;
	if (model.requests.length > steps || model.requests.length < steps - spare) {
		throw new Error(`the model was asked ${model.requests.length} times, its script has ${steps} turns`);
	}
}

/** The whole conversation of a model. */
export function conversationOf(model: ScriptedModel): string {
	const last = model.requests.at(-1);
	const refused = model.refusals.map((refusal) => `[the model refused] ${refusal.message}`);
	return [last === undefined ? "(the model was never asked)" : conversationText(last), ...refused].join("\n");
}

/** Joins pieces of text to lines; empty ones are left out. */
export function lines(line: (line: string) => void): (text: string) => void {
	let rest = "";
	return (text) => {
		const complete = (rest + text).split("\n");
		rest = complete.pop() ?? "";
		for (const each of complete) if (each.trim() !== "") line(each);
	};
}

function shortened(text: string): string {
	return text.length <= 3_000 ? text : `${text.slice(0, 1_000)}\n…\n${text.slice(-2_000)}`;
}
