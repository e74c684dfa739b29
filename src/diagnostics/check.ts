import { asLspError } from "../errors.ts";
import type { CheckReport, ServerReport, State } from "../findings.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Metrics } from "../util/metrics.ts";
import type { Located, Route } from "../workspace/locate.ts";
import type { EnvironmentSource, Pool } from "../workspace/pool.ts";
import { anticipate } from "./anticipate.ts";
import { askEarly } from "./ask-early.ts";
import { type Announced, knownBaseline, proveBaseline } from "./baseline.ts";
import { goneFrom } from "./carry.ts";
import { askDependents } from "./dependents.ts";
import { proveEdit, proveGone, type Sent } from "./edit.ts";
import { withEnvironment } from "./environment-fault.ts";
import { stateOf } from "./failure-state.ts";
import type { ImportGraph } from "./import-graph.ts";
import type { Importers } from "./last-states.ts";
import type { Baseline, Ledger } from "./ledger.ts";
import { type Around, askOthers, beginOthers, nobody } from "./others.ts";
import { asksAtOnce, strategyOf } from "./prove.ts";
import { type Finding, laterReport, ownReport, reportOf, together } from "./reports.ts";
import { SecondLooks } from "./second-looks.ts";
import type { Shape } from "./shape.ts";
import { withSuggestions } from "./suggestions.ts";

/** How long a server that has yet to start may hold up the answer of those that are ready, in milliseconds. */
const graceMs = 300;

/** Whom a check is for. */
export interface CheckContext {
	readonly cwd: string;
	readonly env: EnvironmentSource;
	/** Ends the waiting; what is not proven by then is `timed_out`. */
	readonly signal: AbortSignal;
	readonly ledger: Ledger;
	/** The tool call that made the edit; its baseline is the one to compare with. */
	readonly call: string | undefined;
	/** True if suggestions count too. */
	readonly hints?: boolean;
	/** True if the file may be gone: then its users are asked for. */
	readonly mayBeGone?: boolean;
	/**
	 * Takes the second look at what depends on the file, which goes on behind the answer; called at most once. Without it
	 * the check waits for it.
	 */
	readonly later?: (report: Promise<CheckReport>) => void;
}

/** What a checker knows of the files around the one that it is asked about. */
export interface Surroundings {
	graphOf(root: string): ImportGraph;
	/** True if everything that happens below a server's root is told to its graph. */
	isWatched(server: LanguageServer): Promise<boolean>;
}

/** Proves what is wrong in files, and which of it is new (design.md section 4). */
export class Checker {
	readonly #pool: Pool;
	readonly #metrics: Metrics | undefined;
	readonly #surroundings: Surroundings;
	readonly #secondLooks = new SecondLooks();

	constructor(pool: Pool, surroundings: Surroundings, metrics?: Metrics) {
		this.#pool = pool;
		this.#surroundings = surroundings;
		this.#metrics = metrics;
	}

