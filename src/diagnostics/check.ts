import type { CheckReport, Diagnostic } from "../contract/check-report.ts";
import { aboutServer } from "../contract/error-details.ts";
import { asLspError } from "../contract/errors.ts";
import { isData } from "../impact/index/sources.ts";
import { loadGrammar } from "../impact/visible-change.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Pool } from "../pool/pool.ts";
import { type EnvironmentSource, entryKey } from "../pool/server-entry.ts";
import { matchesName } from "../project/file-match.ts";
import type { Located, Route } from "../routing/locate.ts";
import { isOptional } from "../routing/select-servers.ts";
import { hashOf } from "../util/hash.ts";
import type { Metrics } from "../util/metrics.ts";
import { withoutMark } from "../util/read-file.ts";
import type { AffectedFilesCall } from "./affected-context.ts";
import { AffectedFiles } from "./affected-files.ts";
import { type Ahead, type CallBaseline, proveBothTexts } from "./baseline.ts";
import { countFixed } from "./diff-diagnostics.ts";
import type { EditSession } from "./edit-session.ts";
import { withEnvironment } from "./environment/environment-fault.ts";
import { explained } from "./explain/explain.ts";
import type { OfferedFix } from "./explain/suggestions.ts";
import { stateOfError } from "./file-state.ts";
import { type FileIndexes, KnownStates, type UnopenedFiles } from "./known-states.ts";
import { mergeDiagnostics } from "./merge-diagnostics.ts";
import type { AffectedFindings } from "./other-findings.ts";
import { type ProvenEdit, proveEdit, proveGone, unprovenEdit } from "./prove-edit.ts";
import { ownReport, reportOf, type ServerFinding, ServerFindings } from "./reports.ts";
import { filesJudgedBy } from "./schema-users.ts";

const startGraceMs = 300;
const slowMs = 25;
const answerMs = 200;
const maxServerMs = 30_000;

export interface CheckContext {
	readonly cwd: string;
	readonly env: EnvironmentSource;
	/** Files not proven by then are `timed_out`. */
	readonly signal: AbortSignal;
	readonly session: EditSession;
	readonly call: string | undefined;
	readonly hints?: boolean;
	/** TypeScript 7 would begin anew for each of many opened files. */
	readonly unopened?: UnopenedFiles;
	readonly ahead?: Ahead | undefined;
	readonly locate?: (path: string) => Promise<Located>;
	/** If the file is gone, its users are checked. */
	readonly mayBeGone?: boolean;
	/** By performance.now(), for explanations. */
	readonly until?: number;
	readonly declarations?: boolean;
	readonly offer?: (fix: OfferedFix) => string;
	/** In ms, after the answer; without it the report waits for all. */
	readonly graceMs?: number;
	readonly later?: (report: Promise<CheckReport>) => void;
}

interface FileCheck {
	readonly located: Located;
	readonly route: Route;
	readonly scope: "file" | "affected";
	readonly context: CheckContext;
}

interface PendingCheck {
	readonly located: Located;
	readonly route: Route;
	readonly finding: Promise<ServerFinding>;
}

export class Checker {
	readonly #pool: Pool;
	readonly #metrics: Metrics | undefined;
	readonly #indexes: FileIndexes;

	constructor(pool: Pool, indexes: FileIndexes, metrics?: Metrics) {
		this.#pool = pool;
		this.#indexes = indexes;
		this.#metrics = metrics;
	}

