import { relative } from "node:path";
import { createTwoFilesPatch } from "diff";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change, FileChange } from "../writer/change.ts";

/** Larger texts are only named: comparing them could take minutes. */
const maxComparedBytes = 2 * 1024 * 1024;

/** Others get their turn between the files. */
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
	return createTwoFilesPatch(old, next, oldText, newText, undefined, undefined, { context: 1 }).replace(/^=+\n/, "");
}