	/**
	 * Proves the text of a file before an edit: `text` undefined means that it did not exist. With `next`, the text
	 * that the edit is going to write, the signatures that it touches are read as well. Starts the server if need be.
	 * The ledger knows of it before this returns; what cannot be proven is no baseline.
	 */
	baseline(located: Located, text: string | undefined, next: string | undefined, context: CheckContext): Promise<void> {
		const { call = "", env, ledger, signal } = context;
		ledger.edits(located.path);
		const baselines = diagnosing(located.routes).map((route) => {
			const baseline = this.#pool.use(route, located.workspace, env, signal, (server) =>
				this.#secondLooks.before(server, ledger, () =>
					this.#before(server, located, route, { path: located.path, text, next }, context),
				),
			);
			ledger.expect(baselineKey(call, located.path, route), baseline);
			return baseline;
		});
		return Promise.allSettled(baselines).then(() => {});
	}

	/** Proves what a file was before an edit. What it is about to be, the server works on as early as it can. */
	async #before(
		server: LanguageServer,
		located: Located,
		route: Route,
		announced: Announced,
		context: CheckContext,
	): Promise<Baseline> {
		const anticipate = ({ shape }: Baseline) => {
			if (!shape || announced.next === undefined) return;
			// Nobody waits for it, and what it meets the check meets as well.
			this.#anticipate(located, route, importers, shape, announced.next, context).catch(() => {});
		};
		const importers = {
			graph: this.#surroundings.graphOf(route.root),
			watched: await this.#surroundings.isWatched(server),
		};
		const { news } = server;
		const known = await knownBaseline(server, announced, importers);
		if (known) {
			// The look at the disk takes longer than anything else here: it goes on beside.
			anticipate(known);
			await server.fresh(context.signal);
			if (server.news === news) return known;
		}
		const baseline = await proveBaseline(server, route, announced, { ...context, ...importers });
		anticipate(baseline);
		return baseline;
	}

	/** Lets a server that is running work out what the check is going to ask. */
	async #anticipate(
		located: Located,
		route: Route,
		importers: Importers,
		before: Shape,
		next: string,
		context: CheckContext,
	): Promise<void> {
		const { env, ledger, signal } = context;
		const running = this.#pool.running(route);
		if (!running || !asksAtOnce(running)) return;
		const work = async (server: LanguageServer) => {
			const place = { server, route, located, ledger, ...importers, signal, hints: false, isLate: true };
			await anticipate(place, before, next);
		};
		await this.#pool.use(route, located.workspace, env, signal, work, { retry: false, path: located.path });
	}

	/**
	 * Begins with a file that is going to be checked, as it was located before: servers that run and do not doubt it work
	 * already while somebody looks whether anything else has changed. For a file that was just looked at. Nobody waits for it.
	 */
	hurry({ path, routes }: Located, signal: AbortSignal): void {
		const begin = async (server: LanguageServer) => {
			if (await this.#surroundings.isWatched(server)) await askEarly(server, path, signal);
		};
		for (const route of diagnosing(routes)) {
			const server = this.#pool.unsuspecting(route, path);
			if (!server || strategyOf(server) !== "pull" || !asksAtOnce(server)) continue;
			// All else that it meets the check meets as well.
			begin(server).catch((error) => this.#pool.suspect(route, server, path, error));
		}
	}

	/** Checks one file on disk with all its servers in parallel; with `affected` also the files that it may have broken. */
	async check(located: Located, scope: "file" | "affected", context: CheckContext): Promise<CheckReport> {
		const asked = diagnosing(located.routes);
		const routes = asked.length > 0 ? asked : located.routes;
		const { inTime, late } = await this.#inTime(routes, (route) => this.#ask(located, route, scope, context));
		const own = ownReport(located, inTime);
		const servers = inTime.map(({ server }) => server);
		const rests = inTime.flatMap(({ rest }) => rest ?? []);
		if (rests.length + late.length > 0) context.later?.(laterReport(located, rests, late, context.cwd));
		const explained = await withEnvironment(own, located, (route) => this.#pool.running(route), context.signal);
		return reportOf([explained], inTime, servers, context.cwd);
	}

	/**
	 * The findings of several servers, all asked at once: the slowest bounds the wait, but one that has yet to start does not
	 * hold up those that are ready. What it finds comes later.
	 */
	async #inTime(
		routes: readonly Route[],
		ask: (route: Route) => Promise<Finding>,
	): Promise<{ readonly inTime: Finding[]; readonly late: Promise<Finding>[] }> {
		const asks = routes.map((route) => ({
			route,
			isReady: this.#pool.running(route) !== undefined,
			finding: ask(route),
		}));
		const ready = asks.filter(({ isReady }) => isReady).map(({ finding }) => finding);
		if (ready.length === 0 || ready.length === asks.length)
			return { inTime: await Promise.all(asks.map(({ finding }) => finding)), late: [] };
		const late: Promise<Finding>[] = [];
		const grace = Promise.allSettled(ready).then(() => new Promise((resolve) => setTimeout(resolve, graceMs).unref()));
		const inTime = asks.map(async ({ route, isReady, finding }) => {
			if (isReady) return finding;
			const found = await Promise.race([finding, grace.then(() => undefined)]);
			if (found) return found;
			finding.catch(() => {});
			late.push(finding);
			return stillStarting(route);
		});
		return { inTime: await Promise.all(inTime), late };
	}

	async #ask(located: Located, route: Route, scope: "file" | "affected", context: CheckContext): Promise<Finding> {
		const began = performance.now();
		let server: LanguageServer | undefined;
		const report = (state: State): ServerReport => ({
			id: route.config.id,
			...(server?.version ? { version: server.version } : {}),
			root: route.root,
			strategy: server ? strategyOf(server) : (route.config.strategy ?? "push"),
			state,
			ms: Math.round((performance.now() - began) * 10) / 10,
		});
		const { id, diagnoses = true, partial = false } = route.config;
		if (!diagnoses)
			return {
				server: report("unsupported"),
				reason: `${id} reports no diagnostics.`,
				diagnostics: [],
				...nobody,
			};
		try {
			const { env, signal } = context;
			const prove = async (running: LanguageServer): Promise<Finding> => {
				server = running;
				const finding = await this.#secondLooks.before(running, context.ledger, () =>
					this.#prove(running, located, route, scope, context, () => report(partial ? "untrusted" : "fresh")),
				);
				const reason = `${id} runs nothing of the repository's without trust, and finds less.`;
				return partial ? { ...finding, reason } : finding;
			};
			return await this.#pool.use(route, located.workspace, env, signal, prove, { path: located.path });
		} catch (thrown) {
			const error = asLspError(thrown);
			const state = stateOf(error.code);
			if (!state) throw error;
			if (state === "timed_out") this.#metrics?.add(route.config.id, "timeouts");
			return { server: report(state), reason: error.message, diagnostics: [], ...nobody };
		}
	}

	async #prove(
		server: LanguageServer,
		located: Located,
		route: Route,
		scope: "file" | "affected",
		context: CheckContext,
		report: () => ServerReport,
	): Promise<Finding> {
		const { call, signal, ledger, hints = false, mayBeGone = false } = context;
		const { path } = located;
		const handed = call === undefined ? undefined : await ledger.take(baselineKey(call, path, route), call);
		const graph = this.#surroundings.graphOf(route.root);
		const watched = await this.#surroundings.isWatched(server);
		const isLate = context.later !== undefined;
		const place = { server, route, located, ledger, graph, watched, signal, hints, isLate };
		let around: Around | undefined;
		const sent: Sent = (document, before, see) => {
			if (asksAtOnce(server)) around = beginOthers(place, { before: before?.shape, text: document.text, see });
		};
		if (scope === "affected") {
			graph.changed(path);
			ledger.edits(path);
		}
		const edit =
			mayBeGone && located.missing
				? await proveGone(server, path, handed, signal)
				: await proveEdit(server, path, route, handed, { signal, hints, ...(scope === "affected" ? { sent } : {}) });
		const { baseline, now } = edit;
		const diagnostics = ledger.judge(route, baseline?.proof, now);
		const fixed = baseline ? { fixed: goneFrom(baseline.proof, now) } : {};
		const own = { server: report(), diagnostics, ...fixed };
		this.#metrics?.checked(route.config.id, own.server.ms, diagnostics.length);
		const told = async () => ({ ...own, diagnostics: await withSuggestions(server, now, diagnostics, signal) });
		if (scope === "file") return { ...(await told()), ...nobody };
		const begun = around ?? beginOthers(place, { before: baseline?.shape, text: now.text, see: edit.see });
		const asking = { ...place, edit };
		const others = await askOthers(asking, begun);
		// After the others, whom a slow answer would hold up, and before the second look, which would hold it up.
		const suggested = await told();
		const asked = new Set(others.others.map((other) => other.path));
		if (!context.later) return { ...suggested, ...together(others, await askDependents(asking, asked, begun)) };
		const rest = this.#secondLooks.run(server, ledger, (looking) =>
			this.#pool.use(route, located.workspace, context.env, looking, (running) =>
				running === server
					? askDependents({ ...asking, signal: looking }, asked, begun, call)
					: Promise.resolve(nobody),
			),
		);
		rest.catch(() => {});
		return { ...suggested, ...others, rest };
	}
}

/** The servers that report diagnostics; of any other there is nothing to wait for. */
function diagnosing(routes: readonly Route[]): readonly Route[] {
	return routes.filter(({ config }) => config.diagnoses !== false);
}

function stillStarting({ config, root }: Route): Finding {
	const strategy = config.strategy ?? "push";
	return {
		server: { id: config.id, root, strategy, state: "timed_out", ms: graceMs },
		reason: `${config.id} is still starting.`,
		diagnostics: [],
		...nobody,
	};
}

function baselineKey(call: string, path: string, { config }: Route): string {
	return JSON.stringify([call, path, config.id]);
}
