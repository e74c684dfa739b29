import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Protocol, type Step, scriptedModel } from "../src/faces/agents/examine/scripted-model.ts";
import { type Agent, agents, isInstalled, programOf } from "../test/agents/agents.ts";
import { addedTo, error, project as testProject } from "../test/agents/project.ts";
import { runCommand } from "../test/support/run-command.ts";
import { type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { hasError } from "./bare-client.ts";
import { type Benchmark, type Figure, wrongAnswers } from "./figures.ts";
import { withBare } from "./places.ts";
import { differences, inTurn, spreadOf, timed } from "./statistics.ts";

/** pi-lsp's own settings wait less than those of the tests. */
const { ".pi-lsp.json": _, ...project } = testProject;
const edits = 14;
/** The first edits start the daemon and the server. */
const warmUpEdits = 4;
const rounds = 2;
/** For each hook process of an edit: one where the payload holds the old text, else two. */
const processMs = 60;
const processes: Readonly<Record<string, number>> = { "claude-code": 1, codex: 2, gemini: 1, copilot: 2, opencode: 1 };

type Hooks = "none" | "true" | "pi-lsp";

/** What pi-lsp adds to an edit of the real agents: the time from the model's call to the next request. */
export const hosts: Benchmark = {
	name: "hosts",
	run: async (log) => {
		const bare = await bareTimes();
		const figures: Figure[] = [{ what: "a process: `node -e 0`", unit: "ms", ours: spreadOf(await nodeTimes()) }];
		for (const agent of agents) {
			if (!isInstalled(agent)) {
				log(`${agent.name} is not installed: node scripts/install-hosts.mjs`);
				continue;
			}
			const times: Record<Hooks, number[]> = { none: [], true: [], "pi-lsp": [] };
			let wrong = 0;
			for (let round = 0; round < rounds; round++)
				for (const hooks of inTurn(["none", "true", "pi-lsp"] as const, round)) {
					const run = await runOf(agent, hooks);
					times[hooks].push(...run.ms.slice(warmUpEdits));
					wrong += run.wrong;
					log(`${agent.name}, ${hooks}: ${spreadOf(run.ms.slice(warmUpEdits)).median.toFixed(1)} ms an edit`);
				}
			figures.push(...figuresOf(agent.name, times, bare), wrongAnswers(`${agent.name}: wrong`, wrong, rounds * edits));
		}
		return figures;
	},
};

function figuresOf(name: string, times: Readonly<Record<Hooks, number[]>>, bare: readonly number[]): Figure[] {
	const ofTrue = spreadOf(differences(times.none, times.true));
	const count = processes[name] ?? 1;
	const limit = 1.3 * spreadOf(bare).median + ofTrue.median + count * processMs;
	return [
		{
			what: `${name}: added to an edit`,
			unit: "ms",
			bare: spreadOf(bare),
			ours: spreadOf(differences(times.none, times["pi-lsp"])),
			bar: { text: `1.3 × + \`true\` + ${count} × ${processMs}`, limit },
		},
		{ what: `${name}: added by \`true\` in its hooks`, unit: "ms", ours: ofTrue },
	];
}

function textOf(round: number): string {
	return `export const a: string = ${round % 2 === 0 ? `"a${round}"` : round};`;
}

async function bareTimes(): Promise<number[]> {
	const ms: number[] = [];
	await withWorkspace(project, (ws) =>
		withBare(ws, project, undefined, async (bare) => {
			bare.open("src/a.ts", project["src/a.ts"]);
			for (let round = 1; round <= edits * rounds; round++) {
				bare.change("src/a.ts", `${textOf(round)}\n`);
				const answer = await timed(() => bare.pull("src/a.ts"));
				if (hasError(answer.value) !== (round % 2 === 1)) throw new Error("the bare client errs");
				ms.push(answer.ms);
			}
		}),
	);
	return ms.slice(warmUpEdits);
}

/** A hook process takes this long before it does anything; the bar allows 60 ms for all of one, on any machine. */
async function nodeTimes(): Promise<number[]> {
	const ms: number[] = [];
	for (let round = 0; round < 20; round++)
		ms.push((await timed(() => runCommand(process.execPath, ["-e", "0"], { cwd: "/", env: {} }))).ms);
	return ms;
}

function stepsOf(agent: Agent, ws: Workspace): { readonly steps: Step[]; readonly before: number } {
	const calls = Array.from({ length: edits }, (_, round) =>
		agent.edit(ws.path("src/a.ts"), textOf(round), textOf(round + 1)),
	);
	const [first = []] = calls;
	return { steps: [...first.slice(0, -1), ...calls.flatMap((call) => call.slice(-1))], before: first.length - 1 };
}

async function runOf(agent: Agent, hooks: Hooks): Promise<{ readonly ms: readonly number[]; readonly wrong: number }> {
	return withWorkspace({ ...project, "src/a.ts": `${textOf(0)}\n` }, async (ws) => {
		const { steps, before } = stepsOf(agent, ws);
		const { protocol, waits } = measured(agent.protocol);
		const model = await scriptedModel(protocol, steps);
		try {
			const place = {
				url: model.url,
				root: ws.root,
				home: ws.env.HOME as string,
				config: ws.env.XDG_CONFIG_HOME as string,
			};
			for (const [file, text] of Object.entries(agent.files(place))) {
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, text);
			}
			const only = hooks === "none" ? ["--mcp-only"] : [];
			const { code, stderr } = await ws.cli(["init", agent.name, "--yes", ...only]);
			if (code !== 0) throw new Error(stderr);
			if (hooks === "true") replaceHooks(hooksFile(agent.name, place));
			const options = { cwd: ws.root, env: { ...ws.env, ...agent.env(place) }, input: "", timeoutMs: 120_000 };
			await runCommand(programOf(agent), agent.args, options);
			const ms = waits.slice(before + 1, before + 1 + edits);
			if (ms.length !== edits) throw new Error(`${agent.name} made ${ms.length} of ${edits} edits`);
			const isReported = (at: number) =>
				addedTo(model.requests[before + 1 + at], model.requests[before + at]).includes(error);
			const wrong = hooks === "pi-lsp" ? ms.filter((_, at) => isReported(at) !== (at % 2 === 0)).length : 0;
			return { ms, wrong };
		} finally {
			await model.close();
		}
	});
}

