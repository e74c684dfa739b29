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
import { Pushes } from "./push.ts";

/**
 * Milliseconds after the end of a check in which another one may begin. rust-analyzer ends a running check because of a
 * save and begins a new one at once, so the first end does not belong to that save.
 */
const restartMs = 150;

/** Begins to listen to a server's progress; to be called before its first request. */
export function followFlychecks(server: LanguageServer): void {
	server.part(Flychecks);
}

/** True if a server's last check of the disk has read this text of a file. */
export async function hasCheckedText(server: LanguageServer, path: string, text: string): Promise<boolean> {
	const { hasEnded, beganAt } = server.part(Flychecks);
	if (!hasEnded) return false;
	return (await readText(path, anySource)) === text || (await isYoungerThan(path, beganAt));
}

/** True for a file that was written since a time in milliseconds since the epoch, or is gone. */
async function isYoungerThan(path: string, time: number): Promise<boolean> {
	const info = await statOf(path);
	return info === undefined || Number(info.mtimeMs) >= time;
}

/** The checks of the disk that rust-analyzer runs, one after the other. */
class Flychecks {
	/** Resolves when the project is indexed; an empty answer before that means nothing. */
	readonly quiescent: Promise<void>;
	readonly #running = new Set<unknown>();
	/** When the last check began, in milliseconds since the epoch. */
	beganAt = 0;
	/** True once a check has ended: the first one begins without a save, some time after the project was read. */
	hasEnded = false;
	#saves = 0;
	readonly #listeners = new Set<(kind: "begin" | "end") => void>();

	constructor(server: LanguageServer) {
		this.quiescent = new Promise<void>((resolve) => {
			const off = server.on("experimental/serverStatus", (params) => {
				if ((params as { quiescent?: boolean } | null)?.quiescent !== true) return;
				off();
				resolve();
			});
		});
		server.on("$/progress", (params) => this.#onProgress(params));
	}

	/** True while no check runs or is about to begin. */
	get isIdle(): boolean {
		return this.hasEnded && this.#running.size === 0 && this.#saves === 0;
	}

	/** Resolves at the end of the check that a save starts; to be called before the save is sent. */
	next(): Promise<void> {
		// A check surely belongs to this save only if no other one ran, was about to begin or was started by another save.
		const isAlone = this.isIdle;
		this.#saves++;
		return new Promise((resolve) => {
			let hasBegun = false;
			let timer: NodeJS.Timeout | undefined;
			const end = () => {
				this.#listeners.delete(listener);
				this.#saves--;
				resolve();
			};
			const listener = (kind: "begin" | "end") => {
				clearTimeout(timer);
				if (kind === "begin") hasBegun = true;
				else if (hasBegun && isAlone && this.#saves === 1) end();
				else if (hasBegun) timer = setTimeout(end, restartMs);
			};
			this.#listeners.add(listener);
		});
	}

	#onProgress(params: unknown): void {
		const { token, value } = (params ?? {}) as { token?: unknown; value?: { kind?: string } };
		if (!String(token).includes("/flycheck/")) return;
		if (value?.kind === "begin") {
			this.#running.add(token);
			this.beganAt = Date.now();
		} else if (value?.kind !== "end" || !this.#running.delete(token)) return;
		if (value.kind === "end") this.hasEnded = true;
		for (const listener of [...this.#listeners]) listener(value.kind);
	}
}

/**
 * Strategy `flycheck`: rust-analyzer's own errors by pull, and the errors that only `cargo check` finds by push. A save
 * starts the check, which reads the disk; with `save: false` the findings of the last check are returned.
 */
export async function flycheckDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const flychecks = server.part(Flychecks);
	const pushes = server.part(Pushes);
	await waitOrAbort(flychecks.quiescent, signal);
	// A restricted server runs no check at a save: the end would never come.
	if (save && !server.config.partial) {
		// The findings from before the edit are kept, unless the last check has seen the edit or a check withdraws them now.
		if ((await isYoungerThan(document.path, flychecks.beganAt)) && flychecks.isIdle) pushes.keep();
		const checked = flychecks.next();
		server.documents.save(document.path);
		await waitOrAbort(checked, signal);
	}
	const own = offersPull(server) ? await pullDiagnostics(server, document.path, signal) : [];
	return [...own, ...(pushes.last(document.path)?.items() ?? [])];
}

/**
 * The diagnostics of a file that was not edited before a check, which has replaced `pushed`. rust-analyzer's own errors
 * count as old: cargo also finds the errors that an edit elsewhere causes.
 */
export function diagnosticsBeforeCheck(
	server: LanguageServer,
	proof: Proof,
	pushed: readonly ProtocolDiagnostic[],
): Proof {
	const old = new Set(
		convertDiagnostics(pushed, linesOf(proof.text), server.encoding).map((item) => JSON.stringify(item)),
	);
	const diagnostics = proof.diagnostics.filter(
		(item) => item.source === "rust-analyzer" || old.has(JSON.stringify(item)),
	);
	return { ...proof, diagnostics };
}
