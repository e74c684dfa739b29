import { dirname } from "node:path";
import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { waitOrAbort, withSignals } from "../../util/abort.ts";
import { statOf } from "../../util/files.ts";
import { linesOf, toUri } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { barrier } from "./barrier.ts";
import { convertDiagnostics } from "./convert.ts";
import type { Proof } from "./prove.ts";
import { offersPull, pullDiagnostics } from "./pull.ts";
import { Pushes, type PushesByPath } from "./push.ts";
import { PushOrder } from "./push-order.ts";

/** rust-analyzer begins the next check within 150 ms on an idle machine. */
const restartMs = 400;

/**
 * A save begins a check within 50 to 150 ms, or never if a change comes while rust-analyzer looks for the file's crate
 * (docs/facts.md, 41).
 */
const beginMs = 2000;

/** To be called before the first request. */
export function followFlychecks(server: LanguageServer): void {
	server.part(Flychecks);
}

export async function hasCheckedText(server: LanguageServer, path: string, text: string): Promise<boolean> {
	const { hasEnded, beganAt } = server.part(Flychecks);
	if (!hasEnded) return false;
	return (await readText(path, anySource)) === text || (await changedAt(path)) >= beganAt;
}

/** In ms since 1970. Deleting a file changes its directory. */
async function changedAt(path: string): Promise<number> {
	const info = (await statOf(path)) ?? (await statOf(dirname(path)));
	return info === undefined ? Number.POSITIVE_INFINITY : Number(info.mtimeMs);
}

interface Findings {
	/** In ms since 1970. */
	readonly beganAt: number;
	readonly pushes: PushesByPath;
}

/** Several checks may follow the project's loading. */
const keptFindings = 10;

class Flychecks {
	readonly #running = new Set<unknown>();
	beganAt = 0;
	begun = 0;
	hasEnded = false;
	#isQuiescent = false;
	#loads = 0;
	#saves = 0;
	readonly #listeners = new Set<(kind: "begin" | "end") => void>();
	readonly #waiting = new Set<() => void>();
	/** A check may follow the loading, and withdraw all findings first. */
	#timer: NodeJS.Timeout | undefined;
	readonly #order: PushOrder;
	readonly #pushes: Pushes;
	#findings: readonly Findings[] = [];