/** `waits`: milliseconds from an answer to the next request; the first is from the start. */
function measured(protocol: Protocol): { readonly protocol: Protocol; readonly waits: number[] } {
	const waits: number[] = [];
	let answered = performance.now();
	let isStep = false;
	return {
		waits,
		protocol: {
			isStep(body, url) {
				isStep = protocol.isStep(body, url);
				if (isStep) waits.push(performance.now() - answered);
				return isStep;
			},
			answer(step, respond, body) {
				protocol.answer(step, respond, body);
				if (isStep) answered = performance.now();
			},
		},
	};
}

function hooksFile(name: string, { home, config }: { readonly home: string; readonly config: string }): string {
	const files: Readonly<Record<string, string>> = {
		"claude-code": join(home, ".claude/settings.json"),
		codex: join(home, ".codex/hooks.json"),
		gemini: join(home, ".gemini/settings.json"),
		copilot: join(home, ".copilot/hooks/pi-lsp.json"),
		opencode: join(config, "opencode/plugin/pi-lsp.js"),
	};
	const file = files[name];
	if (file === undefined) throw new Error(`no file of hooks of ${name} is known`);
	return file;
}

function replaceHooks(file: string): void {
	const text = readFileSync(file, "utf8");
	const changed = text
		.replace(/("(?:command|bash)":\s*)"(?:[^"\\]|\\.)* hook (?:[^"\\]|\\.)*"/g, '$1"true"')
		.replace(/^const \[program, \.\.\.args\] = .*$/m, 'const [program, ...args] = ["true"];');
	if (changed === text) throw new Error(`${file} has no hook`);
	writeFileSync(file, changed);
}
