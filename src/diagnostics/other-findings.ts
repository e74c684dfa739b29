import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { atLeast, type Diagnostic, type SignatureChange, type State } from "../contract/check-report.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { Background, type Proven } from "./background.ts";
import { goneFrom, markNew } from "./diff-diagnostics.ts";
import { doubtAbout } from "./doubt.ts";
import type { EditSession, Judged } from "./edit-session.ts";
import { type Dependencies, KnownStates } from "./known-states.ts";
import { nameOneOf } from "./named-in-errors.ts";
import type { SeenEdit } from "./seen-edit.ts";
import { beforeCheck } from "./sources/flycheck.ts";
import { type Proof, readsDisk } from "./sources/prove.ts";

/** What is known of a file that was not edited. */
export interface OtherFile {
	readonly path: string;
	readonly state: State;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

export interface Finding extends OtherFile {
	readonly proof: Proof;
	readonly revision: number;
}

/** What has been found around some edits and is to be told. */
export interface Others {
	readonly others: readonly Finding[];
	/** Files that were not proven: out of time, or the server did not answer. */
	readonly missed: readonly string[];
	readonly changes: readonly SignatureChange[];
}

export const noOthers: Others = { others: [], missed: [], changes: [] };

/**
 * What one server found in the files around a session's edits, until the agent has been told: which errors are new there,
 * by what was known of each file before the first edit whose effect on it has not been told.
 */
export class OtherFindings {
	readonly #session: EditSession;
	readonly #route: Route;
	readonly #findings = new Map<string, Finding>();
	readonly #references = new Map<string, Judged>();
	/** Failing files of which nobody knows what they were before. */
	readonly #unreferenced = new Map<string, Proven>();
	/** The texts of the edited files, and the server's revision, before the first edit that is still being worked out. */
	readonly #before = new Map<string, string | undefined>();
	#revision: number | undefined;
	/** What had been pushed of files before a check of the disk found something else. */
	readonly #pushed = new Map<string, readonly ProtocolDiagnostic[]>();
	/** Files that a command changed: they are compared with what was proven of them last, whatever their text was. */
	readonly #changedByCommand = new Set<string>();

	constructor(session: EditSession, route: Route) {
		this.#session = session;
		this.#route = route;
	}

	/** True while it is not known of a failing file what is new there. */
	get isUnsure(): boolean {
		return this.#unreferenced.size > 0;
	}