	/** `text` is undefined for a missing file. Resolves with what was wrong, undefined if unproven. */
	async baseline(
		located: Located,
		text: string | undefined,
		next: string | undefined,
		context: CheckContext,
	): Promise<readonly Diagnostic[] | undefined> {
		const { call = "", env, session, signal } = context;
		const { path, workspace } = located;
		session.willEdit(path);
		loadGrammar(path).catch(() => {});
		const baselines = diagnosing(located.routes).map((route) => {
			const edit = { path, languageId: route.languageId, text, next };
			const prove = async (server: LanguageServer) =>
				proveBothTexts(server, edit, await this.#indexes.importIndex(server), context);
			const baseline = this.#pool.use(route, { workspace, env, signal }, prove);
			const unproven = (thrown: unknown) => {
				const about = { server: route.config.id, file: path, reason: asLspError(thrown).message };
				this.#pool.debugLog("baseline not proven", about);
				return { unproven: text === undefined ? "" : hashOf(withoutMark(text)), text };
			};
			session.addBaseline(route, path, call, baseline.catch(unproven));
			return baseline;
		});
		const proven: (readonly Diagnostic[])[] = [];
		for (const settled of await Promise.allSettled(baselines)) {
			if (settled.status === "rejected") return undefined;
			proven.push(settled.value.proof.diagnostics);
		}
		return mergeDiagnostics(proven);
	}

	async check(located: Located, scope: "file" | "affected", context: CheckContext): Promise<CheckReport> {
		const { cwd, session, signal } = context;
		await session.restored;
		const diagnosingRoutes = diagnosing(located.routes);
		const routes = diagnosingRoutes.length > 0 ? diagnosingRoutes : located.routes;
		// 1. Note the edit.
		if (scope === "affected") {
			session.willEdit(located.path);
			for (const { root } of routes) this.#indexes.indexOf(root).changed(located.path);
		}
		// 2. Have all servers prove the file.
		const checks = routes.map((route) => {
			return { located, route, finding: this.#checkFile({ located, route, scope, context }) };
		});
		const { inTime, starting } = await this.#inTime(checks, context);
		if (starting.length > 0) context.later?.(reportOfStarting(located, starting, cwd));
		// 3. Look for causes outside the file.
		const editedFile = ownReport(located, inTime);
		const explained = await withEnvironment(editedFile, located, (route) => this.#pool.running(route), signal);
		// 4. Give other files their grace.
		const affected = scope === "affected" ? await this.#affectedFindings(routes, context) : [];
		// 5. Make the report.
		const servers = inTime.map(({ server }) => server);
		return reportOf([explained], affected, servers, cwd);
	}

	async #checkFile(check: FileCheck): Promise<ServerFinding> {
		const { located, route, context } = check;
		const { call, env, session, signal } = context;
		const { path, workspace } = located;
		const findings = new ServerFindings(route);
		const unsupported = findings.unsupported();
		if (unsupported) return unsupported;
		// The grace does not include the server's start.
		const begunAt = this.#pool.running(route) ? performance.now() : undefined;
		const callBaseline = call === undefined ? undefined : await session.beginCheck(route, path, call);
		try {
			const prove = (server: LanguageServer) =>
				this.#checkAt(server, check, callBaseline, { findings, begunAt: begunAt ?? performance.now() });
			return await this.#pool.use(route, { workspace, env, signal }, prove, { path });
		} catch (thrown) {
			const error = asLspError(thrown);
			const state = stateOfError(error.code);
			if (!state) throw error;
			if (state === "unavailable" && check.scope === "affected") await this.#usersElsewhere(check, callBaseline);
			return this.#noted(check, findings.failed(error, state, this.#pool.running(route)));
		}
	}

	async #checkAt(
		server: LanguageServer,
		check: FileCheck,
		callBaseline: CallBaseline | undefined,
		{ findings, begunAt }: { readonly findings: ServerFindings; readonly begunAt: number },
	): Promise<ServerFinding> {
		const { located, route, scope, context } = check;
		const { session, signal, hints = false, mayBeGone = false } = context;
		// 1. Prove the file, again if it changes meanwhile.
		const edit = { path: located.path, languageId: route.languageId, callBaseline };
		const isGone = mayBeGone && located.missing;
		const isUnopened = server.config.pullsUnopened && server.documents.isWatched(located.path);
		if (context.unopened && isUnopened) {
			const proof = await context.unopened.prove(server, edit, { signal, hints });
			return this.#noted(check, findings.proven(server, proof));
		}
		const options = { signal, hints, compares: scope === "affected" };
		const proven = isGone ? await proveGone(server, edit, signal) : await proveEdit(server, edit, options);
		const { baseline, proof, ms } = proven;
		// 2. Distinguish new errors from old ones.
		const diagnostics = session.markCauses(route, baseline?.proof, proof, context.call);
		const fixed = baseline ? { fixed: countFixed(baseline.proof, proof) } : {};
		// 3. Prove files that may see the change in the background.
		if (scope === "affected")
			this.#affectedFiles(route, located.workspace, session).add(server, proven, begunAt + ms, this.#callOf(context));
		const finding = this.#noted(check, findings.proven(server, { ...proof, diagnostics }));
		// 4. Explain new errors.
		const { until, declarations } = context;
		const offer = finding.server.state === "fresh" ? context.offer : undefined;
		const explaining = { workspace: located.workspace, signal, until, declarations, offer };
		return { ...finding, diagnostics: await explained(server, { proof, diagnostics }, explaining), ...fixed };
	}

	#noted({ located, route }: Pick<FileCheck, "located" | "route">, finding: ServerFinding): ServerFinding {
		const { state, ms } = finding.server;
		const counted = aboutServer(route.config);
		const diagnostics = finding.diagnostics.length;
		if (state === "timed_out") this.#metrics?.add(counted, "timeouts");
		else if (!finding.error) this.#metrics?.checked(counted, ms, diagnostics);
		const about = { server: route.config.id, language: route.languageId, file: located.path };
		this.#pool.debugLog("checked", { ...about, state, ms, diagnostics });
		return finding;
	}

