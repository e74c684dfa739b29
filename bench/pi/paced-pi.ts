import { fileURLToPath } from "node:url";
import { type ModelRequest, toolResult } from "../../test/faces/pi/model-request.ts";
import { type PiRun, runPi } from "../../test/faces/pi/run-pi.ts";
import type { ScriptedCall, ScriptedTurn } from "../../test/faces/pi/scripted-model.ts";
import type { Workspace } from "../../test/support/workspace.ts";
import { timesFile } from "./call-times.ts";

const probe = fileURLToPath(new URL("probe.ts", import.meta.url));
/** Findings that come after the last call, on a busy machine, are sent in requests of their own. */
const spareSteps = 3;

/** The probe is loaded first, then the measured extension, if any. */
export function probedArguments(extension: string | undefined): string[] {
	return ["--no-extensions", "-e", probe, ...(extension === undefined ? [] : ["-e", extension])];
}

/** Where the probe of a workspace's pi writes its times. */
export function probedEnvironment(ws: Workspace): Record<string, string> {
	return { PI_LSP_BENCH_TIMES: timesFile(ws) };
}

/** A pi whose model makes its next call on demand, so that several can take turns. */
export interface PacedPi {
	/** Lets the model make one call; resolves with the text that it then reads. */
	call(call: ScriptedCall): Promise<string>;
	/** Lets the model end, and waits for pi's exit. */
	end(): Promise<PiRun>;
}

/** Starts a pi that will make `calls` calls. */
export function startPacedPi(
	ws: Workspace,
	calls: number,
	extension: string | undefined,
	more: readonly string[] = [],
): PacedPi {
	let asked = deferred<ModelRequest>();
	let answer = deferred<ScriptedTurn>();
	const step = (request: ModelRequest) => {
		answer = deferred();
		asked.resolve(request);
		return answer.promise;
	};
	const steps = [...Array(calls + 1).fill(step), ...Array(spareSteps).fill({ text: "Noted." })];
	const running = runPi(ws, steps, {
		extension: undefined,
		spareSteps,
		args: [...probedArguments(extension), ...more],
		env: probedEnvironment(ws),
		mode: "json",
		timeoutMs: 600_000,
	});
	const tooEarly = running.then(() => Promise.reject(new Error("pi ended before its script did")));
	tooEarly.catch(() => {});
	const next = () => Promise.race([asked.promise, tooEarly]);
	return {
		async call(call) {
			await next();
			asked = deferred();
			answer.resolve({ calls: [call] });
			return toolResult(await next());
		},
		async end() {
			await next();
			answer.resolve({ text: "Done." });
			return running;
		},
	};
}

interface Deferred<T> {
	readonly promise: Promise<T>;
	readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
	let resolve: (value: T) => void = () => {};
	const promise = new Promise<T>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}
