import type { Diagnostic, Severity } from "../contract/check-report.ts";
import { entryKey } from "../pool/server-entry.ts";
import type { Route } from "../routing/locate.ts";
import { LruMap } from "../util/lru-map.ts";
import { AffectedFiles, type Means } from "./affected-files.ts";
import { carryOver, markNew } from "./diff-diagnostics.ts";
import type { Proof } from "./sources/prove.ts";

const maxBroken = 40;

/** What was proven of a file before an edit. */
export interface Baseline {
	readonly proof: Proof;
	/** The signatures of what the edit is going to touch, as the server shows them, by dotted path. */
	readonly signatures: ReadonlyMap<string, string>;
}

/**
 * What one session (one agent's conversation) is owed: the baselines of its edits by tool call, and per file the
 * errors that were there before its first edit, so that its own leftovers are told from what it found.
 */
export class EditSession {
	readonly #announced = new LruMap<Promise<unknown>>(200);
	readonly #baselines = new LruMap<Promise<Baseline | undefined>>(200);
	readonly #inherited = new LruMap<Pick<Proof, "text" | "diagnostics">>(500);
	readonly #last = new LruMap<Judged & { readonly at: number }>(1000);
	readonly #edited = new LruMap<true>(500);
	readonly #affected = new Map<string, AffectedFiles>();
	/** The least that its agent is told of. */
	severity: Severity = "hint";
	/** The servers that this session has waited for in vain, until they prove something. */
	readonly slow = new Set<string>();
	#foreignAt = Number.NEGATIVE_INFINITY;
	readonly #broken = new Map<string, LruMap<true>>();

	/** Says that baselines of a tool call are about to be expected: a check that follows at once waits for `expected`. */
	announce(call: string, expected: Promise<unknown>): void {
		const all = Promise.all([this.#announced.get(call), expected]);
		all.catch(() => {});
		this.#announced.set(call, all);
	}

	expect(key: string, baseline: Promise<Baseline | undefined>): void {
		baseline.catch(() => {});
		this.#baselines.set(key, baseline);
	}

	/** The baseline under a key, once: undefined if none was handed over or it could not be proven. */
	async take(key: string, call?: string): Promise<Baseline | undefined> {
		if (call !== undefined) await this.#announced.get(call)?.catch(() => {});
		const baseline = this.#baselines.get(key);
		this.#baselines.delete(key);
		return baseline?.catch(() => undefined);
	}

	/**
	 * Says of each diagnostic whether this edit caused it, and of the others whether an earlier edit of this session did.
	 * Without a baseline nothing is said. What has come into a file since this session left it, by nobody's edit that it
	 * knows of, is another's (issue 5, attribution).
	 */
	judge(route: Route, baseline: Proof | undefined, now: Proof): Diagnostic[] {
		this.slow.delete(entryKey(route));
		const key = keyOf(route, now.path);
		const inherited = this.#inheritedBy(key, baseline);
		if (inherited) this.#inherited.set(key, { text: now.text, diagnostics: carryOver(inherited, now) });
		let judged = [...now.diagnostics];
		if (baseline && inherited) {
			const bySession = markNew(inherited, now);
			judged = markNew(baseline, now).map((diagnostic, index) =>
				!diagnostic.new && bySession[index]?.new ? { ...diagnostic, earlier: true } : diagnostic,
			);
		}
		this.saw(route, { ...now, diagnostics: judged });
		return judged;
	}

	/** Keeps what was proven of a file last, edited or not. */
	saw(route: Route, { path, text, diagnostics }: Judged): void {
		this.#last.set(keyOf(route, path), { path, text, diagnostics, at: performance.now() });
		const broken = this.#broken.get(serverKey(route)) ?? new LruMap(maxBroken);
		this.#broken.set(serverKey(route), broken);
		if (diagnostics.some(({ severity }) => severity === "error")) broken.set(path, true);
		else broken.delete(path);
	}

	/** A file is gone, and its errors with it. */
	forget(route: Route, path: string): void {
		this.#last.delete(keyOf(route, path));
		this.#broken.get(serverKey(route))?.delete(path);
	}

	/** What was proven of a file last in this session. */
	last(route: Route, path: string): Judged | undefined {
		return this.#last.get(keyOf(route, path));
	}

	/** The files that this session's edits may have broken, as one server sees them; undefined where none was checked. */
	affectedBy(route: Route): AffectedFiles | undefined {
		return this.#affected.get(serverKey(route));
	}

	/** The same, begun where there is none. */
	affects(means: Means): AffectedFiles {
		const key = serverKey(means.route);
		const affected = this.#affected.get(key) ?? new AffectedFiles(means);
		this.#affected.set(key, affected);
		return affected;
	}

	/** All of them. */
	get affected(): AffectedFiles[] {
		return [...this.#affected.values()];
	}

	/** The end of the session: nothing is worked out for it any more. */
	close(): void {
		for (const affected of this.#affected.values()) affected.close();
	}

	/** This session edits a file: what happens to it is its own doing. */
	edits(path: string): void {
		this.#edited.set(path, true);
	}

	/** Something happened to a file on disk. */
	changedOnDisk(path: string): void {
		if (!this.#edited.get(path)) this.#foreignAt = performance.now();
	}

	/**
	 * What was proven of a file last, if nothing but this session's edits has happened since: then what differs from it is
	 * their doing, and the server need not be asked about the old text.
	 */
	lastOfOurs(route: Route, { path, text }: Pick<Proof, "path" | "text">): Judged | undefined {
		const last = this.#last.get(keyOf(route, path));
		return last && last.text === text && last.at > this.#foreignAt ? last : undefined;
	}

	/** The files whose errors this session was told of by a server. */
	broken(route: Route): string[] {
		return [...(this.#broken.get(serverKey(route))?.keys() ?? [])];
	}

	#inheritedBy(key: string, baseline: Proof | undefined): Pick<Proof, "text" | "diagnostics"> | undefined {
		const inherited = this.#inherited.get(key);
		const last = this.#last.get(key);
		if (!baseline || !last) return inherited ?? baseline;
		if (inherited) {
			const foreign = markNew(last, baseline).filter((diagnostic) => diagnostic.new);
			return { text: baseline.text, diagnostics: [...carryOver(inherited, baseline), ...foreign] };
		}
		// Never edited so far, but another edit of this session may have broken it.
		const mine = last.diagnostics.filter((diagnostic) => diagnostic.new || diagnostic.earlier);
		const others = markNew({ text: last.text, diagnostics: mine }, baseline).filter((diagnostic) => diagnostic.new);
		return { text: baseline.text, diagnostics: others };
	}
}

/** A file's text and what was said of it. */
export type Judged = Pick<Proof, "path" | "text" | "diagnostics">;

/** The name of a file as one server sees it. */
function keyOf({ config, root }: Route, path: string): string {
	return JSON.stringify([path, config.id, root]);
}

function serverKey({ config, root }: Route): string {
	return JSON.stringify([config.id, root]);
}
