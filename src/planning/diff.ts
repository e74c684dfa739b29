import { relative } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { Change } from "../writer/change.ts";

/** Larger texts are only named: comparing them could take minutes. */
const maxComparedBytes = 2 * 1024 * 1024;

export function diffOf({ moves, files }: Change, directory: string): string {
	const shown = (path: string) => relative(directory, path) || path;
	const moved = moves.map(({ from, to }) => `rename from ${shown(from)}\nrename to ${shown(to)}\n`);
	const changed = files.map(({ path, before, after }) => {
		const [old, next] = [before ? `a/${shown(path)}` : "/dev/null", after ? `b/${shown(path)}` : "/dev/null"];
		const [oldText, newText] = [before?.toString("utf8") ?? "", after?.toString("utf8") ?? ""];
		if (oldText.length + newText.length > maxComparedBytes || `${oldText}${newText}`.includes("\0"))
			return `Files ${old} and ${next} differ\n`;
		return createTwoFilesPatch(old, next, oldText, newText, undefined, undefined, { context: 1 }).replace(/^=+\n/, "");
	});
	return [...moved, ...changed].join("");
}
