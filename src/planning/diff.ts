import { relative } from "node:path";
import { createTwoFilesPatch, formatPatch, type StructuredPatchHunk } from "diff";
import { equalEnds } from "../impact/hunks.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change, FileChange } from "../writer/change.ts";

const maxComparedBytes = 2 * 1024 * 1024;
/** More lines could take minutes: the changed part is then one hunk. */
const maxEditLength = 2000;

export async function diffOf({ moves, files }: Change, directory: string): Promise<string> {
	const shown = (path: string) => relative(directory, path) || path;
	const parts = moves.map(({ from, to }) => `rename from ${shown(from)}\nrename to ${shown(to)}\n`);
	const slices = new TimeSlices();
	for (const file of files) {
		if (slices.isOver) await slices.next();
		parts.push(diffOfFile(file, directory));
	}
	return parts.join("");
}

export function diffOfFile({ path, before, after }: FileChange, directory: string): string {
	const shown = relative(directory, path) || path;
	const [old, next] = [before ? `a/${shown}` : "/dev/null", after ? `b/${shown}` : "/dev/null"];
	const [oldText, newText] = [before?.toString("utf8") ?? "", after?.toString("utf8") ?? ""];
	if (oldText.length + newText.length > maxComparedBytes || `${oldText}${newText}`.includes("\0"))
		return `Files ${old} and ${next} differ\n`;
	const options = { context: 1, maxEditLength };
	const patch = createTwoFilesPatch(old, next, oldText, newText, undefined, undefined, options);
	const about = { oldFileName: old, newFileName: next, oldHeader: undefined, newHeader: undefined };
	return (patch ?? formatPatch({ ...about, hunks: [oneHunk(oldText, newText)] })).replace(/^=+\n/, "");
}

function oneHunk(oldText: string, newText: string): StructuredPatchHunk {
	const [before, after] = [linesWithEnds(oldText), linesWithEnds(newText)];
	const [head, tail] = equalEnds(before, after);
	const removed = before.slice(head, before.length - tail).map((line) => `-${line}`);
	const added = after.slice(head, after.length - tail).map((line) => `+${line}`);
	return {
		oldStart: head + 1,
		oldLines: removed.length,
		newStart: head + 1,
		newLines: added.length,
		lines: [...removed, ...added].flatMap((line) =>
			line.endsWith("\n") ? [line.slice(0, -1)] : [line, "\\ No newline at end of file"],
		),
	};
}

function linesWithEnds(text: string): string[] {
	return text === "" ? [] : text.split(/(?<=\n)/);
}
