import type { CheckReport, ServerReport, State } from "../contract/check-report.ts";
import { asLspError } from "../contract/errors.ts";
import type { FileIndex } from "../impact/index/file-index.ts";
import { loadGrammar } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Pool } from "../pool/pool.ts";
import { type EnvironmentSource, entryKey } from "../pool/server-entry.ts";
import type { Located, Route } from "../routing/locate.ts";
import { deadline } from "../util/abort.ts";
import type { Metrics } from "../util/metrics.ts";
import type { AffectedFiles } from "./affected-files.ts";
import { proveBaseline } from "./baseline.ts";
import { goneFrom } from "./diff-diagnostics.ts";
import { doubtAbout } from "./doubt.ts";
import type { EditSession } from "./edit-session.ts";
import { withEnvironment } from "./environment/environment-fault.ts";
import { stateOf } from "./failure-state.ts";
import type { Dependencies } from "./known-states.ts";
import { noOthers, type Others } from "./other-findings.ts";
import { proveEdit, proveGone, textBefore } from "./prove-edit.ts";
import { type Finding, ownReport, reportOf } from "./reports.ts";
import { strategyOf } from "./sources/prove.ts";
import { withSuggestions } from "./suggestions.ts";

/** How long a server that has yet to start may hold up the answer of those that are ready, in milliseconds. */
const startGraceMs = 300;
/** So long it takes at most to put an answer together and to bring it to the agent, in milliseconds. */
const onItsWayMs = 20;
/** For so long a server is asked behind one edit of a session, in milliseconds. */
const maxServerMs = 30_000;

/** Whom a check is for. */
export interface CheckContext {
	readonly cwd: string;
	readonly env: EnvironmentSource;
	/** Ends the waiting; what is not proven by then is `timed_out`. */
	readonly signal: AbortSignal;
	readonly session: EditSession;
	/** The tool call that made the edit; its baseline is the one to compare with. */
	readonly call: string | undefined;
	/** True if suggestions count too. */
	readonly hints?: boolean;
	/** True if the file may be gone: then its users are asked for. */
	readonly mayBeGone?: boolean;
	/**
	 * How long the answer may wait for other files after the edited one is proven, in milliseconds; the session is told of the
	 * rest later. Without it the answer waits for all of them, as long as `signal` allows.
	 */
	readonly graceMs?: number;
	/** Takes what a server finds in the edited file that has yet to start; without it the check waits. */
	readonly later?: (report: Promise<CheckReport>) => void;
}

/** What a checker knows of the files around the one that it is asked about. */
export interface Surroundings {
	indexOf(root: string): FileIndex;
	/** True if everything that happens below a server's root is told to its index. */
	isWatched(server: LanguageServer): Promise<boolean>;
}

/** Proves what is wrong in files, and which of it is new (docs/architecture.md, "The life of an edit"). */
export class Checker {
	readonly #pool: Pool;
	readonly #metrics: Metrics | undefined;
	readonly #surroundings: Surroundings;

	constructor(pool: Pool, surroundings: Surroundings, metrics?: Metrics) {
		this.#pool = pool;
		this.#surroundings = surroundings;
		this.#metrics = metrics;
	}

