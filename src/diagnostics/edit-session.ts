import { atLeast, type Diagnostic, type Severity } from "../contract/check-report.ts";
import { entryKey } from "../pool/server-entry.ts";
import type { Route } from "../routing/locate.ts";
import { LruMap } from "../util/lru-map.ts";
import type { AffectedFiles } from "./affected-files.ts";
import type { CallBaseline } from "./baseline.ts";
import { carryOver, hasErrors, isCaused, markNew } from "./diff-diagnostics.ts";
import type { Proof } from "./sources/prove.ts";

const maxFailing = 40;

export type FileDiagnostics = Pick<Proof, "path" | "text" | "diagnostics">;

export interface OwnErrors extends FileDiagnostics {
	readonly key: string;
}

export class EditSession {
	/** `at`: when the text before was read, by performance.now(). */
	readonly #announced = new LruMap<{ readonly all: Promise<unknown>; readonly at: number }>(200);
	readonly #baselines = new LruMap<Promise<CallBaseline | undefined>>(200);
	/** From before the session's first edit of a file. */
	readonly #inherited = new LruMap<Omit<FileDiagnostics, "path">>(500);
	readonly #unknown = new LruMap<true>(500);
	readonly #firstCall = new LruMap<string>(500);
	readonly #last = new LruMap<FileDiagnostics & { readonly at: number }>(1000);
	readonly #edited = new LruMap<true>(500);
	/** By `entryKey`. */
	readonly #affected = new Map<string, AffectedFiles>();
	readonly #failing = new Map<string, LruMap<true>>();
	severity: Severity = "hint";
	/** By `entryKey`, and by performance.now(). */
	readonly timedOutAt = new Map<string, number>();
	restored: Promise<void> = Promise.resolve();
	onOwnErrors: () => void = () => {};
	/** By performance.now(), of files that this session does not edit. */
	#foreignChangeAt = Number.NEGATIVE_INFINITY;

