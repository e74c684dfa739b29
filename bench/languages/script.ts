import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { edit, write } from "../../test/faces/pi/calls.ts";
import { folder, withServers } from "../../test/live/languages.ts";
import { type Workspace, withWorkspace } from "../../test/support/workspace.ts";
import { commitAll } from "../places.ts";
import { EXTENSION } from "../size/extension.ts";
import type { LivePi } from "../size/live-pi.ts";
import { withPi } from "../size/stage.ts";
import { judgeBreak, judgeRepair, type Step } from "./judge.ts";
import { toolchains } from "./projects.ts";
import type { Break, Subject } from "./subject.ts";

/** The time of a model between two calls, in milliseconds. */
const thinkMs = 2000;
/** Findings that come later count as missed, in milliseconds. */
const reportMs = 60_000;
/** The servers may take this long to load the project, in milliseconds. */
const loadMs = 120_000;

/**
 * The model of a real pi warms up with an empty line, breaks the file that it edits and repairs it, breaks a file that it
 * has not opened and repairs it, repeats that with `sed`, and reverts it with `git checkout`.
 */
export async function runScript(subject: Subject): Promise<Step[]> {
	const source = subject.source();
	return withWorkspace(typeof source === "string" ? {} : source, async (fresh) => {
		if (typeof source === "string") cpSync(source, fresh.root, { recursive: true, verbatimSymlinks: true });
		for (const name of subject.packages ?? []) {
			mkdirSync(dirname(fresh.path("node_modules", name)), { recursive: true });
			symlinkSync(join(folder, "node_modules", name), fresh.path("node_modules", name));
		}
		const env = { ...withServers(fresh.env), ...toolchains(), ...(subject.trusted ? { PI_LSP_TRUST: "1" } : {}) };
		const ws = { ...fresh, env };
		commitAll(ws.root, ws.env);
		return withPi(ws, EXTENSION, (pi) => stepsOf(pi, ws, subject));
	});
}

async function stepsOf(pi: LivePi, ws: Workspace, { own, shared = own }: Subject): Promise<Step[]> {
	await call(pi, write(own.file, `${ws.read(own.file)}\n`));
	await loaded(ws);
	await call(pi, write(own.file, ws.read(own.file).slice(0, -1)));
	await pause(thinkMs);
	const steps = await edited(pi, ws, own, "own break");
	if (shared !== own) steps.push(...(await edited(pi, ws, shared, "break elsewhere")));
	const sed = bash(`sed -i 's/${escaped(shared.from)}/${escaped(shared.to).replaceAll("&", "\\&")}/' ${shared.file}`);
	const change = (made: Parameters<LivePi["call"]>[0]) => () => changed(pi, ws, shared.file, made);
	steps.push(await broken(pi, ws, shared, { name: "sed", make: change(sed) }));
	steps.push(await repaired(pi, "checkout", change(bash(`git checkout -q ${shared.file}`))));
	return steps;
}

async function edited(pi: LivePi, ws: Workspace, made: Break, name: string): Promise<Step[]> {
	const { file, from, to } = made;
	const replace = (old: string, text: string) => () => changed(pi, ws, file, edit(file, [old, text]));
	const step = await broken(pi, ws, made, { name, make: replace(from, to) });
	return [step, await repaired(pi, `repair of the ${name}`, replace(to, from))];
}

/** Rejects if pi refuses the edit, which would otherwise count as an edit without findings. */
async function changed(pi: LivePi, ws: Workspace, file: string, made: Parameters<LivePi["call"]>[0]): Promise<string> {
	const before = ws.read(file);
	const text = await call(pi, made);
	if (ws.read(file) === before) throw new Error(`${file} was not changed: ${text}`);
	return text;
}

interface Made {
	readonly name: string;
	readonly make: () => Promise<string>;
}

/** Waits for missing findings; those that come then count as late. */
async function broken(pi: LivePi, ws: Workspace, made: Break, { name, make }: Made): Promise<Step> {
	const results = [await make()];
	const judge = () => judgeBreak(name, made, ws.read(made.file), results);
	const end = performance.now() + reportMs;
	while (judge().missing.length > 0 && performance.now() < end) results.push(await thought(pi));
	results.push(await thought(pi));
	return judge();
}

async function repaired(pi: LivePi, name: string, make: () => Promise<string>): Promise<Step> {
	return judgeRepair(name, [await make(), await thought(pi), await thought(pi)]);
}

async function thought(pi: LivePi): Promise<string> {
	await pause(thinkMs);
	return call(pi, bash("true"));
}

function bash(command: string): Parameters<LivePi["call"]>[0] {
	return { name: "bash", arguments: { command } };
}

async function call(pi: LivePi, made: Parameters<LivePi["call"]>[0]): Promise<string> {
	return (await pi.call(made)).text;
}

async function loaded(ws: Workspace): Promise<void> {
	const end = performance.now() + loadMs;
	for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
		await pause(thinkMs);
		const { servers } = JSON.parse((await ws.cli(["status", "--json"])).stdout) as {
			readonly servers: readonly { readonly ready?: boolean; readonly state: string }[];
		};
		const isLoading = servers.some(({ ready, state }) => state === "starting" || ready === false);
		quiet = isLoading ? 0 : quiet + 1;
	}
}

/** A text as sed's basic regular expression, delimited by slashes. */
function escaped(text: string): string {
	return text.replace(/[\\/.*^$[\]]/g, "\\$&").replaceAll("'", "'\\''");
}
