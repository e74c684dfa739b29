import { readFileSync, writeFileSync } from "node:fs";
import type { Workspace } from "../../test/support/workspace.ts";
import { atMost, type Figure } from "../figures.ts";
import { differences, quantile } from "../statistics.ts";
import { EXTENSION } from "./extension.ts";
import type { PiMode } from "./live-pi.ts";
import type { LargeProject } from "./project.ts";
import { rest, withPi, withProject } from "./stage.ts";
import { editCall } from "./trio.ts";

/** What pi-lsp may hold in one prompt, in milliseconds. */
const maxLateMs = 2_000;

/** How long one prompt was held: between its tools' ends and the next requests, and at its own end. */
interface Held {
	readonly middle: number;
	readonly end: number;
}

/**
 * A prompt whose edit breaks many files, with two calls behind it: its end is judged in rpc mode, and in json mode, where
 * pi waits for nobody after a run, the sum of all that was held.
 */
export async function heldRow(project: LargeProject, prompts: number): Promise<Figure[]> {
	const title = (mode: PiMode) => `${project.title}: ${mode} mode, an export renamed and two commands`;
	const rpc = await promptsIn(project, "rpc", prompts);
	const json = await promptsIn(project, "json", prompts);
	return [
		atMost(
			`${title("rpc")}: held in the middle, longest sum`,
			"ms",
			longest(rpc, ({ middle }) => middle),
			30,
		),
		atMost(
			`${title("rpc")}: held at the end, longest`,
			"ms",
			longest(rpc, ({ end }) => end),
			maxLateMs,
		),
		atMost(
			`${title("json")}: held in sum, longest`,
			"ms",
			longest(json, ({ middle, end }) => middle + end),
			maxLateMs,
		),
	];
}

type Both = readonly [plain: readonly Held[], equipped: readonly Held[]];

function longest([plain, equipped]: Both, cost: (held: Held) => number): number {
	return quantile(differences(plain.map(cost), equipped.map(cost)), 1);
}

function promptsIn(project: LargeProject, mode: PiMode, prompts: number): Promise<Both> {
	return withProject(project, (plainWs) =>
		withProject(project, async (equippedWs) => {
			const plain: Held[] = [];
			const equipped: Held[] = [];
			// The first prompt starts the servers, and is not counted.
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

/** One prompt of a pi of its own; the hub file is put back behind it. */
async function onePrompt(
	{ hub, breaking }: LargeProject,
	ws: Workspace,
	extension: string | undefined,
	mode: PiMode,
	n: number,
): Promise<Held> {
	const text = readFileSync(ws.path(hub), "utf8");
	const idle = { name: "bash", arguments: { command: "true" } };
	try {
		return await withPi(
			ws,
			extension,
			async (pi) => {
				let middle = 0;
				for (const call of [editCall(breaking.change(2_000 + n)), idle, idle]) middle += (await pi.call(call)).heldMs;
				return { middle, end: await pi.endTurn() };
			},
			{ mode },
		);
	} finally {
		writeFileSync(ws.path(hub), text);
	}
}
