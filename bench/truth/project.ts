import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "../../test/support/workspace.ts";
import { type Replacement, replaced } from "./change.ts";

/** An edit that is not yet undone: it replaced `before` by `after`. */
export interface OpenEdit {
	readonly file: string;
	readonly before: string;
	readonly after: string;
	readonly what: string;
}

/** How many characters around an edit make its place unique. */
const context = 60;

/** The files of a project on disk after the edits so far, and how to undo each edit. */
export class Project {
	readonly root: string;
	readonly #pristine: Files;
	readonly #now: Map<string, string>;
	#openEdits: OpenEdit[] = [];

	/** `files` already exist in `root`. */
	constructor(root: string, files: Files) {
		this.root = root;
		this.#pristine = files;
		this.#now = new Map(Object.entries(files));
	}

	/** The paths of the current files, sorted. */
	get files(): string[] {
		return [...this.#now.keys()].sort();
	}

	/** Original files that are now missing. */
	get missing(): string[] {
		return Object.keys(this.#pristine).filter((path) => !this.#now.has(path));
	}

	/** Current files that are not original. */
	get added(): string[] {
		return this.files.filter((path) => this.#pristine[path] === undefined);
	}

	get openEdits(): number {
		return this.#openEdits.length;
	}

	text(file: string): string {
		const text = this.#now.get(file);
		if (text === undefined) throw new Error(`${file} is not there`);
		return text;
	}

	pristine(file: string): string {
		return this.#pristine[file] ?? "";
	}

	/** Records how to undo a replacement, and returns the text after it. */
	record(file: string, change: Replacement, what = "a line at the end"): string {
		const text = this.text(file);
		const [from, to] = [Math.max(0, change.start - context), change.end + context];
		const [lead, tail] = [text.slice(from, change.start), text.slice(change.end, to)];
		this.#openEdits.push({
			file,
			before: lead + text.slice(change.start, change.end) + tail,
			after: lead + change.text + tail,
			what,
		});
		return replaced(text, change);
	}

	/** A file, and its text without one edit: its original text if later edits overlap. */
	undo(index: number): { readonly file: string; readonly text: string; readonly what: string } {
		const { file, before, after, what } = this.#openEdits[index] as OpenEdit;
		this.#openEdits.splice(index, 1);
		const text = this.text(file);
		const at = text.indexOf(after);
		if (at >= 0 && text.indexOf(after, at + 1) < 0)
			return { file, text: text.slice(0, at) + before + text.slice(at + after.length), what };
		this.forget(file);
		return { file, text: this.#pristine[file] ?? text, what: `${what}, and all else in the file` };
	}

	/** The index of an edit for which `isMeant` holds, chosen by a number from 0 to 1; -1 without one. */
	findOpenEdit(isMeant: (edit: OpenEdit) => boolean, choice: number): number {
		const meant = this.#openEdits.flatMap((edit, index) => (isMeant(edit) ? index : []));
		return meant[Math.floor(choice * meant.length)] ?? -1;
	}

	/** Files that differ from their original text without a recorded edit. */
	rewritten(): string[] {
		const known = new Set(this.#openEdits.map(({ file }) => file));
		return this.files.filter(
			(file) => this.#pristine[file] !== undefined && this.#pristine[file] !== this.text(file) && !known.has(file),
		);
	}

	/** Forgets the edits of a file that was rewritten or deleted. */
	forget(file: string): void {
		this.#openEdits = this.#openEdits.filter((edit) => edit.file !== file);
	}

	write(file: string, text: string): void {
		mkdirSync(dirname(join(this.root, file)), { recursive: true });
		writeFileSync(join(this.root, file), text);
		this.#now.set(file, text);
	}

	/** Writes a file and restores its times, as some tools do. */
	writeKeepingTimes(file: string, text: string): void {
		const { atime, mtime } = statSync(join(this.root, file));
		this.write(file, text);
		utimesSync(join(this.root, file), atime, mtime);
	}

	delete(file: string): void {
		rmSync(join(this.root, file));
		this.#now.delete(file);
		this.forget(file);
	}

	rename(from: string, to: string): void {
		const text = this.text(from);
		renameSync(join(this.root, from), join(this.root, to));
		this.#now.delete(from);
		this.#now.set(to, text);
		this.forget(from);
	}

	/** Throws if the disk differs from this object. */
	verify(): void {
		for (const [file, text] of this.#now)
			if (readFileSync(join(this.root, file), "utf8") !== text) throw new Error(`${file} is not what it should be`);
	}
}
