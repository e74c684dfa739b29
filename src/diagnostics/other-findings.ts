import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { atLeast, type Diagnostic, type SignatureChange, type State } from "../contract/check-report.ts";
import type { Names } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Route } from "../routing/locate.ts";
import { Background, type OtherProof } from "./background.ts";
import {
	countFixed,
	hasErrors,
	isCaused,
	markNew,
	markNewAndEarlier,
	mentionsChange,
	withoutMentions,
} from "./diff-diagnostics.ts";
import type { EditSession, FileDiagnostics } from "./edit-session.ts";
import { doubtAbout } from "./file-state.ts";
import { type ImportIndex, KnownStates } from "./known-states.ts";
import type { ProvenEdit } from "./prove-edit.ts";
import { diagnosticsBeforeCheck } from "./sources/flycheck.ts";
import { checksProject, type Proof, readsDisk } from "./sources/prove.ts";

export interface OtherFile {
	readonly path: string;
	readonly state: State;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

export interface OtherFinding extends OtherFile {
	readonly proof: Proof;
	readonly revision: number;
}

export interface AffectedFindings {
	readonly files: readonly OtherFinding[];
	readonly missed: readonly string[];
	readonly unsearched?: boolean;
	readonly changes: readonly SignatureChange[];
}

export const noFindings: AffectedFindings = { files: [], missed: [], changes: [] };

export class OtherFindings {
	readonly #session: EditSession;
	readonly #route: Route;
	readonly #findings = new Map<string, OtherFinding>();
	readonly #comparedWith = new Map<string, FileDiagnostics>();
	readonly #uncompared = new Map<string, OtherProof>();
	/** From before the first edit whose effects are still looked for. */
	readonly #textsBefore = new Map<string, string | undefined>();
	readonly #gone = new Map<string, Names>();
	#revisionBefore: number | undefined;
	/** From before a check of the disk. */
	readonly #pushedBefore = new Map<string, readonly ProtocolDiagnostic[]>();
	readonly #changedByCommand = new Set<string>();
	/** An earlier edit may have mended them unreported: they are new if they return. */
	readonly #mayReturn = new Set<string>();

	constructor(session: EditSession, route: Route) {
		this.#session = session;
		this.#route = route;
	}

