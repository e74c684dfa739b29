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

/** rust-analyzer begins a new check so soon after a save has ended one. */
const restartMs = 150;

/** To be called before the first request. */
export function followFlychecks(server: LanguageServer): void {
	server.part(Flychecks);
}

export async function hasCheckedText(server: LanguageServer, path: string, text: string): Promise<boolean> {
	const { hasEnded, beganAt } = server.part(Flychecks);
	if (!hasEnded) return false;
	return (await readText(path, anySource)) === text || (await isYoungerThan(path, beganAt));
}

/** `time` is in ms since 1970. True for a missing file. */
async function isYoungerThan(path: string, time: number): Promise<boolean> {
	const info = await statOf(path);
	return info === undefined || Number(info.mtimeMs) >= time;
}

class Flychecks {
	/** Resolves when the project is indexed: before, an empty answer means nothing. */
	readonly quiescent: Promise<void>;
	readonly #running = new Set<unknown>();
	/** Start of the last check, in ms since 1970. */
	beganAt = 0;
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

	get isIdle(): boolean {
		return this.hasEnded && this.#running.size === 0 && this.#saves === 0;
	}

	/** Resolves when a save's check ends; to be called before the save. */
	next(): Promise<void> {
		// If several checks run, one may be of another save.
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
 * Strategy `flycheck`: rust-analyzer's own errors are pulled, those of `cargo check` pushed. A save starts the check,
 * which reads the disk.
 */
export async function flycheckDiagnostics(
	server: LanguageServer,
	document: OpenDocument,
	{ save = true, signal }: { readonly save?: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly ProtocolDiagnostic[]> {
	const flychecks = server.part(Flychecks);
	const pushes = server.part(Pushes);
	await waitOrAbort(flychecks.quiescent, signal);
	// A restricted server runs no check.
	if (save && !server.config.partial) {
		// Pushes are not kept if the last check has seen the edit, or a check withdraws its findings.
		if ((await isYoungerThan(document.path, flychecks.beganAt)) && flychecks.isIdle) pushes.keep();
		const checked = flychecks.next();
		server.documents.save(document.path);
		await waitOrAbort(checked, signal);
	}
	const own = offersPull(server) ? await pullDiagnostics(server, document.path, signal) : [];
	return [...own, ...(pushes.last(document.path)?.items() ?? [])];
}

/** rust-analyzer's own errors count as old: cargo finds the new ones too. */
export async function diagnosticsBeforeCheck(
	server: LanguageServer,
	proof: Proof,
	pushed: readonly ProtocolDiagnostic[],
): Promise<Proof> {
	const converted = await convertDiagnostics(pushed, linesOf(proof.text), server.encoding);
	const old = new Set(converted.map((item) => JSON.stringify(item)));
	const diagnostics = proof.diagnostics.filter(
		(item) => item.source === "rust-analyzer" || old.has(JSON.stringify(item)),
	);
	return { ...proof, diagnostics };
}
