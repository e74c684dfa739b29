import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { Severity } from "../../contract/check-report.ts";
import { LspError, reviveError } from "../../contract/errors.ts";
import type { ProvenFile, UnsavedTexts } from "../../contract/protocol.ts";
import { toPath, toUri } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { LspClient } from "./client.ts";
import type { Daemon } from "./daemon.ts";
import type { EditorDocument, EditorDocuments } from "./editor-documents.ts";
import { adviceOf, isUnanswered } from "./failures.ts";
import { toProtocol } from "./protocol-diagnostics.ts";

const filesAtOnce = 16;
const changesAtOnce = 100;

interface Pushed {
	readonly version: number | undefined;
	readonly diagnostics: string;
}

const nothing = "[]";

/** A round proves open documents (last touched first), files that see a change, then files with pushed errors. */
export class Diagnostics {
	readonly #client: LspClient;
	readonly #daemon: Daemon;
	readonly #documents: EditorDocuments;
	readonly #severity: Severity;
	readonly #pushed = new Map<string, Pushed>();
	readonly #uris = new Map<string, string>();
	/** Texts, by path, whose users were searched. */
	readonly #searched = new Map<string, string | null>();
	/** Texts, by path, before a change; null if unknown. */
	readonly #changed = new Map<string, string | null>();
	/** Unproven since a change they may see. */
	readonly #affected = new Set<string>();
	#round = new AbortController();
	#last: Promise<void> = Promise.resolve();
	/** Begin of the first unfinished round, in ms since 1970. */
	#since: number | undefined;
	#refreshes = false;
	onProven = (_since: number) => {};

	constructor(client: LspClient, daemon: Daemon, documents: EditorDocuments, severity: Severity) {
		this.#client = client;
		this.#daemon = daemon;
		this.#documents = documents;
		this.#severity = severity;
	}

