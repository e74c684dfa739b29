import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { waitOrAbort } from "../../util/abort.ts";
import { statOf } from "../../util/files.ts";
import { linesOf } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { convertDiagnostics } from "./convert.ts";
import type { Proof } from "./prove.ts";
import { offersPull, pullDiagnostics } from "./pull.ts";
import { keepPushes, lastPushed } from "./push.ts";

/**
 * How long after the end of a check another one begins, in milliseconds, if the first was not ours: rust-analyzer ends
 * it because of the save, and begins anew in the same breath. Its end says nothing of that.
 */
const restartMs = 150;

/** Begins to listen to a server's states; to be called before it is asked anything. */
export function followFlychecks(server: LanguageServer): void {
	server.part(Flychecks);
}

/** True if a server's last check of the disk saw this text of a file, whatever has been written since. */
export async function hasCheckedText(server: LanguageServer, path: string, text: string): Promise<boolean> {
	const { checks } = server.part(Flychecks);
	if (!checks.hasEnded) return false;
	return (await readText(path, anySource)) === text || (await isYoungerThan(path, checks.beganAt));
}

/** True for a file that was written since a moment, by Date.now(), or is gone. */
async function isYoungerThan(path: string, moment: number): Promise<boolean> {
	const info = await statOf(path);
	return info === undefined || Number(info.mtimeMs) >= moment;
}

/** What rust-analyzer says of itself. */
class Flychecks {
	/** It has loaded and indexed everything: before that an empty answer means nothing. */
	readonly quiescent: Promise<void>;
	readonly checks = new Checks();

	constructor(server: LanguageServer) {
		this.quiescent = new Promise<void>((resolve) => {
			const off = server.on("experimental/serverStatus", (params) => {
				if ((params as { quiescent?: boolean } | null)?.quiescent !== true) return;
				off();
				resolve();
			});
		});
		server.on("$/progress", (params) => this.checks.progressed(params));
	}
}

/** The checks that a server runs, one after the other, as its progress tells of them. */
class Checks {
	readonly #running = new Set<unknown>();
	/** When the last one began, by Date.now(). */
	beganAt = 0;
	#ended = false;
	#saves = 0;
	readonly #listeners = new Set<(what: "begin" | "end") => void>();

	progressed(params: unknown): void {
		const { token, value } = (params ?? {}) as { token?: unknown; value?: { kind?: string } };
		if (!String(token).includes("/flycheck/")) return;
		if (value?.kind === "begin") {
			this.#running.add(token);
			this.beganAt = Date.now();
		} else if (value?.kind !== "end" || !this.#running.delete(token)) return;
		if (value.kind === "end") this.#ended = true;
		for (const listener of [...this.#listeners]) listener(value.kind);
	}

	/** True once one has ended: the first begins by itself, some time after the project was read. */
	get hasEnded(): boolean {
		return this.#ended;
	}

	/** True while nothing runs or is about to begin. */
	get isIdle(): boolean {
		return this.#ended && this.#running.size === 0 && this.#saves === 0;
	}

	/** Resolves at the end of the check that a save begins; to be called before the save is told. */
	next(): Promise<void> {
		// Only what begins while nothing else runs, is about to begin, or was begun by another save is surely ours.
		const sure = this.isIdle;
		this.#saves++;
		return new Promise((resolve) => {
			let begun = false;
			let timer: NodeJS.Timeout | undefined;
			const end = () => {
				this.#listeners.delete(listener);
				this.#saves--;
				resolve();
			};
			const listener = (what: "begin" | "end") => {
				clearTimeout(timer);
				if (what === "begin") begun = true;
				else if (begun && sure && this.#saves === 1) end();
				else if (begun) timer = setTimeout(end, restartMs);
			};
			this.#listeners.add(listener);
		});
	}
}

/**
 * Strategy `flycheck`: rust-analyzer's own errors by pull, and those that only `cargo check` finds (borrows, traits),
 * which a save starts, a progress token ends, and which are pushed. The check reads the disk, so its findings are for
 * what is saved: with `save: false` only what the last one found is told.
 */
export async function flycheckDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const { checks, quiescent } = server.part(Flychecks);
	await waitOrAbort(quiescent, signal);
	// One that runs nothing of the repository's checks nothing at a save: its end would never come.
	if (save && !server.config.partial) {
		// What was found before the edit is kept: not by a check that saw it, nor while one takes back what the last has found.
		if ((await isYoungerThan(document.path, checks.beganAt)) && checks.isIdle) keepPushes(server);
		const checked = checks.next();
		server.documents.save(document.path);
		await waitOrAbort(checked, signal);
	}
	const own = offersPull(server) ? await pullDiagnostics(server, document.path, signal) : [];
	return [...own, ...lastPushed(server, document.path)];
}

/**
 * A file that was not edited, as it was before a check that has pushed something else than `pushed` about it. rust-analyzer's
 * own errors count as old: those that an edit elsewhere causes cargo finds too.
 */
export function beforeCheck(server: LanguageServer, proof: Proof, pushed: readonly ProtocolDiagnostic[]): Proof {
	const old = new Set(
		convertDiagnostics(pushed, linesOf(proof.text), server.encoding).map((item) => JSON.stringify(item)),
	);
	const diagnostics = proof.diagnostics.filter(
		(item) => item.source === "rust-analyzer" || old.has(JSON.stringify(item)),
	);
	return { ...proof, diagnostics };
}
