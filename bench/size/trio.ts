import type { Diagnostic } from "vscode-languageserver-protocol";
import { edit } from "../../test/faces/pi/calls.ts";
import type { ScriptedCall } from "../../test/faces/pi/scripted-model.ts";
import { inTurn } from "../statistics.ts";
import { newErrors, placeOf } from "./bare-side.ts";
import type { Answered } from "./live-pi.ts";
import type { Change } from "./project.ts";
import { reportsOwn } from "./reported.ts";
import type { Stage } from "./stage.ts";

/** The time of one edit in a bare client, and what pi-lsp added to it. */
export interface Made {
	readonly bareMs: number;
	/** How much longer the tool call took than in a pi without pi-lsp. */
	readonly addedMs: number;
	/** How much later after the end of the tool call the next request came than in a pi without pi-lsp. */
	readonly delayMs: number;
	/** Whether the result reported exactly the errors that the edit added to its own file. */
	readonly right: boolean;
	readonly text: string;
}

/** The errors of each edited file, as the bare client last found them. */
export type Known = Map<string, readonly Diagnostic[]>;

export function editCall({ file, oldText, newText }: Change): ScriptedCall {
	return edit(file, [oldText, newText]);
}

/** The bare client and both pis make the same edit, in an order that changes with `round`. */
export async function makeEdit(stage: Stage, known: Known, change: Change, round: number): Promise<Made> {
	const before = known.get(change.file) ?? [];
	let bareMs = 0;
	let expected: readonly Diagnostic[] = [];
	let plain: Answered | undefined;
	let equipped: Answered | undefined;
	const steps = [
		async () => {
			const { ms, errors } = await stage.bare.edit(change);
			bareMs = ms;
			expected = newErrors(before, errors);
			known.set(change.file, errors);
		},
		async () => {
			plain = await stage.plain.call(editCall(change));
		},
		async () => {
			equipped = await stage.equipped.call(editCall(change));
		},
	];
	for (const step of inTurn(steps, round)) await step();
	return compare(bareMs, plain as Answered, equipped as Answered, change.file, expected);
}

export function compare(
	bareMs: number,
	plain: Answered,
	equipped: Answered,
	file: string,
	expected: readonly Diagnostic[],
): Made {
	const places = new Set(expected.map(placeOf));
	return {
		bareMs,
		addedMs: equipped.toolMs - plain.toolMs,
		delayMs: equipped.delayMs - plain.delayMs,
		right: reportsOwn(equipped.text, file, places, expected.length),
		text: equipped.text,
	};
}

/** Opens the files of a stage's edits in the bare client, and proves each once. */
export async function warmUp(stage: Stage): Promise<Known> {
	const { project, bare } = stage;
	const known: Known = new Map();
	for (const file of new Set(project.edits.map(({ change }) => change(0).file))) known.set(file, await bare.warm(file));
	return known;
}
