import { JsonMistake, readJson } from "../../config/json-reader.ts";
import { FileChangeType } from "../../contract/protocol-kinds.ts";
import { importsOf } from "../../impact/index/imports.ts";
import { isData } from "../../impact/index/sources.ts";
import { schemasInSettings } from "../../launch/schema-settings.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { isSettled, stampOfStats, statOf } from "../../util/files.ts";
import { hashOf } from "../../util/hash.ts";
import { toUri } from "../../util/positions.ts";
import { maxSourceBytes, readText } from "../../util/read-file.ts";
import { barrier } from "./barrier.ts";

const maxFiles = 500;
const tickMs = 50;

interface KnownFile {
	readonly stamp: string | undefined;
	readonly isSettled: boolean;
	readonly hash: string;
	readonly names: readonly string[];
}

/** Servers of JSON and YAML keep schemas (docs/facts.md, 31). */
export class SchemaFiles {
	readonly #server: LanguageServer;
	readonly #files = new Map<string, KnownFile>();
	/** By performance.now(): earlier pushes may be by another schema. */
	#changedAt = Number.NEGATIVE_INFINITY;
	#last: Promise<void> = Promise.resolve();
	#isOverlaid = false;

	constructor(server: LanguageServer) {
		this.#server = server;
	}

	async judge(document: OpenDocument): Promise<OpenDocument> {
		await this.refresh(document);
		if (document.sentAt >= this.#changedAt) return document;
		return this.#server.documents.resend(document.path) ?? document;
	}

	/** All named so far, and those of `document`. */
	refresh(document?: OpenDocument): Promise<void> {
		this.#last = this.#last.then(() => this.#refresh(document));
		return this.#last;
	}

	async #refresh(document: OpenDocument | undefined): Promise<void> {
		if (this.#isOverlaid) return;
		const { settings, root, startedAt } = this.#server;
		/** In ms since 1970; the server has not read them before. */
		const files = new Map<string, number>();
		for (const file of this.#files.keys()) files.set(file, 0);
		for (const { file } of schemasInSettings(settings, root)) files.set(file, startedAt);
		const sentAt = performance.timeOrigin + (document?.sentAt ?? 0);
		if (document)
			for (const file of importsOf(document.text, document.path).keys()) files.set(file, files.get(file) ?? sentAt);
		const changed: string[] = [];
		for (const [file, since] of files) {
			const known = this.#files.get(file);
			const info = await statOf(file);
			const stamp = info && stampOfStats(info);
			if (!known?.isSettled || known.stamp !== stamp) {
				const text = info?.isFile() ? await readText(file, { maxBytes: maxSourceBytes, within: root }) : undefined;
				const names = text === undefined ? [] : [...importsOf(text, file).keys()];
				const hash = text === undefined ? String(stamp) : hashOf(text);
				// A younger file may change within a tick and keep its stamp.
				this.#files.set(file, { stamp, isSettled: !info || isSettled(info), hash, names });
				if (known ? known.hash !== hash : Number(info?.ctimeMs ?? 0) > since - tickMs) changed.push(file);
			}
			for (const name of this.#files.get(file)?.names ?? [])
				if (!files.has(name) && files.size < maxFiles) files.set(name, since);
		}
		for (const file of this.#files.keys()) if (this.#files.size > maxFiles) this.#files.delete(file);
		if (changed.length === 0) return;
		this.#changedAt = performance.now();
		const changes = changed.map((file) => ({ uri: toUri(file), type: FileChangeType.Changed }));
		this.#server.notify("workspace/didChangeWatchedFiles", { changes });
	}

	/** Shows the texts until the result is called; undefined if one is no JSON. */
	async overlay(texts: ReadonlyMap<string, string>): Promise<(() => Promise<void>) | undefined> {
		const schemas: { uri: string; fileMatch: string[]; schema: unknown }[] = [];
		for (const [path, text] of texts) {
			if (!isData(path)) continue;
			try {
				schemas.push({ uri: toUri(path), fileMatch: [], schema: readJson(text).value });
			} catch (error) {
				if (error instanceof JsonMistake) return undefined;
				throw error;
			}
		}
		if (schemas.length === 0) return async () => {};
		await this.#associate(schemas);
		return () => this.#associate([]);
	}

	/** Both servers reread all schemas; YAML's first asks for settings. */
	async #associate(schemas: readonly object[]): Promise<void> {
		this.#server.notify("json/schemaAssociations", schemas);
		this.#isOverlaid = schemas.length > 0;
		const [path] = this.#server.documents.paths();
		if (path !== undefined) await barrier(this.#server, toUri(path));
		this.#changedAt = performance.now();
	}
}
