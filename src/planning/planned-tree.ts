import { basename, dirname, join, relative } from "node:path";
import type { TextEdit } from "vscode-languageserver-protocol";
import { isForeign } from "../project/root.ts";
import { namesIn, realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import type { PositionEncoding } from "../util/positions.ts";
import { maxSourceBytes, readHead, refusalWords } from "../util/read-file.ts";
import { TimeSlices } from "../util/time-slices.ts";
import type { Change, FileChange, Move } from "../writer/change.ts";
import { originOf } from "./origin.ts";
import { refused, replaceAll, replacementsOf, withLineEndsOf } from "./text-edits.ts";

const maxTotalBytes = 256 * 1024 * 1024;
const mark = Buffer.from("\ufeff");

interface PlannedFile {
	readonly before: Buffer | undefined;
	/** Undefined if deleted. */
	base: Buffer | undefined;
	/** All refer to `base`. */
	readonly edits: TextEdit[];
}

export interface PlanningOptions {
	/** Real and absolute; nothing outside is changed. */
	readonly workspace: string;
	readonly encoding: PositionEncoding;
	/** False for a formatter. */
	readonly keepsLineEnds?: boolean;
}

/** All methods reject with LSP_EDIT_REFUSED. */
export class PlannedTree {
	readonly #options: PlanningOptions;
	readonly #files = new Map<string, PlannedFile>();
	readonly #moves: Move[] = [];
	readonly #emptied: string[] = [];
	#bytes = 0;

	constructor(options: PlanningOptions) {
		this.#options = options;
	}

	async edit(path: string, edits: readonly TextEdit[]): Promise<void> {
		const file = await this.#file(await this.#target(path));
		if (!file.base) throw refused(this.#shown(path), "it does not exist");
		file.edits.push(...edits);
	}

	/** Without the byte order mark; undefined for a missing file. */
	async textOf(path: string): Promise<string | undefined> {
		const file = await this.#file(await this.#target(path));
		return file.base && this.#decoded(file.base, path).text;
	}

	async write(path: string, text: string): Promise<void> {
		const file = await this.#file(await this.#target(path));
		const hasMark = file.base !== undefined && this.#decoded(file.base, path).hasMark;
		const next = Buffer.from(text);
		file.base = hasMark && !next.subarray(0, mark.length).equals(mark) ? Buffer.concat([mark, next]) : next;
		file.edits.length = 0;
	}

	async create(path: string, { overwrite = false, ignoreIfExists = false } = {}): Promise<void> {
		const target = await this.#target(path);
		const file = await this.#file(target);
		if (file.base && !overwrite) {
			if (ignoreIfExists) return;
			throw refused(this.#shown(path), "it exists already");
		}
		file.base = Buffer.alloc(0);
		file.edits.length = 0;
	}

	async delete(path: string, { recursive = false, ignoreIfNotExists = false } = {}): Promise<void> {
		const target = await this.#target(path);
		if (await this.#isDirectory(target)) {
			if (!recursive) throw refused(this.#shown(path), "it is a directory");
			throw refused(this.#shown(path), "whole directories are not deleted");
		}
		const file = await this.#file(target);
		if (!file.base && !ignoreIfNotExists) throw refused(this.#shown(path), "it does not exist");
		file.base = undefined;
		file.edits.length = 0;
	}

	async move(from: string, to: string, { overwrite = false, ignoreIfExists = false } = {}): Promise<void> {
		const [source, target] = [await this.#place(from), await this.#place(to)];
		if (source === target) return;
		if (isInside(target, source)) throw refused(this.#shown(from), "a directory cannot move into itself");
		const isDirectory = await this.#isDirectory(source);
		const isRespelt = await this.#isSame(source, target);
		const isTaken = (await this.#exists(target)) && !isRespelt;
		if (isTaken && ignoreIfExists && !overwrite) return;
		if (isTaken && (!overwrite || isDirectory || (await this.#isDirectory(target))))
			throw refused(this.#shown(to), "it exists already");
		if (!(await this.#exists(source))) throw refused(this.#shown(from), "it does not exist");
		const known = this.#files.get(source);
		const isOnDisk = (path: string) => statOf(this.#origin(path)).then((info) => info !== undefined);
		if (isDirectory || ((!known || known.before) && (isRespelt || !(await isOnDisk(target))))) {
			this.#moves.push({ from: source, to: target });
			for (const [path, file] of [...this.#files])
				if (isInside(path, source)) {
					this.#files.delete(path);
					this.#files.set(target + path.slice(source.length), file);
				}
			return;
		}
		// The content moves if the target is on disk, or the source is not.
		const [moved, replaced] = [await this.#file(source), await this.#file(target)];
		replaced.base = moved.base;
		replaced.edits.splice(0, replaced.edits.length, ...moved.edits);
		moved.base = undefined;
		moved.edits.length = 0;
	}

	async finish(title: string): Promise<Change> {
		const files: FileChange[] = [];
		const slices = new TimeSlices();
		for (const [path, file] of this.#files) {
			if (slices.isOver) await slices.next();
			const after = file.base && this.#edited(path, file.base, file.edits);
			const isSame = file.before && after ? file.before.equals(after) : file.before === after;
			if (!isSame) files.push({ path, before: file.before, after });
		}
		files.sort((a, b) => (a.path < b.path ? -1 : 1));
		return { title, root: this.#options.workspace, moves: this.#moves, files, emptied: this.#emptied };
	}

	#edited(path: string, base: Buffer, edits: readonly TextEdit[]): Buffer {
		if (edits.length === 0) return base;
		const { text, hasMark } = this.#decoded(base, path);
		const { encoding, keepsLineEnds = true } = this.#options;
		const kept = edits.map((edit) => (keepsLineEnds ? { ...edit, newText: withLineEndsOf(text, edit.newText) } : edit));
		const next = Buffer.from(replaceAll(text, replacementsOf(text, kept, encoding, this.#shown(path))));
		return hasMark ? Buffer.concat([mark, next]) : next;
	}

	#decoded(bytes: Buffer, path: string): { readonly text: string; readonly hasMark: boolean } {
		const hasMark = bytes.subarray(0, mark.length).equals(mark);
		const plain = hasMark ? bytes.subarray(mark.length) : bytes;
		const text = plain.toString("utf8");
		if (!Buffer.from(text).equals(plain)) throw refused(this.#shown(path), "it is not UTF-8");
		return { text, hasMark };
	}

	async #file(path: string): Promise<PlannedFile> {
		const known = this.#files.get(path);
		if (known) return known;
		const before = await this.#read(path);
		const file = { before, base: before, edits: [] };
		this.#files.set(path, file);
		return file;
	}

	async #read(path: string): Promise<Buffer | undefined> {
		if (this.#moves.some(({ from }) => isInside(path, from)) && this.#origin(path) === path) return undefined;
		const origin = this.#origin(path);
		const found = await readHead(origin, maxSourceBytes + 1);
		if (found === "missing") return undefined;
		if (typeof found === "string") throw refused(this.#shown(path), `it ${refusalWords[found]}`);
		this.#bytes += found.length;
		if (found.length > maxSourceBytes) throw refused(this.#shown(path), "it is too large");
		if (this.#bytes > maxTotalBytes)
			throw refused(this.#shown(path), "the files of this change are too large together");
		return found;
	}

	/** Resolves links, which stay in the workspace. */
	async #target(path: string): Promise<string> {
		const place = await this.#place(path);
		if (this.#files.has(place) || this.#origin(place) !== place) return place;
		const real = await realPathOf(place);
		return real === undefined ? place : this.#ours(path, real);
	}

	/** Keeps a link at `path` itself. */
	async #place(path: string): Promise<string> {
		const missing: string[] = [basename(path)];
		let directory = dirname(path);
		let real = await realPathOf(directory);
		while (real === undefined && directory !== dirname(directory)) {
			missing.unshift(basename(directory));
			directory = dirname(directory);
			real = await realPathOf(directory);
		}
		return this.#ours(path, join(real ?? directory, ...missing));
	}

	#ours(path: string, real: string): string {
		const { workspace } = this.#options;
		if (!isInside(real, workspace)) throw refused(path, `it is outside of ${workspace}`);
		if (isForeign(join(real, "file"), workspace))
			throw refused(this.#shown(real), "it belongs to an installed package or to version control");
		return real;
	}

	#origin(path: string): string {
		return originOf(path, this.#moves);
	}

	async #exists(path: string): Promise<boolean> {
		const known = this.#files.get(path);
		if (known) return known.base !== undefined;
		if (this.#moves.some(({ from }) => isInside(path, from)) && this.#origin(path) === path) return false;
		return (await statOf(this.#origin(path))) !== undefined;
	}

	async #isDirectory(path: string): Promise<boolean> {
		if (this.#files.has(path)) return false;
		return (await statOf(this.#origin(path)))?.isDirectory() === true;
	}

	/** A directory lists both names of a hard link, but one of names that differ in case only. */
	async #isSame(one: string, other: string): Promise<boolean> {
		const [a, b] = [await statOf(this.#origin(one)), await statOf(this.#origin(other))];
		if (a === undefined || a.ino !== b?.ino || a.dev !== b.dev) return false;
		return (await namesIn(dirname(other)))?.includes(basename(other)) === false;
	}

	#shown(path: string): string {
		return relative(this.#options.workspace, path) || path;
	}
}
