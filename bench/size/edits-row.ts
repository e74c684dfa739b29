import { compared, type Figure, hookBar, wrongAnswers } from "../figures.ts";
import { exactly, quantile, spreadOf } from "../statistics.ts";
import { inverse, type Kind, kinds, quietKinds, twofoldKinds } from "./project.ts";
import { rest, type Stage } from "./stage.ts";
import { type Known, type Made, makeEdit } from "./trio.ts";

/** An edit that other files may see waits this long for them, in milliseconds. */
const graceMs = 300;
export const breakingBar = { ...hookBar, plus: hookBar.plus + graceMs };

/** Edits of a hub file after a pause, each kind and its inverse in turn. */
export async function editsRow(stage: Stage, known: Known, rounds: number): Promise<Figure[]> {
	return figuresOfEdits(stage.project.title, await editsOf(stage, known, rounds));
}

export async function editsOf(stage: Stage, known: Known, rounds: number): Promise<Map<Kind, Made[]>> {
	const made = new Map<Kind, Made[]>(kinds.map((kind) => [kind, []]));
	let turn = 0;
	// The first round warms up every code path, and is not measured.
	for (let n = 0; n <= rounds; n++)
		for (const { kind, back, change } of stage.project.edits) {
			const there = change(n + 1);
			for (const [name, step] of [[kind, there] as const, [back, inverse(there)] as const]) {
				await rest(stage);
				const one = await makeEdit(stage, known, step, turn++);
				if (n > 0) made.get(name)?.push(one);
				if (!one.right) stage.log(`reported wrongly: ${name} (${step.newText}): ${one.text.slice(0, 600)}`);
			}
		}
	return made;
}

/** What each kind of edit adds, wrong reports, and delays. */
export function figuresOfEdits(title: string, made: ReadonlyMap<Kind, readonly Made[]>): Figure[] {
	const all = [...made.values()].flat();
	const rows = [...made].flatMap(([kind, some]) => {
		const counted = twofoldKinds.has(kind) ? eachWithItsInverse(some) : some;
		const bar = quietKinds.has(kind) ? hookBar : breakingBar;
		return counted.length === 0 ? [] : [addedFigure(`${title}: ${kind}`, counted, bar)];
	});
	return [
		...rows,
		wrongAnswers(`${title}: results wrong about the edited file`, all.filter(({ right }) => !right).length, all.length),
		...delayFigures(`${title}: next model call delayed`, all),
	];
}

type Times = Pick<Made, "bareMs" | "addedMs">;

/** The means of both: gopls answers an inverse four times as fast, so that the median would be one or the other. */
function eachWithItsInverse(made: readonly Times[]): Times[] {
	return made.flatMap((there, index) => {
		const back = made[index + 1];
		if (index % 2 > 0 || !back) return [];
		return [{ bareMs: (there.bareMs + back.bareMs) / 2, addedMs: (there.addedMs + back.addedMs) / 2 }];
	});
}

/** What is added to an edit, compared with the bare client's answer for the edited file. */
export function addedFigure(what: string, made: readonly Times[], bar: typeof hookBar): Figure {
	const [bare, ours] = [made.map(({ bareMs }) => bareMs), made.map(({ addedMs }) => addedMs)];
	return compared(what, bare, ours, bar);
}

/** Two clocks and a busy machine add this much to a request that nothing delays, in milliseconds. */
const noiseMs = 10;

/** A model call in the middle of a turn must not be delayed, neither at the median nor at most. */
export function delayFigures(what: string, made: readonly { readonly delayMs: number }[]): Figure[] {
	const delays = made.map(({ delayMs }) => delayMs);
	const worst = quantile(delays, 1);
	return [
		{ what, unit: "ms", ours: spreadOf(delays), bar: { text: "0 (noise)", limit: noiseMs } },
		{
			what: `${what}: the longest`,
			unit: "ms",
			ours: exactly(worst),
			bar: { text: "0 (noise)", limit: noiseMs * 5 },
		},
	];
}
