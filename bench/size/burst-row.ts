import { setTimeout as pause } from "node:timers/promises";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { type Figure, wrongAnswers } from "../figures.ts";
import { inTurn } from "../statistics.ts";
import { newErrors } from "./bare-side.ts";
import { addedFigure, breakingBar, delayFigures } from "./edits-row.ts";
import type { Answered } from "./live-pi.ts";
import { type Change, inverse } from "./project.ts";
import { rest, type Stage } from "./stage.ts";
import { compare, editCall, type Known, type Made } from "./trio.ts";

const gapMs = 50;
const editsOfBurst = 10;

/** Ten edits of the hub file, 50 ms apart, which break and repair its importers. */
export async function burstRow(stage: Stage, known: Known, bursts: number): Promise<Figure[]> {
	const breaks: Made[] = [];
	const repairs: Made[] = [];
	for (let burst = 0; burst < bursts; burst++)
		for (const [index, made] of (await oneBurst(stage, known, burst)).entries())
			(index % 2 === 0 ? breaks : repairs).push(made);
	const all = [...breaks, ...repairs];
	const { title } = stage.project;
	return [
		addedFigure(`${title}: ten edits 50 ms apart, export renamed`, breaks, breakingBar),
		addedFigure(`${title}: ten edits 50 ms apart, export renamed back`, repairs, breakingBar),
		wrongAnswers(
			`${title}: ten edits 50 ms apart, edited file reported wrongly`,
			all.filter(({ right }) => !right).length,
			all.length,
		),
		...delayFigures(`${title}: ten edits 50 ms apart, next model call delayed`, all),
	];
}

async function oneBurst(stage: Stage, known: Known, burst: number): Promise<Made[]> {
	const { project, bare, plain, equipped } = stage;
	const changes = changesOf(stage, burst);
	const bareMs: number[] = [];
	const expected: (readonly Diagnostic[])[] = [];
	const answers: Record<"plain" | "equipped", Answered[]> = { plain: [], equipped: [] };
	const steps = [
		() =>
			spaced(changes, async (change) => {
				const { ms, errors } = await bare.edit(change);
				bareMs.push(ms);
				expected.push(newErrors(known.get(change.file) ?? [], errors));
				known.set(change.file, errors);
			}),
		() => spaced(changes, async (change) => answers.plain.push(await plain.call(editCall(change)))),
		() => spaced(changes, async (change) => answers.equipped.push(await equipped.call(editCall(change)))),
	];
	for (const step of inTurn(steps, burst)) {
		await rest(stage);
		await step();
	}
	return changes.map((_, index) => {
		const made = compare(
			bareMs[index] ?? Number.NaN,
			answers.plain[index] as Answered,
			answers.equipped[index] as Answered,
			project.hub,
			expected[index] ?? [],
		);
		if (!made.right) stage.log(`reported wrongly: edit ${index + 1} of ten: ${made.text.slice(0, 400)}`);
		return made;
	});
}

function changesOf({ project }: Stage, burst: number): Change[] {
	return Array.from({ length: editsOfBurst / 2 }, (_, index) => {
		const there = project.breaking.change(1_000 + burst * editsOfBurst + index);
		return [there, inverse(there)];
	}).flat();
}

async function spaced(changes: readonly Change[], make: (change: Change) => Promise<unknown>): Promise<void> {
	for (const change of changes) {
		await make(change);
		await pause(gapMs);
	}
}
