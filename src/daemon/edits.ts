import type { Settings } from "../config/read-settings.ts";
import { type CheckReport, fitting, mergeReports, withSeverity } from "../contract/check-report.ts";
import { asLspError, LspError } from "../contract/errors.ts";
import type {
	BaselineParams,
	ChangedByResult,
	CheckCommandParams,
	CheckCommandResult,
	CheckEditParams,
	CheckEditResult,
	CommandParams,
} from "../contract/protocol.ts";
import { stateOfError } from "../diagnostics/file-state.ts";
import { type EnvironmentSource, entryKey } from "../pool/server-entry.ts";
import { matchesName } from "../project/file-match.ts";
import type { Located, Route } from "../routing/locate.ts";
import type { LocatedFor } from "../routing/route-cache.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import { TimeSlices } from "../util/time-slices.ts";
import { realDirectory, type Service } from "./service.ts";
import { beginCommand, type Session } from "./sessions.ts";

/** How long a proof that nobody waits for any more may still take: some servers read a large project for minutes. */
const workMs = 600_000;
/** How long an edit waits for servers that this session has waited for in vain, in milliseconds. */
const slowMs = 25;
/** So many files that a command changed are checked as an edit is; more are checked behind the answer. */
const maxAtOnce = 5;
/** Of a command that changed more files than these only the last are checked. */
const maxChanged = 2000;

/** `baseline`: proves what a file held before an edit, and so warms its server up. Never throws: nobody waits. */
export async function takeBaseline(service: Service, params: BaselineParams, env: EnvironmentSource): Promise<void> {
	const { cwd, file, session: id, call } = params;
	const text = typeof params.text === "string" ? params.text : null;
	const limit = deadline(workMs, () => new LspError("LSP_SERVER_TIMEOUT", "the baseline took too long"));
	const session = service.session(id).edits;
	const expected = (async () => {
		const { settings, located } = await service.locate(file, params, { mayBeMissing: true });
		const isTooLarge = (content: string) => Buffer.byteLength(content) > settings.maxFileBytes;
		if (text !== null && isTooLarge(text)) return [];
		const next = typeof params.next === "string" && !isTooLarge(params.next) ? params.next : undefined;
		return [
			service.checker.baseline(located, text ?? undefined, next, { cwd, env, signal: limit.signal, session, call }),
		];
	})();
	// The check may arrive before the file is even located: it has to find something to wait for.
	session.announce(call, expected);
	await expected.then(([proven]) => proven).catch(() => {});
	limit.end();
}

/**
 * `check_edit`: what an edit did, within the budget. What is not proven by then goes on and is told later. A file that
 * is not there was deleted or moved: its users are asked for. Rejects only for files that nobody should be told about
 * (outside the workspace, installed packages).
 */