	/** The failing files of which it is not known what is new there. */
	get unsure(): string[] {
		return [...this.#unreferenced.keys()];
	}

	/** The server's revision at which a file was proven; undefined where there is nothing to tell of it. */
	revisionOf(path: string): number | undefined {
		return (this.#findings.get(path) ?? this.#unreferenced.get(path))?.revision;
	}

	get all(): Finding[] {
		return [...this.#findings.values()];
	}

	/** An edit begins: what its file was before, and the server's revision then. */
	edited({ path, before, revision }: Pick<SeenEdit, "path" | "before" | "revision">): void {
		if (!this.#before.has(path)) this.#before.set(path, before);
		this.#revision ??= revision;
	}

	/** A check of the disk has found something else about a file than what had been pushed of it. */
	changedByCheck(path: string, pushed: readonly ProtocolDiagnostic[]): void {
		if (!this.#pushed.has(path)) this.#pushed.set(path, pushed);
	}

	/** A command has changed a file; what it held before is not known. */
	changedByCommand(path: string): void {
		this.#changedByCommand.add(path);
	}

	/** All that the edits so far can have changed is worked out. */
	settled(): void {
		this.#before.clear();
		this.#pushed.clear();
		this.#changedByCommand.clear();
		this.#revision = undefined;
	}

	/** A file is told of by its own check, or is to be asked about again, or is gone. */
	forget(path: string): void {
		this.#unreferenced.delete(path);
		this.#findings.delete(path);
		this.#references.delete(path);
	}

	/** A file is asked about again. */
	doubt(path: string): void {
		this.#unreferenced.delete(path);
	}

	/** The agent has been told of a finding. One that has replaced it meanwhile is compared with what the agent knows. */
	told(finding: Finding): void {
		const { path, proof, diagnostics } = finding;
		const known = this.#findings.get(path);
		// It was edited itself meanwhile, which its own check tells.
		if (!known) return;
		const told = { ...proof, diagnostics };
		this.#pushed.delete(path);
		this.#session.saw(this.#route, told);
		this.#references.delete(path);
		if (known === finding) this.#findings.delete(path);
		else this.#conclude(known, told);
	}

	/** The files whose known errors name something of a change: it may have mended them. */
	mayBeMendedBy({ path, change }: SeenEdit): string[] {
		if (change.nothing) return [];
		const failing = new Set([...this.#session.broken(this.#route), ...this.#findings.keys()]);
		failing.delete(path);
		return [...failing].filter((other) => {
			const known = this.#findings.get(other)?.proof ?? this.#session.last(this.#route, other);
			return known !== undefined && nameOneOf(known, change, path);
		});
	}

	/** Says which errors of a file are new, if that is known without asking. */
	async judge(server: LanguageServer, proven: Proven, on: Dependencies): Promise<void> {
		const { proof, before } = proven;
		const { path, hash } = proof;
		const known = this.#references.get(path) ?? this.#session.lastOfOurs(this.#route, proof);
		// What it was before matters only where something is told: most files of C hold warnings, and are clean of errors.
		const isFailing = proof.diagnostics.some(({ severity }) => atLeast(severity, this.#session.severity));
		if (known || !isFailing) return this.#conclude(proven, known ?? this.#session.last(this.#route, path) ?? proof);
		if (before && this.#changedByCommand.has(path)) return this.#conclude(proven, before.proof);
		if (readsDisk(server)) {
			const pushed = this.#pushed.get(path);
			return this.#conclude(proven, pushed ? beforeCheck(server, proof, pushed) : proof);
		}
		const until = this.#revision;
		const wasProven = before !== undefined && until !== undefined && before.proof.hash === hash;
		const holds =
			wasProven && before.revision <= until && (await server.part(KnownStates).holds(path, before.revision, on, until));
		if (holds) this.#conclude(proven, before.proof);
		else this.#unreferenced.set(path, proven);
	}

	/** Asks about failing files on the old texts, where nobody knows what was wrong with them before. */
	async proveBefore(server: LanguageServer, signal: AbortSignal): Promise<void> {
		const unreferenced = [...this.#unreferenced];
		const texts = new Map(
			[...this.#before].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])),
		);
		const paths = unreferenced.map(([path]) => path);
		const proofs = texts.size > 0 ? await server.part(Background).proveOn(texts, paths, signal) : [];
		const before = new Map(proofs.map((proof) => [proof.path, proof]));
		for (const [path, proven] of unreferenced) {
			if (this.#unreferenced.get(path) !== proven) continue;
			this.#unreferenced.delete(path);
			// Of files that a command did not change itself, what was wrong before it is not known: nothing is blamed on it.
			const isUnknown = texts.size === 0 && this.#changedByCommand.size > 0 && !this.#changedByCommand.has(path);
			this.#conclude(proven, isUnknown ? proven.proof : before.get(path));
		}
	}

	#conclude({ proof, revision }: Pick<Proven, "proof" | "revision">, reference: Judged | undefined): void {
		const { path } = proof;
		const diagnostics = reference ? markNew(reference, proof) : proof.diagnostics;
		const fixed = reference ? goneFrom(reference, proof) : 0;
		const state = doubtAbout(this.#route)?.state ?? "fresh";
		const finding = { path, state, diagnostics, ...(fixed > 0 ? { fixed } : {}), proof, revision } as const;
		this.#findings.set(path, finding);
		if (reference) this.#references.set(path, reference);
		if (isWorthTelling(finding)) return;
		this.#references.delete(path);
		this.#session.saw(this.#route, { ...proof, diagnostics });
	}
}

/** True for a file of which the agent learns something: an error that is new, or that is gone. */
export function isWorthTelling({ diagnostics, fixed = 0 }: OtherFile): boolean {
	return fixed > 0 || diagnostics.some((diagnostic) => diagnostic.new !== false);
}