	announce(call: string, expected: Promise<unknown>, at = performance.now()): void {
		const all = Promise.all([this.#announced.get(call)?.all, expected]);
		all.catch(() => {});
		this.#announced.set(call, { all, at });
	}

	/** `baseline` never rejects. */
	addBaseline(route: Route, path: string, call: string, baseline: Promise<CallBaseline | undefined>): void {
		this.#baselines.set(baselineKey(route, path, call), baseline);
	}

	/** Waits for what the call announces; a baseline is used once. */
	async beginCheck(route: Route, path: string, call: string): Promise<CallBaseline | undefined> {
		const file = fileKey(route, path);
		if (!this.#firstCall.has(file)) this.#firstCall.set(file, call);
		await this.#announced.get(call)?.all.catch(() => {});
		const key = baselineKey(route, path, call);
		const baseline = this.#baselines.get(key);
		this.#baselines.delete(key);
		return baseline;
	}

	/** Marks what this edit (`new`) or an earlier one (`earlier`) has caused, nothing without a baseline. */
	markCauses(route: Route, baseline: Proof | undefined, now: Proof, call?: string): Diagnostic[] {
		const key = fileKey(route, now.path);
		if (now.diagnostics.length === 0) {
			this.#inherited.set(key, now);
			this.remember(route, now);
			return [];
		}
		const inherited = this.#inheritedBefore(key, baseline, call);
		if (inherited) this.#inherited.set(key, { text: now.text, diagnostics: carryOver(inherited, now) });
		else if (hasErrors(now)) this.#unknown.set(key, true);
		else this.#inherited.set(key, now);
		const own = baseline && call !== undefined ? this.#causedSince(call, key) : undefined;
		const since = baseline ? markedSince(baseline, inherited, now) : [...now.diagnostics];
		const marked = own ? withEarlier(own, since, now) : since;
		this.remember(route, { ...now, diagnostics: marked });
		return marked;
	}

	remember(route: Route, { path, text, diagnostics }: FileDiagnostics): void {
		const key = fileKey(route, path);
		const isOwn = [this.#last.get(key)?.diagnostics, diagnostics].some((items) => items?.some(isCaused));
		this.#last.set(key, { path, text, diagnostics, at: performance.now() });
		const failing = this.#failing.get(failingKey(route)) ?? new LruMap(maxFailing);
		this.#failing.set(failingKey(route), failing);
		if (hasErrors({ diagnostics })) failing.set(path, true);
		else failing.delete(path);
		if (isOwn) this.onOwnErrors();
	}

	get ownErrors(): OwnErrors[] {
		return [...this.#last].flatMap(([key, { path, text, diagnostics }]) => {
			const own = diagnostics.filter(
				(diagnostic) => isCaused(diagnostic) && atLeast(diagnostic.severity, this.severity),
			);
			return own.length > 0 ? [{ key, path, text, diagnostics: own }] : [];
		});
	}

	restore(known: readonly OwnErrors[]): void {
		for (const { key, ...last } of known)
			if (!this.#last.has(key)) this.#last.set(key, { ...last, at: Number.NEGATIVE_INFINITY });
	}

	forget(route: Route, path: string): void {
		this.#last.delete(fileKey(route, path));
		this.#failing.get(failingKey(route))?.delete(path);
	}

	last(route: Route, path: string): FileDiagnostics | undefined {
		return this.#last.get(fileKey(route, path));
	}

	lastBeforeOwnEdits(route: Route, { path, text }: Pick<Proof, "path" | "text">): FileDiagnostics | undefined {
		const last = this.#last.get(fileKey(route, path));
		return last && last.text === text && last.at > this.#foreignChangeAt ? last : undefined;
	}

	failingFiles(route: Route): string[] {
		return [...(this.#failing.get(failingKey(route))?.keys() ?? [])];
	}

	affectedAt(route: Route): AffectedFiles | undefined {
		return this.#affected.get(entryKey(route));
	}

	beginAffected(route: Route, begin: () => AffectedFiles): AffectedFiles {
		const known = this.affectedAt(route);
		if (known) return known;
		for (const [key, other] of this.#affected)
			if (other.isReplacedBy(route)) {
				other.close();
				this.#affected.delete(key);
			}
		const affected = begin();
		this.#affected.set(entryKey(route), affected);
		return affected;
	}

	get affected(): AffectedFiles[] {
		return [...this.#affected.values()];
	}

	get unreported(): AffectedFiles[] {
		return this.affected.filter(({ isIdle }) => !isIdle);
	}

	close(): void {
		for (const affected of this.affected) affected.close();
	}

	willEdit(path: string): void {
		this.#edited.set(path, true);
	}

	changedOnDisk(path: string): void {
		if (!this.#edited.get(path)) this.#foreignChangeAt = performance.now();
	}

	/** By edits of the same batch, checked since this one's text before was read. */
	#causedSince(call: string, key: string): Omit<FileDiagnostics, "path"> | undefined {
		const last = this.#last.get(key);
		const announced = this.#announced.get(call);
		if (!last || !announced || last.at < announced.at) return undefined;
		return { text: last.text, diagnostics: last.diagnostics.filter(isCaused) };
	}

	#inheritedBefore(
		key: string,
		baseline: Proof | undefined,
		call: string | undefined,
	): Omit<FileDiagnostics, "path"> | undefined {
		const inherited = this.#inherited.get(key);
		const last = this.#last.get(key);
		const isFirst = (this.#firstCall.get(key) ?? call) === call;
		if (!inherited && !(call !== undefined && isFirst) && this.#unknown.get(key)) return undefined;
		// The baseline may hold what the first edit caused.
		if (!inherited && !last && !isFirst) return undefined;
		if (!baseline || !last) return inherited ?? baseline;
		if (inherited) {
			const foreign = markNew(last, baseline).filter((diagnostic) => diagnostic.new);
			return { text: baseline.text, diagnostics: [...carryOver(inherited, baseline), ...foreign] };
		}
		const own = last.diagnostics.filter(isCaused);
		const others = markNew({ text: last.text, diagnostics: own }, baseline).filter((diagnostic) => diagnostic.new);
		return { text: baseline.text, diagnostics: others };
	}
}

/** Without a state from before the first edit, marks nothing `earlier`. */
function markedSince(baseline: Proof, inherited: Omit<FileDiagnostics, "path"> | undefined, now: Proof): Diagnostic[] {
	const byEdit = markNew(baseline, now);
	if (!inherited) return byEdit.map(({ new: isNew, ...item }) => (isNew ? { ...item, new: true } : item));
	const bySession = markNew(inherited, now);
	return byEdit.map((item, index) => (!item.new && bySession[index]?.new ? { ...item, earlier: true } : item));
}

function withEarlier(own: Omit<FileDiagnostics, "path">, marked: readonly Diagnostic[], now: Proof): Diagnostic[] {
	const others = markNew(own, now);
	return marked.map((item, index) => (item.new && !others[index]?.new ? { ...item, new: false, earlier: true } : item));
}

function baselineKey(route: Route, path: string, call: string): string {
	return JSON.stringify([call, path, entryKey(route)]);
}

/** A trusted server finds more. */
function fileKey({ config, root, trusted }: Route, path: string): string {
	return JSON.stringify([path, config.id, root, trusted]);
}

function failingKey({ config, root, trusted }: Route): string {
	return JSON.stringify([config.id, root, trusted]);
}
