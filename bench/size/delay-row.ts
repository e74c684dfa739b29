import { readFileSync, writeFileSync } from "node:fs";
import type { Workspace } from "../../test/support/workspace.ts";
import { atMost, type Figure } from "../figures.ts";
import { differences, quantile } from "../statistics.ts";
import { EXTENSION } from "./extension.ts";
import type { PiMode } from "./live-pi.ts";
import type { LargeProject } from "./project.ts";
import { rest, withPi, withProject } from "./stage.ts";
import { editCall } from "./trio.ts";

/** The most that pi-lsp may delay one prompt, in milliseconds. */
const maxLateMs = 2_000;

/** The delays of one prompt: between its tools' ends and the next requests, and at its end. */
interface Delay {
	readonly middle: number;
	readonly end: number;
}

/**
 * A prompt whose edit breaks many files, followed by two calls: its end is judged in rpc mode, and the sum of all delays in
 * json mode, where pi exits after a run without waiting.
 */
export async function delayRow(project: LargeProject, prompts: number): Promise<Figure[]> {
	const title = (mode: PiMode) => `${project.title}: ${mode} mode, an export renamed and two commands`;
	const rpc = await promptsIn(project, "rpc", prompts);
	const json = await promptsIn(project, "json", prompts);
	return [
		atMost(
			`${title("rpc")}: delay between calls, longest sum`,
			"ms",
			longest(rpc, ({ middle }) => middle),
			30,
		),
		atMost(
			`${title("rpc")}: delay at the end, longest`,
			"ms",
			longest(rpc, ({ end }) => end),
			maxLateMs,
		),
		atMost(
			`${title("json")}: total delay, longest`,
			"ms",
			longest(json, ({ middle, end }) => middle + end),
			maxLateMs,
		),
	];
}

type Both = readonly [plain: readonly Delay[], equipped: readonly Delay[]];

function longest([plain, equipped]: Both, cost: (delay: Delay) => number): number {
	return quantile(differences(plain.map(cost), equipped.map(cost)), 1);
}

function promptsIn(project: LargeProject, mode: PiMode, prompts: number): Promise<Both> {
	return withProject(project, (plainWs) =>
		withProject(project, async (equippedWs) => {
			const plain: Delay[] = [];
			const equipped: Delay[] = [];
			// The first prompt starts the servers, and is not measured.
			for (let n = 0; n <= prompts; n++) {
				await rest({ plainWs, equippedWs });
				const one = await onePrompt(project, plainWs, undefined, mode, n);
				await rest({ plainWs, equippedWs });
				const other = await onePrompt(project, equippedWs, EXTENSION, mode, n);
				if (n > 0) {
					plain.push(one);
					equipped.push(other);
				}
			}
			return [plain, equipped] as const;
		}),
	);
}

/** One prompt of a separate pi; the hub file is restored afterwards. */
async function onePrompt(
	{ hub, breaking }: LargeProject,
	ws: Workspace,
	extension: string | undefined,
	mode: PiMode,
	n: number,
): Promise<Delay> {
	const text = readFileSync(ws.path(hub), "utf8");
	const idle = { name: "bash", arguments: { command: "true" } };
	try {
		return await withPi(
			ws,
			extension,
			async (pi) => {
				let middle = 0;
				for (const call of [editCall(breaking.change(2_000 + n)), idle, idle]) middle += (await pi.call(call)).delayMs;
				return { middle, end: await pi.endTurn() };
			},
			{ mode },
		);
	} finally {
		writeFileSync(ws.path(hub), text);
	}
}
