import { dirname } from "node:path";
import { LspError } from "../contract/errors.ts";
import { namesIn } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { maxSourceBytes, readHead, refusalWords } from "../util/read-file.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change, FileChange, Move } from "../writer/change.ts";
import { mergeTexts } from "./merge.ts";
import { refused } from "./text-edits.ts";

export interface PlannedUndo {
	readonly change: Change;
	/** Changed since; merged with the old text. */
	readonly merged: readonly string[];
}

export interface WrittenChange extends Change {
	readonly name: string;
	readonly made: readonly string[];
}

interface Conflict {
	readonly path: string;
	readonly lines: readonly number[];
	readonly why: string;
}

/** Whole, or LSP_UNDO_BLOCKED with the obstacles. */
export async function planUndo(written: WrittenChange, shown: (path: string) => string): Promise<PlannedUndo> {
	const { name, title, root } = written;
	const moves = written.moves.toReversed().map(({ from, to }): Move => ({ from: to, to: from }));
	const merged: string[] = [];
	const conflicts: Conflict[] = [];
	const files: FileChange[] = [];
	const slices = new TimeSlices();
	for (const file of written.files) {
		if (slices.isOver) await slices.next();
		const now = await bytesOf(file.path);
		const next = oldContent(file, now);
		if ("why" in next) conflicts.push({ path: file.path, ...next });
		else if (!isSame(now, next.content)) {
			if (next.isMerged) merged.push(file.path);
			const mode = file.mode === undefined ? {} : { mode: file.mode };
			files.push({ path: movedBack(file.path, moves), before: now, after: next.content, ...mode });
		}
	}
	if (conflicts.length > 0) throw blocked(name, conflicts, shown);
	const emptied = await emptyAfter(written, { files, moves });
	return { change: { title: `undo ${name}: ${title}`, root, moves, files, emptied, undoes: name }, merged };
}

type Next = { readonly content: Buffer | undefined; readonly isMerged?: boolean } | Omit<Conflict, "path">;

function oldContent({ before, after }: FileChange, now: Buffer | undefined): Next {
	if (isSame(now, after) || isSame(now, before)) return { content: before };
	if (!now) return { lines: [], why: "is no longer there" };
	if (!before) return { lines: [], why: "was created by it and has changed since" };
	if (!after) return { lines: [], why: "was deleted by it and is there again" };
	const merged = mergeTexts(
		...([after, now, before].map((bytes) => bytes.toString("utf8")) as [string, string, string]),
	);
	if ("conflicts" in merged) return { lines: merged.conflicts, why: "has changed since" };
	if ([after, now, before].some((bytes) => !Buffer.from(bytes.toString("utf8")).equals(bytes)))
		return { lines: [], why: "has changed since, and is no UTF-8" };
	return { content: Buffer.from(merged.text), isMerged: true };
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
	return one && other ? one.equals(other) : one === other;
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
	const found = await readHead(path, maxSourceBytes + 1);
	if (found === "missing") return undefined;
	if (typeof found === "string") throw refused(path, `it ${refusalWords[found]}`);
	return found;
}

function movedBack(path: string, moves: readonly Move[]): string {
	return moves.reduce((at, { from, to }) => (isInside(at, from) ? to + at.slice(from.length) : at), path);
}

/** Innermost first. */
async function emptyAfter(
	{ made }: WrittenChange,
	{ files, moves }: Pick<Change, "files" | "moves">,
): Promise<string[]> {
	const gone = new Set([
		...moves.map(({ from }) => from),
		...files.filter(({ after }) => !after).map(({ path }) => path),
	]);
	const empty: string[] = [];
	for (const directory of made.toReversed()) {
		const names = (await namesIn(directory)) ?? ["unknown"];
		const isKept = files.some(({ path, after }) => after && dirname(path) === directory);
		if (isKept || names.some((name) => !gone.has(`${directory}/${name}`))) continue;
		gone.add(directory);
		empty.push(directory);
	}
	return empty;
}

function blocked(name: string, conflicts: readonly Conflict[], shown: (path: string) => string): LspError {
	const places = conflicts.map(({ path, lines, why }) => {
		const where = lines.length > 0 ? ` at ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}` : "";
		return `${shown(path)} ${why}${where}`;
	});
	const about = conflicts.map(({ path, lines }) => ({ file_path: path, lines }));
	return new LspError("LSP_UNDO_BLOCKED", `${name} cannot be taken back: ${places.join("; ")}.`, { conflicts: about });
}