	get uncompared(): string[] {
		return [...this.#uncompared.keys()];
	}

	get size(): number {
		return this.#findings.size + this.#uncompared.size;
	}

	get all(): OtherFinding[] {
		return [...this.#findings.values()];
	}

	revisionOf(path: string): number | undefined {
		return (this.#findings.get(path) ?? this.#uncompared.get(path))?.revision;
	}

	/** A finding to report outlasts the time for unproven files. */
	hasNews(path: string): boolean {
		const finding = this.#findings.get(path);
		return finding !== undefined && isWorthReporting(finding);
	}

	edited({ proof: { path, hash }, before, change, revisionBefore }: ProvenEdit): void {
		if (!this.#textsBefore.has(path)) this.#textsBefore.set(path, before);
		if (hash === "") this.#gone.set(path, change.changed);
		else this.#gone.delete(path);
		this.#revisionBefore ??= revisionBefore;
	}

	changedByCheck(path: string, pushedBefore: readonly ProtocolDiagnostic[]): void {
		if (!this.#pushedBefore.has(path)) this.#pushedBefore.set(path, pushedBefore);
	}

	/** An earlier edit may have fixed errors in `paths`. */
	mayReturn(paths: readonly string[]): void {
		for (const path of paths) this.#mayReturn.add(path);
		for (const { path, fixed = 0 } of this.all) if (fixed > 0) this.#mayReturn.add(path);
	}

	changedByCommand(path: string): void {
		this.#changedByCommand.add(path);
	}

	forgetEdits(): void {
		this.#textsBefore.clear();
		this.#gone.clear();
		this.#pushedBefore.clear();
		this.#changedByCommand.clear();
		this.#mayReturn.clear();
		this.#revisionBefore = undefined;
	}

	forget(path: string): void {
		this.#uncompared.delete(path);
		this.#findings.delete(path);
		this.#comparedWith.delete(path);
	}

	forgetUncompared(path: string): void {
		this.#uncompared.delete(path);
	}

	reported(finding: OtherFinding): void {
		const { path, proof, diagnostics } = finding;
		const current = this.#findings.get(path);
		if (!current) return;
		const seen = { ...proof, diagnostics };
		this.#pushedBefore.delete(path);
		this.#mayReturn.delete(path);
		this.#session.remember(this.#route, seen);
		this.#comparedWith.delete(path);
		if (current === finding) this.#findings.delete(path);
		else this.#conclude(current, seen);
	}

	failing(states: KnownStates | undefined): Set<string> {
		return new Set([...this.#ownFailing, ...(states?.failingFiles ?? [])]);
	}

	get #ownFailing(): Set<string> {
		return new Set([...this.#session.failingFiles(this.#route), ...this.#findings.keys()]);
	}

	mayBeFixedBy({ proof: { path }, change }: ProvenEdit, states: KnownStates | undefined): string[] {
		if (change.nothing) return [];
		const mayBeFixed = (known: FileDiagnostics | undefined) => known && mentionsChange(known, change, path);
		const own = [...this.#ownFailing].filter((other) =>
			mayBeFixed(this.#findings.get(other)?.proof ?? this.#session.last(this.#route, other)),
		);
		const others = change.changed ? (states?.failingFiles ?? []) : [];
		const foreign = others.filter((other) => mayBeFixed(states?.last(other)?.proof));
		return [...new Set([...own, ...foreign])].filter((other) => other !== path);
	}

	async compare(server: LanguageServer, proven: OtherProof, imports: ImportIndex): Promise<void> {
		const { proof, before, hadErrors } = proven;
		const { path, hash } = proof;
		// 1. Compare with the last comparison, or what the session knows.
		const known = this.#comparedWith.get(path) ?? this.#session.lastBeforeOwnEdits(this.#route, proof);
		const last = known ?? this.#session.last(this.#route, path);
		const hasFailed = hadErrors && !(last && hasErrors(last));
		// No earlier state is needed without errors: most files of C have warnings.
		const isFailing = proof.diagnostics.some(({ severity }) => atLeast(severity, this.#session.severity));
		if (known || !(isFailing || hasFailed)) return this.#conclude(proven, last ?? proof);
		// 2. Or with the last proof, if a command changed the file.
		if (before && this.#changedByCommand.has(path)) return this.#conclude(proven, before.proof);
		// 3. Or with the pushes before a check of the project.
		if (checksProject(server)) {
			const pushed = this.#pushedBefore.get(path);
			return this.#conclude(proven, pushed ? await diagnosticsBeforeCheck(server, proof, pushed) : proof);
		}
		// 4. Or with the last proof, if it was current when the edits began.
		const until = this.#revisionBefore;
		const isComparable =
			before !== undefined &&
			until !== undefined &&
			before.proof.hash === hash &&
			before.revision <= until &&
			(await server.part(KnownStates).isCurrent(path, before.revision, imports, until));
		if (isComparable) this.#conclude(proven, before.proof);
		else this.#uncompared.set(path, proven);
	}

	async proveBefore(server: LanguageServer, signal: AbortSignal): Promise<void> {
		const uncompared = [...this.#uncompared];
		const texts = new Map(
			[...this.#textsBefore].flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])),
		);
		const paths = uncompared.map(([path]) => path);
		const proofs =
			texts.size > 0 && !readsDisk(server) ? await server.part(Background).proveWithTexts(texts, paths, signal) : [];
		const before = new Map(proofs.map((proof) => [proof.path, proof]));
		for (const [path, proven] of uncompared) {
			if (this.#uncompared.get(path) !== proven) continue;
			this.#uncompared.delete(path);
			const isUnknown = texts.size === 0 && this.#changedByCommand.size > 0 && !this.#changedByCommand.has(path);
			const known = isUnknown ? proven.proof : before.get(path);
			// pyright finds no module whose text is only open (docs/facts.md, 32).
			this.#conclude(proven, known && { ...known, diagnostics: withoutMentions(known, this.#gone) });
		}
	}

	#conclude(
		{ proof, revision }: Pick<OtherProof, "proof" | "revision">,
		comparedWith: FileDiagnostics | undefined,
	): void {
		const { path } = proof;
		const marked = comparedWith ? markNewAndEarlier(comparedWith, proof) : proof.diagnostics;
		const diagnostics = this.#mayReturn.has(path) ? this.#renewed(proof, marked) : marked;
		const fixed = comparedWith ? countFixed(comparedWith, proof) : 0;
		const state = doubtAbout(this.#route)?.state ?? "fresh";
		const finding = { path, state, diagnostics, ...(fixed > 0 ? { fixed } : {}), proof, revision } as const;
		this.#findings.set(path, finding);
		if (comparedWith) this.#comparedWith.set(path, comparedWith);
		if (isWorthReporting(finding)) return;
		this.#comparedWith.delete(path);
		this.#session.remember(this.#route, { ...proof, diagnostics });
	}

	#renewed(proof: Proof, marked: readonly Diagnostic[]): readonly Diagnostic[] {
		const last = this.#session.last(this.#route, proof.path);
		if (!last) return marked;
		const own = { text: last.text, diagnostics: last.diagnostics.filter(isCaused) };
		const byOthers = markNew(own, proof);
		return marked.map((item, index) => {
			if (byOthers[index]?.new) return item;
			const { earlier: _, ...rest } = item;
			return { ...rest, new: true };
		});
	}
}

export function isWorthReporting({ diagnostics, fixed = 0 }: OtherFile): boolean {
	return fixed > 0 || diagnostics.some((diagnostic) => diagnostic.new !== false);
}