	begin(): void {
		this.#since ??= Date.now();
		this.#round.abort();
		const round = new AbortController();
		this.#round = round;
		this.#last = this.#last.then(async () => {
			await new Promise(setImmediate);
			if (!round.signal.aborted) await this.#prove(round.signal).catch((error) => this.#failed(error, round.signal));
		});
	}

	opened({ uri, path }: EditorDocument): void {
		this.#uris.set(path, uri);
		// A client that pulls would get these twice.
		if (this.#client.pulls && this.#pushed.has(uri)) this.#push(uri, undefined, []);
		this.begin();
	}

	saved(document: EditorDocument): void {
		const { path, wasChanged } = document;
		document.saved();
		// Some hosts write a document before they open it.
		if (!wasChanged) this.#changed.set(path, null);
		this.begin();
	}

	closed({ path, uri, text }: EditorDocument): void {
		const searched = this.#searched.has(path) ? (this.#searched.get(path) ?? null) : text;
		this.#searched.delete(path);
		if (!this.#changed.has(path)) this.#changed.set(path, searched);
		const pushed = this.#pushed.get(uri);
		if (pushed) this.#pushed.set(uri, { ...pushed, version: undefined });
		this.begin();
	}

	async changedOnDisk(paths: readonly string[]): Promise<void> {
		const open = new Map(this.#documents.all.map((document) => [document.path, document]));
		let begins = false;
		for (const path of paths) {
			const document = open.get(path);
			if (!document) this.#changed.set(path, null);
			if (!document || (await document.isOthersChange())) begins = true;
		}
		if (!begins) return;
		this.#refreshes = true;
		this.begin();
	}

	end(): void {
		this.#round.abort();
	}

	async of(uri: string, signal: AbortSignal): Promise<ProtocolDiagnostic[] | undefined> {
		const path = toPath(uri);
		if (path === undefined) return undefined;
		const since = Date.now();
		const texts = await this.#documents.unsaved(uri);
		const [proven] = await this.#daemon.prove([path], { texts, severity: this.#severity, unopened: false }, signal);
		if (!proven) return undefined;
		// A pulling editor's round may have started no server.
		this.onProven(since);
		this.#showReason(proven);
		return isReported(proven) ? toProtocol(proven.diagnostics, this.#daemon.directoryOf(path)) : undefined;
	}

	async #prove(signal: AbortSignal): Promise<void> {
		const texts = await this.#documents.unsaved();
		this.#refreshes ||= this.#changed.size > 0;
		if (!this.#client.pulls) {
			const [first, ...others] = this.#documents.all;
			if (first) await this.#proveOpen([first], { texts, unopened: false }, signal);
			for (const some of inGroups(others)) await this.#proveOpen(some, { texts, unopened: true }, signal);
		}
		await this.#findAffected(texts, signal);
		await this.#proveOthers(texts, signal);
		if (signal.aborted) return;
		const refreshes = this.#client.capabilities.workspace?.diagnostics?.refreshSupport === true;
		if (this.#refreshes && this.#client.pulls && refreshes)
			this.#client.request("workspace/diagnostic/refresh", undefined).catch(() => {});
		this.#refreshes = false;
		if (this.#since !== undefined) this.onProven(this.#since);
		this.#since = undefined;
	}

	async #proveOpen(
		documents: readonly EditorDocument[],
		how: { readonly texts: UnsavedTexts; readonly unopened: boolean },
		signal: AbortSignal,
	): Promise<void> {
		const paths = documents.map(({ path }) => path);
		const versions = documents.map(({ version }) => version);
		const states = await Promise.all(documents.map((document) => document.state()));
		const files = await this.#daemon.prove(paths, { ...how, severity: this.#severity }, signal);
		for (const [index, document] of documents.entries()) {
			const { path, uri } = document;
			const state = await document.state();
			if (signal.aborted) return;
			if (state !== states[index]) return this.begin();
			const proven = files[index];
			if (!proven) continue;
			const diagnostics = this.#diagnosticsToPush(proven, uri, path);
			const version = state === "outdated" || !isReported(proven) ? undefined : versions[index];
			if (diagnostics) this.#push(uri, version, diagnostics);
		}
	}

	async #findAffected(texts: UnsavedTexts, signal: AbortSignal): Promise<void> {
		const changes = new Map<string, { readonly before: string | null; readonly after: string | null }>();
		const open = new Map<string, string | null>();
		for (const document of this.#documents.all) {
			const { path } = document;
			const onDisk = (await document.textOnDisk()) ?? null;
			const after = texts[path] ?? onDisk;
			const first = (await document.state()) === "outdated" ? document.text : onDisk;
			const before = this.#searched.has(path) ? (this.#searched.get(path) ?? null) : first;
			open.set(path, after);
			if (before !== after) changes.set(path, { before, after });
		}
		const changed = [...this.#changed];
		for (const [path, before] of changed) {
			const after = open.has(path) ? (open.get(path) ?? null) : ((await textOnDisk(path)) ?? null);
			if (before === null || before !== after) changes.set(path, { before, after });
		}
		const found: string[] = [];
		for (const some of inGroups([...changes], changesAtOnce))
			found.push(...(await this.#daemon.affectedBy(new Map(some), signal)));
		for (const path of [...changed.map(([changedPath]) => changedPath), ...found]) this.#affected.add(path);
		for (const [path, text] of open) this.#searched.set(path, text);
		for (const [path] of changed) this.#changed.delete(path);
	}

	async #proveOthers(texts: UnsavedTexts, signal: AbortSignal): Promise<void> {
		const open = await this.#documents.byRealPath();
		const pushedWithErrors = [...this.#pushed.keys()].filter((uri) => this.#hasErrors(uri));
		const paths = new Set([...pushedWithErrors.flatMap((uri) => toPath(uri) ?? []), ...this.#affected]);
		const isOpen = (path: string) => open.has(path) || this.#documents.all.some((document) => document.path === path);
		const others = [...paths].filter((path) => !isOpen(path));
		for (const some of inGroups(others)) {
			const files = await this.#daemon.prove(some, { texts, severity: this.#severity, unopened: true }, signal);
			if (signal.aborted) return;
			for (const [index, path] of some.entries()) {
				const proven = files[index];
				if (!proven) continue;
				if (isAnswered(proven) && proven.state !== "timed_out") this.#affected.delete(path);
				const uri = this.#uris.get(path) ?? toUri(path);
				const diagnostics = this.#diagnosticsToPush(proven, uri, path);
				if (diagnostics) this.#push(uri, undefined, diagnostics);
			}
		}
		for (const path of this.#affected) if (isOpen(path)) this.#affected.delete(path);
	}

	#diagnosticsToPush(proven: ProvenFile, uri: string, path: string): ProtocolDiagnostic[] | undefined {
		this.#showReason(proven);
		if (isReported(proven)) return toProtocol(proven.diagnostics, this.#daemon.directoryOf(path));
		return this.#hasErrors(uri) && isAnswered(proven) ? [] : undefined;
	}

	#hasErrors(uri: string): boolean {
		return (this.#pushed.get(uri)?.diagnostics ?? nothing) !== nothing;
	}

	#push(uri: string, version: number | undefined, diagnostics: readonly ProtocolDiagnostic[]): void {
		const text = JSON.stringify(diagnostics);
		const before = this.#pushed.get(uri);
		const isSame = (before?.diagnostics ?? nothing) === text;
		if (isSame && (version === undefined || before?.version === version)) return;
		this.#pushed.set(uri, { version, diagnostics: text });
		const ofVersion = version === undefined ? {} : { version };
		this.#client.notify("textDocument/publishDiagnostics", { uri, ...ofVersion, diagnostics });
	}

	#showReason({ state, reason, error }: ProvenFile): void {
		const failure = error && reviveError(error, "");
		if (failure && isUnanswered(failure.code)) return;
		const advice = failure && adviceOf(failure);
		if (advice !== undefined) this.#client.showMessage(advice);
		else if (state === "untrusted" && reason)
			this.#client.showMessage(`${reason} \`pi-lsp trust\` shows what would be run.`);
		// Timeouts are proven in the next round.
		else if (state === "unavailable" && reason) this.#client.showMessage(reason);
	}

	#failed(error: unknown, signal: AbortSignal): void {
		if (signal.aborted || !(error instanceof LspError)) return;
		if (error.code !== "LSP_CANCELLED" && !isUnanswered(error.code)) this.#client.showMessage(error.message);
	}
}

function isReported({ state, diagnostics }: ProvenFile): boolean {
	return state === "fresh" || diagnostics.length > 0;
}

/** Proven, or no server has to. */
function isAnswered({ error }: ProvenFile): boolean {
	return !error || isUnanswered(reviveError(error, "").code);
}

function textOnDisk(path: string): Promise<string | undefined> {
	return readText(path, anySource);
}

function inGroups<Item>(items: readonly Item[], size = filesAtOnce): Item[][] {
	const groups: Item[][] = [];
	for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
	return groups;
}