export async function checkEdit(
	service: Service,
	params: CheckEditParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<CheckEditResult> {
	const { cwd, file, session: id, call, scope } = params;
	const session = service.session(id);
	const { late } = session;
	late.confirm(params.told);
	let found: LocatedFor;
	try {
		found = await service.locate(file, params, { mayBeMissing: true });
	} catch (thrown) {
		return { report: unproven(file, thrown), more: late.isOpen };
	}
	const { settings, located } = found;
	const cause = { call, file: located.display, cwd, severity: settings.severity };
	late.causedBy(cause);
	session.edits.severity = settings.severity;
	const budget = params.budget ?? budgetFor(service, session, located, settings);
	const work = deadline(workMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"));
	const wait = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", whyLate(service, located, budget)), signal);
	const stamps = new Map([[located.path, await stampOf(located.path)]]);
	const shown = (report: CheckReport) => withWithheld(withSeverity(report, settings.severity), located);
	const checked = service.checker
		.check(located, scope, {
			cwd,
			env,
			signal: work.signal,
			session: session.edits,
			call,
			mayBeGone: true,
			graceMs: settings.graceMs,
			later: (rest) => late.expect(cause, stamps, rest.then(shown)),
		})
		.then(shown)
		.finally(() => work.end());
	try {
		const report = await waitOrAbort(checked, wait.signal);
		return { report, more: late.isOpen };
	} catch (thrown) {
		if (!wait.signal.aborted) return { report: unproven(located.display, thrown), more: late.isOpen };
		// Who was stopped by the person has not waited in vain.
		if (!signal.aborted) for (const route of located.routes) session.edits.slow.add(entryKey(route));
		late.expect(cause, stamps, checked);
		return { report: unproven(located.display, thrown), more: true };
	} finally {
		wait.end();
	}
}

/** Milliseconds that an edit may wait. A server that the session has waited for in vain is not waited for at each edit. */
function budgetFor(service: Service, { edits }: Session, { routes }: Located, { warmMs, coldMs }: Settings): number {
	const isInVain = (route: Route) => edits.slow.has(entryKey(route)) || service.pool.isBackingOff(route);
	if (routes.length > 0 && routes.every(isInVain)) return slowMs;
	return routes.every((route) => service.pool.running(route)) ? warmMs : coldMs;
}

/** Why a file is not proven yet. */
function whyLate(service: Service, { routes }: Located, budget: number): string {
	for (const route of routes) {
		const server = service.pool.running(route);
		if (!server) return `${route.config.id} is still starting`;
		const { busy } = server.readiness;
		if (busy !== undefined) return `${route.config.id} is still loading the project (${busy})`;
	}
	return `not proven within ${budget} ms`;
}

/** For so long a command is what the agent waits for, in milliseconds; a longer one does not hold up the work behind. */
const commandMs = 1_000;
/** So late a command may be told of, in milliseconds; who says that it began earlier has another clock. */
const maxLateMs = 60_000;

/** `command`: from now on changes may be those of a command, which goes before the work behind the answers. */
export function commandBegins(service: Service, { session, call, at }: CommandParams): void {
	const now = Date.now();
	const since = typeof at === "number" && at > now - maxLateMs ? Math.min(at, now) : now;
	let end = () => {};
	const over = new Promise<void>((resolve) => {
		end = resolve;
		setTimeout(resolve, commandMs).unref();
	});
	beginCommand(service.session(session), call, { since, end });
	void service.pool.letGoFirst(over);
	// One that has registered nothing so far is watched from now on: a command may be over before it does.
	for (const server of service.pool.servers()) service.watches.fresh(server).catch(() => {});
}

/** `changed_by`: the files that a command has changed, deleted ones too, and that some server answers for. */
export async function changedBy(service: Service, params: CommandParams): Promise<ChangedByResult> {
	const files = (await filesChangedBy(service, params)).map(({ located }) => located.display).sort();
	const most = 20;
	return { files: files.slice(0, most), more: Math.max(files.length - most, 0) };
}

async function filesChangedBy(service: Service, params: CommandParams): Promise<LocatedFor[]> {
	return located(service, params, await pathsChangedBy(service, params));
}

/** The files that a command has changed; of many those that a running server answers for by their names. */
async function pathsChangedBy(service: Service, { cwd, session, call }: CommandParams): Promise<string[]> {
	const command = service.session(session).commands.get(call);
	if (!command) return [];
	const changed = await service.watches.changedSince(await realDirectory(cwd), command.since);
	command.end();
	if (changed.length <= maxAtOnce) return changed;
	const configs = service.pool.servers().map(({ config }) => config);
	return changed.filter((path) => configs.some((config) => matchesName(config, path))).slice(-maxChanged);
}

async function located(service: Service, params: CommandParams, paths: readonly string[]): Promise<LocatedFor[]> {
	const found = paths.map((path) => service.locate(path, params, { mayBeMissing: true }).catch(() => undefined));
	return (await Promise.all(found)).filter((each) => each !== undefined);
}

/** The same for very many files, behind the answers. */
async function locatedBehind(service: Service, params: CommandParams, paths: readonly string[]): Promise<LocatedFor[]> {
	const slices = new TimeSlices();
	const found: LocatedFor[] = [];
	for (let at = 0; at < paths.length; at += maxAtOnce) {
		await slices.next();
		await service.pool.foreground.whenFree();
		found.push(...(await located(service, params, paths.slice(at, at + maxAtOnce))));
	}
	return found;
}

/** `check_command`: what a command did to the files that it changed. */
export async function checkCommand(
	service: Service,
	params: CheckCommandParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<CheckCommandResult> {
	const { cwd, session: id, call, known } = params;
	const session = service.session(id);
	const { late } = session;
	late.confirm(params.told);
	const nothing: CheckReport = { files: [], servers: [], omitted: { diagnostics: 0, files: 0 } };
	const paths = await pathsChangedBy(service, params);
	const since = session.commands.get(call)?.since ?? Date.now();
	if (paths.length > maxAtOnce) {
		const begin = async () => {
			const files = await locatedBehind(service, params, paths);
			const severity = files[0]?.settings.severity ?? "error";
			late.causedBy({ call, changed: files.length, cwd, severity });
			session.edits.severity = severity;
			const context = { cwd, env, signal, session: session.edits, call };
			await service.checker.changedByCommand(
				files.map((each) => each.located),
				since,
				context,
			);
		};
		late.follow(begin());
		return { report: nothing, changed: paths.length, more: true };
	}
	const byPath = new Map((await located(service, params, paths)).map((found) => [found.located.path, found]));
	const texts = new Map<string, string | null>();
	for (const { file, text } of known) {
		const found = await service.locate(file, params, { mayBeMissing: true }).catch(() => undefined);
		if (!found) continue;
		byPath.set(found.located.path, found);
		texts.set(found.located.path, text);
	}
	const changed = [...byPath.values()];
	if (changed.length === 0) return { report: nothing, changed: 0, more: late.isOpen };
	const reports = await Promise.all(
		changed.map(async ({ located }) => {
			const file = located.display;
			const text = texts.get(located.path);
			if (text !== undefined) void takeBaseline(service, { ...params, file, text }, env);
			return checkEdit(service, { ...params, file, scope: "affected", told: [] }, env, signal);
		}),
	);
	const report = fitting(mergeReports(reports.map((each) => each.report)));
	return { report, changed: changed.length, more: late.isOpen };
}

/** A report that names the servers which trust would let do more. */
export function withWithheld(report: CheckReport, { withheld = [] }: Located): CheckReport {
	return withheld.length > 0 ? { ...report, withheld } : report;
}

/** The report of a file about which nothing could be proven; rethrows what is the caller's mistake. */
export function unproven(path: string, thrown: unknown): CheckReport {
	const error = asLspError(thrown);
	const state = stateOfError(error.code);
	if (!state) throw error;
	return {
		files: [{ path, role: "edited", state, reason: error.message, diagnostics: [] }],
		servers: [],
		omitted: { diagnostics: 0, files: 0 },
	};
}