	/**
	 * With `later`, a starting server gets `startGraceMs` more; a linter gets the caller's budget until it is late
	 * once.
	 */
	async #inTime(
		checks: readonly PendingCheck[],
		{ later, session, until = Number.POSITIVE_INFINITY, graceMs = 0 }: CheckContext,
	): Promise<{ readonly inTime: ServerFinding[]; readonly starting: Promise<ServerFinding>[] }> {
		const mayBeLate = ({ route }: PendingCheck) => isOptional(route.config) || this.#pool.running(route) === undefined;
		if (!later || checks.length === 1 || !checks.some(mayBeLate))
			return { inTime: await Promise.all(checks.map(({ finding }) => finding)), starting: [] };
		const wasSlow = new Set(checks.filter(({ route }) => isOptional(route.config) && this.#isSlow(route, session)));
		const ready = checks.filter((check) => !wasSlow.has(check) && this.#pool.running(check.route) !== undefined);
		const languages = checks.filter(({ route }) => !isOptional(route.config));
		const leftMs = Math.max(until - performance.now() - graceMs - answerMs, 0);
		const ofLinters = Promise.all([settled(languages), after(leftMs)]);
		const ofReady = Promise.race([settled(ready), ofLinters]);
		const limitOf = (check: PendingCheck) => {
			if (wasSlow.has(check)) return ofReady.then(() => after(slowMs));
			if (ready.length > 0 && !ready.includes(check)) return ofReady.then(() => after(startGraceMs));
			return isOptional(check.route.config) && languages.length > 0 ? ofLinters : new Promise<never>(() => {});
		};
		const begunAt = performance.now();
		const starting: Promise<ServerFinding>[] = [];
		const inTime = checks.map(async (check) => {
			const { route, finding } = check;
			const found = await Promise.race([finding, limitOf(check).then(() => undefined)]);
			if (found) return found;
			finding.catch(() => {});
			starting.push(finding);
			if (isOptional(route.config)) session.timedOutAt.set(entryKey(route), performance.now());
			return this.#stillBusy(check, performance.now() - begunAt);
		});
		return { inTime: await Promise.all(inTime), starting };
	}

	#isSlow(route: Route, { timedOutAt }: EditSession): boolean {
		const provenAt = this.#pool.running(route)?.part(KnownStates).provenAt ?? Number.NEGATIVE_INFINITY;
		return provenAt < (timedOutAt.get(entryKey(route)) ?? Number.NEGATIVE_INFINITY);
	}

	#stillBusy(check: PendingCheck, ms: number): ServerFinding {
		const { route } = check;
		const server = { ...new ServerFindings(route).report("timed_out"), ms: Math.round(ms) };
		const reason = `${route.config.id} is still ${this.#pool.running(route) ? "busy" : "starting"}.`;
		return this.#noted(check, { server, reason, diagnostics: [] });
	}

	/** `since` is in ms since 1970. */
	async changedByCommand(files: readonly Located[], since: number, context: CheckContext): Promise<void> {
		const { session } = context;
		await session.restored;
		const byRoute = new Map<string, { readonly route: Route; readonly workspace: string; readonly paths: string[] }>();
		for (const { path, routes, workspace } of files) {
			session.willEdit(path);
			for (const route of diagnosing(routes)) {
				const known = byRoute.get(entryKey(route)) ?? { route, workspace, paths: [] };
				byRoute.set(entryKey(route), known);
				known.paths.push(path);
			}
		}
		for (const { route, workspace, paths } of byRoute.values()) {
			const server = this.#pool.running(route);
			if (!server) continue;
			const call = this.#callOf({ ...context, graceMs: 0 });
			this.#affectedFiles(route, workspace, session).addChanged(server, paths, since, call);
		}
	}

	async #affectedFindings(routes: readonly Route[], context: CheckContext): Promise<AffectedFindings[]> {
		const { session, signal, graceMs } = context;
		if (session.unreported.length === 0) return [];
		const own = routes.flatMap((route) => session.affectedAt(route) ?? []);
		const findings = (some: readonly AffectedFiles[]) =>
			Promise.all(
				some.map(async (affected) => {
					const found = await affected.findingsWithin(graceMs, signal);
					affected.reported(found);
					return found;
				}),
			);
		const found = await findings(own);
		if (graceMs !== undefined) return found;
		return [...found, ...(await findings(session.affected.filter((affected) => !own.includes(affected))))];
	}

	#affectedFiles(route: Route, workspace: string, session: EditSession): AffectedFiles {
		const [pool, indexes] = [this.#pool, this.#indexes];
		return session.beginAffected(route, () => new AffectedFiles({ pool, route, workspace, session, indexes }));
	}

	#callOf(context: CheckContext): AffectedFilesCall {
		const { env, graceMs, locate } = context;
		return {
			env,
			maxServerMs: graceMs === undefined ? Number.POSITIVE_INFINITY : maxServerMs,
			elsewhere: (path, edit) => this.#elsewhere(path, edit, context),
			judgedBy: (schemas, index) => filesJudgedBy(schemas, index, locate),
		};
	}

	async #elsewhere(path: string, edit: ProvenEdit | undefined, context: CheckContext): Promise<boolean> {
		const located = await context.locate?.(path).catch(() => undefined);
		const routes = located ? diagnosing(located.routes).filter(({ config }) => !isOptional(config)) : [];
		for (const route of routes)
			this.#affectedFiles(route, located?.workspace ?? "", context.session).addUser(path, edit, this.#callOf(context));
		return routes.length > 0;
	}

	async #usersElsewhere(
		{ located: { path }, route, context }: FileCheck,
		baseline: CallBaseline | undefined,
	): Promise<void> {
		const users = isData(path) ? await this.#indexes.indexOf(route.root).dependents(path) : [];
		const before = baseline && ("proof" in baseline ? baseline.proof.text : baseline.text);
		const edit = before === undefined ? undefined : unprovenEdit(path, before);
		for (const user of users.filter((each) => !matchesName(route.config, each)))
			await this.#elsewhere(user, edit, context);
	}
}

function diagnosing(routes: readonly Route[]): readonly Route[] {
	return routes.filter(({ config }) => config.diagnoses !== false);
}

function settled(checks: readonly PendingCheck[]): Promise<unknown> {
	return Promise.allSettled(checks.map(({ finding }) => finding));
}

function after(ms: number): Promise<void> {
	return new Promise((resolve) => {
		if (Number.isFinite(ms)) setTimeout(resolve, ms).unref();
	});
}

async function reportOfStarting(
	located: Located,
	starting: readonly Promise<ServerFinding>[],
	cwd: string,
): Promise<CheckReport> {
	const ends = await Promise.allSettled(starting);
	const findings = ends.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
	const editedFiles = findings
		.filter(({ server }) => server.state === "fresh")
		.map(({ diagnostics }) => ({ path: located.display, role: "edited", state: "fresh", diagnostics }) as const);
	const servers = findings.map(({ server }) => server);
	return reportOf(editedFiles, [], servers, cwd);
}