	/**
	 * Proves the text of a file before an edit: `text` undefined means that it did not exist. With `next`, the text that
	 * the edit is going to write, the signatures that it touches are read as well. Starts the server if need be. The
	 * session knows of it before this returns; what cannot be proven is no baseline.
	 */
	baseline(located: Located, text: string | undefined, next: string | undefined, context: CheckContext): Promise<void> {
		const { call = "", env, session, signal } = context;
		const { path, workspace } = located;
		session.edits(path);
		// It takes longer to load than most edits take to be compared.
		loadGrammar(path).catch(() => {});
		const baselines = diagnosing(located.routes).map((route) => {
			const prove = async (server: LanguageServer) =>
				proveBaseline(server, route, { path, text, next }, await this.#dependencies(server), context);
			const baseline = this.#pool.use(route, workspace, env, signal, prove);
			session.expect(baselineKey(call, path, route), baseline);
			return baseline;
		});
		return Promise.allSettled(baselines).then(() => {});
	}

	/**
	 * Checks one file on disk with all its servers in parallel; with scope `affected` also the files that it may have
	 * broken or mended.
	 */
	async check(located: Located, scope: "file" | "affected", context: CheckContext): Promise<CheckReport> {
		const asked = diagnosing(located.routes);
		const routes = asked.length > 0 ? asked : located.routes;
		const { cwd, session, signal } = context;
		if (scope === "affected") {
			session.edits(located.path);
			for (const { root } of routes) this.#surroundings.indexOf(root).changed(located.path);
		}
		// 1. The edited file: each server is asked about it and about nothing else.
		const checks = routes.map((route) => ({ route, finding: this.#checkFile(located, route, scope, context) }));
		const { inTime, late } = await this.#inTime(checks);
		const own = ownReport(located, inTime);
		if (late.length > 0) context.later?.(lateReport(located, late, cwd));
		// 2. Why most of its errors may have one cause outside of it.
		const explained = await withEnvironment(own, located, (route) => this.#pool.running(route), signal);
		// 3. What is known of other files within the grace. The rest is told later.
		const others = scope === "affected" ? await this.#others(routes, context) : [];
		// 4. The report.
		return reportOf(
			[explained],
			others,
			inTime.map(({ server }) => server),
			cwd,
		);
	}

	/** One server's view of the edited file; what it may have changed elsewhere goes to the background. */
	async #checkFile(
		located: Located,
		route: Route,
		scope: "file" | "affected",
		context: CheckContext,
	): Promise<Finding> {
		const { id, diagnoses = true } = route.config;
		const { call, env, session, signal, hints = false, mayBeGone = false } = context;
		const { path, workspace } = located;
		const report = reporter(route);
		if (!diagnoses) return { server: report("unsupported"), reason: `${id} reports no diagnostics.`, diagnostics: [] };
		// A client that does nothing else waits for the server's start, and for nothing that is worked out here.
		const came = this.#pool.running(route) ? performance.now() : undefined;
		try {
			// 1. What was proven of the file before the edit, if somebody announced it.
			const announced = call === undefined ? undefined : await session.take(baselineKey(call, path, route), call);
			const prove = async (server: LanguageServer): Promise<Finding> => {
				const began = came ?? performance.now();
				// 2. The server is told what is on disk, and proves the file.
				const edit =
					mayBeGone && located.missing
						? await proveGone(server, path, announced, signal)
						: await proveEdit(server, path, route, announced, { signal, hints });
				const { baseline, proof, change, signatures, revision, ms } = edit;
				// 3. The other files that may see the change are looked for and asked about, behind this answer.
				if (scope === "affected") {
					const before = textBefore(baseline);
					const isWhole = proof.hash === "" || (baseline !== undefined && before === undefined);
					const seen = {
						path,
						before,
						isWhole,
						answeredAt: began + ms,
						change,
						signatures,
						revision,
						related: proof.related ?? [],
					};
					this.#affected(route, workspace, context).add(server, seen, env);
				}
				// 4. New and old are told apart.
				const diagnostics = session.judge(route, baseline?.proof, proof);
				const fixed = baseline ? { fixed: goneFrom(baseline.proof, proof) } : {};
				const doubt = doubtAbout(route, server, proof.text);
				const own = report(doubt?.state ?? "fresh", server);
				this.#metrics?.checked(id, own.ms, diagnostics.length);
				const reason = doubt ? { reason: doubt.reason } : {};
				// 5. What the server would do about errors that are new.
				const suggested = await withSuggestions(server, proof, diagnostics, signal);
				return { server: own, ...reason, diagnostics: suggested, ...fixed };
			};
			return await this.#pool.use(route, workspace, env, signal, prove, { path });
		} catch (thrown) {
			const error = asLspError(thrown);
			const state = stateOf(error.code);
			if (!state) throw error;
			if (state === "timed_out") this.#metrics?.add(id, "timeouts");
			return { server: report(state, this.#pool.running(route)), reason: error.message, diagnostics: [] };
		}
	}

	/**
	 * The findings of several servers, all asked at once: the slowest bounds the wait, but one that has yet to start does not
	 * hold up those that are ready. What it finds comes later.
	 */
	async #inTime(
		checks: readonly { readonly route: Route; readonly finding: Promise<Finding> }[],
	): Promise<{ readonly inTime: Finding[]; readonly late: Promise<Finding>[] }> {
		const isReady = new Map(checks.map(({ route }) => [route, this.#pool.running(route) !== undefined]));
		const ready = checks.filter(({ route }) => isReady.get(route)).map(({ finding }) => finding);
		if (ready.length === 0 || ready.length === checks.length)
			return { inTime: await Promise.all(checks.map(({ finding }) => finding)), late: [] };
		const late: Promise<Finding>[] = [];
		const grace = Promise.allSettled(ready).then(
			() => new Promise((resolve) => setTimeout(resolve, startGraceMs).unref()),
		);
		const inTime = checks.map(async ({ route, finding }) => {
			if (isReady.get(route)) return finding;
			const found = await Promise.race([finding, grace.then(() => undefined)]);
			if (found) return found;
			finding.catch(() => {});
			late.push(finding);
			return stillStarting(route);
		});
		return { inTime: await Promise.all(inTime), late };
	}

	/**
	 * Takes up the files that a command changed: they are checked behind the answer, with those that depend on them. A
	 * server that does not run is not started for it.
	 */
	async changedByCommand(files: readonly Located[], since: number, context: CheckContext): Promise<void> {
		const byRoute = new Map<string, { readonly route: Route; readonly workspace: string; readonly paths: string[] }>();
		for (const { path, routes, workspace } of files) {
			context.session.edits(path);
			for (const route of diagnosing(routes)) {
				const known = byRoute.get(entryKey(route)) ?? { route, workspace, paths: [] };
				byRoute.set(entryKey(route), known);
				known.paths.push(path);
			}
		}
		for (const { route, workspace, paths } of byRoute.values()) {
			const server = this.#pool.running(route);
			if (server)
				this.#affected(route, workspace, { ...context, graceMs: 0 }).addChanged(server, paths, since, context.env);
		}
	}

	/** What is known of other files, by each server, when the time for them is over or nothing is left to ask. */
	#others(routes: readonly Route[], { session, signal, graceMs }: CheckContext): Promise<Others[]> {
		const looks = routes.flatMap((route) => session.affectedBy(route) ?? []);
		return Promise.all(
			looks.map(async (look) => {
				const found =
					graceMs === undefined ? await foundAtLast(look, signal) : await foundWithin(look, graceMs, signal);
				look.told(found);
				return found;
			}),
		);
	}

	#affected(route: Route, workspace: string, { session, graceMs }: CheckContext): AffectedFiles {
		const limitMs = graceMs === undefined ? Number.POSITIVE_INFINITY : maxServerMs;
		const dependencies = (server: LanguageServer) => this.#dependencies(server);
		return session.affects({ pool: this.#pool, route, workspace, session, dependencies, maxServerMs: limitMs });
	}

	async #dependencies(server: LanguageServer): Promise<Dependencies> {
		const index = this.#surroundings.indexOf(server.root);
		return { index, watched: await this.#surroundings.isWatched(server) };
	}
}

async function foundAtLast(look: AffectedFiles, signal: AbortSignal): Promise<Others> {
	await look.settled(signal).catch(() => {});
	const found = await look.found();
	return { ...found, missed: [...found.missed, ...look.left] };
}

/** The grace runs from the server's answer: after a cold start none would be left otherwise. */
async function foundWithin(look: AffectedFiles, graceMs: number, signal: AbortSignal): Promise<Others> {
	const since = look.interestingSince;
	const leftMs = since === undefined ? 0 : graceMs - onItsWayMs - (performance.now() - since);
	if (leftMs <= 0) return look.found();
	const limit = deadline(leftMs, () => new Error("the grace is over"), signal);
	try {
		return await look.foundSoon(limit.signal);
	} finally {
		limit.end();
	}
}

/** The servers that report diagnostics; of any other there is nothing to wait for. */
function diagnosing(routes: readonly Route[]): readonly Route[] {
	return routes.filter(({ config }) => config.diagnoses !== false);
}

/** What a server's answer is told as; the time runs from the call of this. */
function reporter({ config, root }: Route): (state: State, server?: LanguageServer) => ServerReport {
	const began = performance.now();
	return (state, server) => ({
		id: config.id,
		...(server?.version ? { version: server.version } : {}),
		root,
		strategy: server ? strategyOf(server) : (config.strategy ?? "push"),
		state,
		ms: Math.round((performance.now() - began) * 10) / 10,
	});
}

function stillStarting({ config, root }: Route): Finding {
	const strategy = config.strategy ?? "push";
	return {
		server: { id: config.id, root, strategy, state: "timed_out", ms: startGraceMs },
		reason: `${config.id} is still starting.`,
		diagnostics: [],
	};
}

/** What servers that had yet to start found in the edited file. */
async function lateReport(located: Located, late: readonly Promise<Finding>[], cwd: string): Promise<CheckReport> {
	const ends = await Promise.allSettled(late);
	const findings = ends.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
	const own = findings
		.filter(({ server }) => server.state === "fresh")
		.map(({ diagnostics }) => ({ path: located.display, role: "edited", state: "fresh", diagnostics }) as const);
	return reportOf(
		own,
		[noOthers],
		findings.map(({ server }) => server),
		cwd,
	);
}

function baselineKey(call: string, path: string, { config }: Route): string {
	return JSON.stringify([call, path, config.id]);
}
