import { setTimeout as pause } from "node:timers/promises";
import type { Figure } from "../figures.ts";
import { type Difference, differencesOf, type Errors, sizeOf } from "../truth/errors.ts";
import { machineMs } from "./clock.ts";
import { filesNaming, newIn, PhaseTally, reportedErrors } from "./phase-tally.ts";
import { type Change, inverse } from "./project.ts";
import { othersIn } from "./reported.ts";
import { type Seed, seedsOf } from "./seeds.ts";
import { rest, type Stage } from "./stage.ts";
import { reportsSince } from "./tap.ts";
import { editCall } from "./trio.ts";

/** The interval of calls that change nothing, made to receive new findings, and their longest duration, in milliseconds. */
const pollMs = 100;
const maxMs = 20_000;
/** How long pi idles after a turn in which something was missing, or nothing was, in milliseconds. */
const idleMs = { open: 10_000, complete: 1_000 };

/**
 * The effect of seeded edits of hub files on other files: when it was reported, and whether it agrees with the compiler.
 */
export async function phaseTwoRow(stage: Stage, edits: number, seed: number): Promise<Figure[]> {
	const { project, bare, plainWs, log } = stage;
	const before = await project.judge(plainWs, bare.root);
	const everyFileMs = await pullAll(stage);
	const seeds = seedsOf(bare.root, project.isSource, project.seeds, seed).slice(0, edits);
	log(
		`${seeds.length} seeded edits; ${sizeOf(before)} errors before; every file pulled: ${Math.round(everyFileMs)} ms`,
	);
	const tally = new PhaseTally(project.title, everyFileMs);
	for (const [index, each] of seeds.entries()) {
		const { file } = each.change;
		const there = await breakFiles(stage, each, before, tally);
		const back = await repairFiles(stage, inverse(each.change), before);
		tally.invented(back);
		const reported = [...there, ...back].map(textOf).join("; ");
		log(`#${index + 1} ${each.what} ${each.symbol} in ${file}: ${tally.last}${reported ? `: ${reported}` : ""}`);
	}
	return tally.figures();
}

/** The time of a bare client for every file of the project, one by one. */
function pullAll(stage: Stage): Promise<number> {
	return proveMs(stage, stage.bare.files(stage.project.isSource));
}

async function proveMs({ bare, project, plainWs }: Stage, files: readonly string[]): Promise<number> {
	if (project.othersMs !== undefined) return project.othersMs(plainWs, bare.root, files);
	const began = machineMs();
	for (const file of files) await bare.prove(file);
	return machineMs() - began;
}

async function breakFiles(stage: Stage, { change, symbol }: Seed, before: Errors, tally: PhaseTally) {
	const { project, bare, plainWs, equipped } = stage;
	await bare.prove(change.file);
	await rest(stage);
	const own = await bare.edit(change);
	const after = await project.judge(plainWs, bare.root);
	const broken = newIn(before, after);
	const others = [...broken.keys()].filter((file) => file !== change.file);
	const asked = new Set([...filesNaming(bare, project.isSource, symbol), ...others]);
	asked.delete(change.file);
	const bareMs = own.ms + (await proveMs(stage, [...asked]));

	await rest(stage);
	const began = machineMs();
	const { reportedMs, ownTime } = await untilReported(stage, change, others.length, began);
	await equipped.endTurn();
	await equipped.idle(reportedMs === undefined ? idleMs.open : idleMs.complete);
	// Findings after the turn are reported with the next prompt at the latest.
	await equipped.begin();
	const text = equipped.textSince(began);
	await equipped.endTurn();
	const reports = reportsSince(equipped.tapped, began);
	const reported = reportedErrors(reports, text, change.file, project.comparesCodes);
	return tally.edit({ broken, after, reported, bareMs, reportedMs, ownTime, others: others.length });
}

/** Makes the edit, and calls that change nothing until all broken files have been reported. */
async function untilReported({ equipped, project }: Stage, change: Change, files: number, began: number) {
	const isComplete = () => othersIn(equipped.textSince(began), change.file).files >= files;
	const { toolMs } = await equipped.call(editCall(change));
	const look = { name: "read", arguments: { path: project.hub, limit: 1 } };
	while (!isComplete() && machineMs() - began < maxMs) {
		await pause(pollMs);
		await equipped.call(look);
	}
	return { ownTime: toolMs, reportedMs: isComplete() ? machineMs() - began : undefined };
}

/** Reverts the edit; errors that are then reported as new are invented. */
async function repairFiles(stage: Stage, change: Change, before: Errors): Promise<Difference[]> {
	const { bare, equipped, project } = stage;
	const began = machineMs();
	await bare.edit(change);
	await equipped.call(editCall(change));
	await pause(1_000);
	await equipped.endTurn();
	await rest(stage);
	await equipped.begin();
	await equipped.endTurn();
	const reported = reportedErrors(
		reportsSince(equipped.tapped, began),
		equipped.textSince(began),
		change.file,
		project.comparesCodes,
	);
	return differencesOf(before, reported).flatMap(({ file, invented }) =>
		invented.length > 0 ? [{ file, invented, missing: [] }] : [],
	);
}

function textOf({ file, missing, invented }: Difference): string {
	const list = (name: string, errors: readonly string[]) => (errors.length ? ` ${name} ${errors.join(", ")}` : "");
	return `${file}:${list("missing", missing)}${list("invented", invented)}`;
}
