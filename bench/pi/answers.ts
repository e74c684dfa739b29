import { edit } from "../../test/faces/pi/calls.ts";
import type { ScriptedCall } from "../../test/faces/pi/scripted-model.ts";
import type { Edit } from "../edits.ts";

/** An edit as a call of pi's edit tool. */
export function callOf({ file, oldText, newText }: Edit): ScriptedCall {
	return edit(file, [oldText, newText]);
}

/** Whether `text` reports exactly the effect of the edit: its own error, the files it broke, or nothing. */
export function isCorrectResult(text: string, { file, wrong, broken }: Edit): boolean {
	if (!text.startsWith(`Successfully replaced 1 block(s) in ${file}.`)) return false;
	const silent = !text.includes("The edit was applied.");
	if (!wrong && broken.length === 0) return silent;
	if (wrong) return /^ERROR \[\d+:\d+\] .*\(ts2322\)$/m.test(text) && !text.includes("newly broke");
	return text.includes(`newly broke ${broken.length} other files`) && broken.every((path) => text.includes(path));
}