	constructor(server: LanguageServer) {
		this.#order = server.part(PushOrder);
		this.#pushes = server.part(Pushes);
		server.on("experimental/serverStatus", (params) => {
			const { quiescent } = (params ?? {}) as { quiescent?: boolean };
			if (quiescent === undefined || quiescent === this.#isQuiescent) return;
			this.#keepFindings();
			this.#isQuiescent = quiescent;
			this.#loads++;
			clearTimeout(this.#timer);
			this.#timer = quiescent ? setTimeout(() => this.#stopTimer(), restartMs).unref() : undefined;
			this.#wake();
		});
		server.on("$/progress", (params) => this.#onProgress(params));
	}

	/** Resolves when the project is indexed: earlier empty answers mean nothing. */
	quiescent(): Promise<void> {
		return this.#until(() => this.#isQuiescent);
	}

	get isIdle(): boolean {
		const mayBegin = !this.#isQuiescent || this.#timer !== undefined;
		return this.hasEnded && !mayBegin && this.#running.size === 0 && this.#saves === 0;
	}

	/** Resolves when a check has published everything; at once before the first. */
	settled(): Promise<void> {
		return this.#until(() => this.isIdle || (this.begun === 0 && this.#saves === 0));
	}

	#until(isMet: () => boolean): Promise<void> {
		if (isMet()) return Promise.resolve();
		return new Promise((resolve) => {
			const wake = () => {
				if (!isMet()) return;
				this.#waiting.delete(wake);
				resolve();
			};
			this.#waiting.add(wake);
		});
	}

	#stopTimer(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#wake();
	}

	#wake(): void {
		for (const wake of [...this.#waiting]) wake();
	}

	/** A later check withdraws them. */
	#keepFindings(): void {
		const { beganAt } = this;
		if (!this.isIdle || this.#findings.at(-1)?.beganAt === beganAt) return;
		this.#findings = [...this.#findings.slice(1 - keptFindings), { beganAt, pushes: this.#pushes.all() }];
	}

	/** `time` is in ms since 1970; nothing changes if the file did not. */
	compareSince(time: number): void {
		const last = this.#findings.findLast(({ beganAt }) => beganAt <= time);
		if (!last) return;
		this.#findings = this.#findings.slice(this.#findings.indexOf(last));
		this.#pushes.compareWith(last.pushes);
	}

	/** Resolves when the check that `save` begins ends, or with the signal. */
	after(save: () => void, signal: AbortSignal | undefined): Promise<void> {
		// Several checks may follow the project's loading.
		const wasIdle = this.isIdle;
		const loads = this.#loads;
		this.#keepFindings();
		this.#saves++;
		return new Promise((resolve) => {
			let hasBegun = false;
			let isRepeated = false;
			let timer: NodeJS.Timeout | undefined;
			const repeat = () => {
				isRepeated = true;
				save();
				timer = setTimeout(repeat, beginMs);
			};
			const end = () => {
				if (!this.#listeners.delete(listener)) return;
				clearTimeout(timer);
				signal?.removeEventListener("abort", end);
				this.#saves--;
				resolve();
				this.#wake();
			};
			const listener = (kind: "begin" | "end") => {
				clearTimeout(timer);
				if (kind === "begin") hasBegun = true;
				else if (hasBegun && wasIdle && !isRepeated && this.#saves === 1 && this.#loads === loads) end();
				else timer = hasBegun ? setTimeout(end, restartMs) : setTimeout(repeat, beginMs);
			};
			this.#listeners.add(listener);
			signal?.addEventListener("abort", end);
			save();
			timer = setTimeout(repeat, beginMs);
		});
	}

	#onProgress(params: unknown): void {
		const { token, value } = (params ?? {}) as { token?: unknown; value?: { kind?: string } };
		if (!String(token).includes("/flycheck/")) return;
		if (value?.kind === "begin") {
			this.#keepFindings();
			this.#running.add(token);
			this.#stopTimer();
			this.begun++;
			this.#order.checkBegan();
			this.beganAt = Date.now();
		} else if (value?.kind !== "end" || !this.#running.delete(token)) return;
		if (value.kind === "end") this.hasEnded = true;
		for (const listener of [...this.#listeners]) listener(value.kind);
		this.#wake();
	}
}

/** Strategy `flycheck`: rust-analyzer's errors are pulled, those of `cargo check` pushed. A save checks the disk. */
export async function flycheckDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	await waitOrAbort(server.part(Flychecks).quiescent(), signal);
	// A restricted server runs no check.
	if (save && !server.config.partial) await checkProject(server, document.path, signal);
	const own = await untilSettled(server, signal, async () =>
		offersPull(server) ? pullDiagnostics(server, document.path, signal) : [],
	);
	return [...own, ...(server.part(Pushes).last(document.path)?.items() ?? [])];
}

/**
 * Resolves with the findings of a check that has seen `path` gone. Rejects with the signal's reason or
 * LSP_SERVER_CRASHED.
 */
export async function checkWithout(server: LanguageServer, path: string, given: AbortSignal): Promise<void> {
	await withSignals([given, server.ended], async (signal) => {
		await checkProject(server, path, signal);
		await untilSettled(server, signal, () => barrier(server, toUri(path), signal));
	});
}

/** A check publishes its last findings after its end, before the answer to a later request. */
async function untilSettled<T>(
	server: LanguageServer,
	signal: AbortSignal | undefined,
	request: () => Promise<T>,
): Promise<T> {
	const flychecks = server.part(Flychecks);
	for (;;) {
		if (!server.config.partial) await waitOrAbort(flychecks.settled(), signal);
		const { begun } = flychecks;
		const answer = await request();
		if (!server.config.partial) await server.part(PushOrder).confirm(signal);
		if (flychecks.begun === begun) return answer;
	}
}

async function checkProject(server: LanguageServer, path: string, signal: AbortSignal | undefined): Promise<void> {
	const flychecks = server.part(Flychecks);
	const editedAt = await changedAt(path);
	const save = () => {
		if (server.documents.get(path)) server.documents.save(path);
		else server.notify("textDocument/didSave", { textDocument: { uri: toUri(path) } });
	};
	const checked = flychecks.after(save, signal);
	flychecks.compareSince(editedAt);
	await checked;
	signal?.throwIfAborted();
}

/** rust-analyzer's own errors count as old: cargo finds new ones too. */
export async function diagnosticsBeforeCheck(
	server: LanguageServer,
	proof: Proof,
	pushed: readonly ProtocolDiagnostic[],
): Promise<Proof> {
	const own = proof.diagnostics.filter(({ source }) => source === "rust-analyzer");
	return {
		...proof,
		diagnostics: [...own, ...(await convertDiagnostics(pushed, linesOf(proof.text), server.encoding))],
	};
}
