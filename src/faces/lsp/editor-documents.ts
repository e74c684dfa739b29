import type { Position, TextDocumentContentChangeEvent } from "vscode-languageserver-protocol";
import type { UnsavedTexts } from "../../contract/protocol.ts";
import { isSettled, realPathOf, stampOfStats, statOf } from "../../util/files.ts";
import { toPath } from "../../util/positions.ts";
import { anySource, readText, withoutMark } from "../../util/read-file.ts";

/** `unsaved`: edited since; `outdated`: another program changed the file. */
type DocumentState = "saved" | "unsaved" | "outdated";

export class EditorDocument {
	readonly uri: string;
	readonly path: string;
	version: number;
	text: string;
	wasChanged = false;
	readonly realPath: Promise<string>;
	#savedVersion: number | undefined;
	#wasOutdated = false;
	#disk: { readonly stamp: string; readonly text: string | undefined } | undefined;

	constructor(uri: string, path: string, version: number, text: string) {
		this.uri = uri;
		this.path = path;
		this.version = version;
		this.text = text;
		this.realPath = realPathOf(path).then((real) => real ?? path);
	}

	saved(): void {
		this.#savedVersion = this.version;
	}

	async state(): Promise<DocumentState> {
		const { version, text } = this;
		if ((await this.textOnDisk()) === withoutMark(text)) {
			if (version === this.version) this.saved();
			return "saved";
		}
		if (version !== this.#savedVersion) return "unsaved";
		this.#wasOutdated = true;
		return "outdated";
	}

	/** Also if it changed it back: saves are known, unsaved texts hide the disk. */
	async isOthersChange(): Promise<boolean> {
		const wasOutdated = this.#wasOutdated;
		const state = await this.state();
		if (state === "saved") this.#wasOutdated = false;
		return state === "outdated" || (state === "saved" && wasOutdated);
	}

	async textOnDisk(): Promise<string | undefined> {
		const info = await statOf(this.path);
		if (!info) return undefined;
		const stamp = stampOfStats(info);
		if (this.#disk?.stamp === stamp) return this.#disk.text;
		const text = await readText(this.path, anySource);
		if (isSettled(info)) this.#disk = { stamp, text: text === this.text ? this.text : text };
		return text;
	}
}

export class EditorDocuments {
	readonly #open = new Map<string, EditorDocument>();
	revision = 0;

	get all(): EditorDocument[] {
		return [...this.#open.values()].reverse();
	}

	get(uri: string): EditorDocument | undefined {
		return this.#open.get(uri);
	}

	open(uri: string, version: number, text: string): EditorDocument | undefined {
		const path = toPath(uri);
		if (path === undefined) return undefined;
		const document = new EditorDocument(uri, path, version, text);
		this.#touch(document);
		return document;
	}

	change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): EditorDocument | undefined {
		const document = this.#open.get(uri);
		if (!document) return undefined;
		try {
			document.text = changes.reduce(withChange, document.text);
		} catch (error) {
			this.close(uri);
			throw error;
		}
		document.version = version;
		document.wasChanged = true;
		this.#touch(document);
		return document;
	}

	close(uri: string): void {
		this.revision++;
		this.#open.delete(uri);
	}

	different(): Promise<UnsavedTexts> {
		return this.#texts((state) => state !== "saved");
	}

	unsaved(own?: string): Promise<UnsavedTexts> {
		return this.#texts((state, uri) => state === "unsaved" || (state === "outdated" && uri === own));
	}

	async #texts(isMeant: (state: DocumentState, uri: string) => boolean): Promise<UnsavedTexts> {
		const texts = this.all.map(async (document) => {
			const { path, text, uri } = document;
			return isMeant(await document.state(), uri) ? [[path, text] as const] : [];
		});
		return Object.fromEntries((await Promise.all(texts)).flat());
	}

	async byRealPath(): Promise<ReadonlyMap<string, EditorDocument>> {
		return new Map(await Promise.all(this.all.map(async (document) => [await document.realPath, document] as const)));
	}

	#touch(document: EditorDocument): void {
		this.revision++;
		this.#open.delete(document.uri);
		this.#open.set(document.uri, document);
	}
}

function withChange(text: string, change: TextDocumentContentChangeEvent): string {
	if (typeof change.text !== "string") throw new TypeError("a change without a text");
	if (!("range" in change) || !change.range) return change.text;
	const { start, end } = change.range;
	for (const { line, character } of [start, end])
		if (!(line >= 0 && character >= 0)) throw new TypeError("a change without a place");
	const from = offsetOf(text, start);
	return text.slice(0, from) + change.text + text.slice(Math.max(offsetOf(text, end), from));
}

/** Clamps. */
function offsetOf(text: string, { line, character }: Position): number {
	const ends = /\r\n|\n|\r/g;
	let start = 0;
	for (let at = 0; at < line; at++) {
		if (!ends.exec(text)) return text.length;
		start = ends.lastIndex;
	}
	const end = ends.exec(text)?.index ?? text.length;
	return Math.min(start + character, end);
}
