import { resolve } from "node:path";
import type { Settings } from "../config/read-settings.ts";
import { type CheckReport, type Diagnostic, withSeverity } from "../contract/check-report.ts";
import { aboutServer } from "../contract/error-details.ts";
import { asLspError, LspError, reasonOf } from "../contract/errors.ts";
import type { BaselineParams, CheckEditParams, CheckEditResult, PreflightResult } from "../contract/protocol.ts";
import type { Ahead } from "../diagnostics/baseline.ts";
import { markNew } from "../diagnostics/diff-diagnostics.ts";
import { stateOfError } from "../diagnostics/file-state.ts";
import { KnownStates } from "../diagnostics/known-states.ts";
import { isSyntaxError } from "../diagnostics/syntax-error.ts";
import { withComplaint } from "../lsp/complaint.ts";
import { hasBrokenSyntax } from "../planning/symbols/syntax.ts";
import { type EnvironmentSource, entryKey } from "../pool/server-entry.ts";
import type { Located, Route } from "../routing/locate.ts";
import type { LocatedFor } from "../routing/route-cache.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import type { CallSource } from "./serve.ts";
import type { Service } from "./service.ts";
import type { Session } from "./sessions.ts";

const workMs = 600_000;
/** For servers that timed out in this session or failed to start. */
const slowMs = 25;
const neverAborted = new AbortController().signal;

/** With `ahead` proves the text after the edit too; `proven` gets both. Never rejects. */
export async function proveBaselineFor(
	service: Service,
	params: BaselineParams,
	env: EnvironmentSource,
	proven?: Ahead["proven"],
): Promise<void> {
	const { cwd, file, session: id, call } = params;
	const text = typeof params.text === "string" ? params.text : undefined;
	const limit = deadline(workMs, () => new LspError("LSP_SERVER_TIMEOUT", "the baseline took too long"));
	const session = service.session(id).edits;
	const begunAt = performance.now();
	const baseline = async () => {
		const { settings, located } = await service.locate(file, params, { mayBeMissing: true });
		const { maxFileBytes } = settings;
		if (text !== undefined && Buffer.byteLength(text) > maxFileBytes) return;
		const isNextRead = typeof params.next === "string" && Buffer.byteLength(params.next) <= maxFileBytes;
		const next = isNextRead ? params.next : undefined;
		const aheadUntil = begunAt + settings.preflightMs;
		const hints = settings.severity === "hint";
		const ahead = params.ahead === true ? { until: aheadUntil, ...(proven ? { proven } : {}) } : undefined;
		const context = { cwd, env, signal: limit.signal, session, call, hints, ahead };
		return { proven: service.checker.baseline(located, text, next, context) };
	};
	const expected = baseline();
	// The edit's check may arrive before the file is located.
	const at = typeof params.at === "number" ? performance.now() - (Date.now() - params.at) : undefined;
	session.announce(call, expected, at);
	try {
		await (await expected)?.proven;
	} catch {}
	limit.end();
}

/**
 * Only a syntax error in a file without one. Where a parser reads the language it must agree: servers count more as
 * such.
 */
export async function preflight(
	service: Service,
	params: BaselineParams,
	{ env }: CallSource,
): Promise<PreflightResult> {
	const { cwd, file, text, next } = params;
	const errors: Diagnostic[] = [];
	const taken = proveBaselineFor(service, { ...params, ahead: true }, env, (before, after) => {
		if (before.diagnostics.some(isSyntaxError)) return;
		errors.push(...markNew(before, after).filter((found) => found.new && isSyntaxError(found)));
	});
	if (typeof next !== "string") return {};
	const path = resolve(cwd, file);
	const isBroken = hasBrokenSyntax(path, next);
	if ((await Promise.race([isBroken, taken])) === false) return {};
	await taken;
	const [broken] = errors.toSorted((one, other) => one.line - other.line);
	if (!broken || (await isBroken) === false || (await hasBrokenSyntax(path, text ?? ""))) return {};
	return { broken };
}

/** Findings after the budget become late reports. Rejects for mistakes of the caller. */
export async function checkEdit(
	service: Service,
	params: CheckEditParams,
	source: CallSource,
): Promise<CheckEditResult> {
	const { cwd, file, session: id } = params;
	const { untrusted } = service.session(id);
	const path = resolve(cwd, file);
	const again = () => checkEdit(service, { ...params, budget: 0, confirmed: [] }, { ...source, signal: neverAborted });
	return checkWithin(service, params, source, (report) => {
		if (report.files.some(({ role, state }) => role === "edited" && state === "untrusted")) untrusted.set(path, again);
		else untrusted.delete(path);
	});
}

async function checkWithin(
	service: Service,
	params: CheckEditParams,
	{ env, signal }: CallSource,
	ended: (report: CheckReport) => void,
): Promise<CheckEditResult> {
	const { cwd, file, session: id, call, scope } = params;
	const session = service.session(id);
	const { late } = session;
	late.confirm(params.confirmed);
	let found: LocatedFor;
	try {
		found = await service.locate(file, params, { mayBeMissing: true });
	} catch (thrown) {
		const report = unprovenReport(file, thrown);
		ended(report);
		return { report, more: late.isOpen };
	}
	const { settings, located } = found;
	const cause = { call, file: located.display, cwd, severity: settings.severity };
	late.cause = cause;
	session.edits.severity = settings.severity;
	const budget = params.budget ?? budgetFor(service, session, located, settings);
	const work = deadline(workMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"));
	const wait = deadline(budget, () => overBudgetError(service, located, budget), signal);
	const stamps = new Map([[located.path, await stampOf(located.path)]]);
	const forCaller = (report: CheckReport) => withWithheld(withSeverity(report, settings.severity), located);
	const checked = service.checker
		.check(located, scope, {
			cwd,
			env,
			signal: work.signal,
			session: session.edits,
			call,
			hints: settings.severity === "hint",
			mayBeGone: true,
			locate: async (path) => (await service.locate(path, params)).located,
			graceMs: settings.graceMs,
			until: performance.now() + budget,
			declarations: settings.declarations,
			...(settings.fixHandles ? { offer: (fix) => service.offeredFixes.offer(fix) } : {}),
			later: (report) => late.expect(cause, stamps, report.then(forCaller)),
		})
		.then(forCaller)
		.finally(() => work.end());
	checked.then(ended, () => {});
	try {
		const report = await waitOrAbort(checked, wait.signal);
		late.answered(stamps, report);
		return { report, more: late.isOpen };
	} catch (thrown) {
		if (!wait.signal.aborted) return { report: unprovenReport(located.display, thrown), more: late.isOpen };
		if (!signal.aborted) for (const route of located.routes) notInTime(service, session, located, { route, budget });
		late.expect(cause, stamps, checked);
		return { report: unprovenReport(located.display, thrown), more: true };
	} finally {
		wait.end();
	}
}

function notInTime(
	service: Service,
	{ edits }: Session,
	{ path: file }: Located,
	{ route, budget }: { readonly route: Route; readonly budget: number },
): void {
	edits.timedOutAt.set(entryKey(route), performance.now());
	const counted = aboutServer(route.config);
	service.metrics.add(counted, "timeouts");
	const state = "timed_out";
	service.pool.debugLog("checked", { ...counted, language: route.languageId, file, state, ms: budget, diagnostics: 0 });
}

function budgetFor(service: Service, { edits }: Session, { routes }: Located, { warmMs, coldMs }: Settings): number {
	const isSlow = (route: Route) => {
		const timedOutAt = edits.timedOutAt.get(entryKey(route)) ?? Number.NEGATIVE_INFINITY;
		const provenAt = service.pool.running(route)?.part(KnownStates).provenAt ?? Number.NEGATIVE_INFINITY;
		return provenAt < timedOutAt || service.pool.failureOfStart(route) !== undefined;
	};
	if (routes.length > 0 && routes.every(isSlow)) return slowMs;
	return routes.every((route) => service.pool.running(route)) ? warmMs : coldMs;
}

export function overBudgetError(service: Service, located: Located, budget: number): LspError {
	const failures = located.routes.map((route) => service.pool.failureOfStart(route));
	if (failures[0] && failures.every(Boolean)) return failures[0];
	return new LspError("LSP_SERVER_TIMEOUT", whyOverBudget(service, located, budget));
}

function whyOverBudget(service: Service, { routes }: Located, budget: number): string {
	for (const route of routes) {
		const server = service.pool.running(route);
		if (!server) return `${route.config.id} is still starting`;
		const { busy } = server.readiness;
		if (busy !== undefined)
			return withComplaint(`${route.config.id} is still loading the project: ${busy}`, server.complaint.text);
	}
	const asked = routes.filter(({ config }) => config.diagnoses !== false).map(({ config }) => config.id);
	const [complaint] = routes.flatMap((route) => service.pool.running(route)?.complaint.text ?? []);
	const time = budget < 1000 ? "is still busy" : `needs more than ${Math.round(budget / 1000)} s`;
	return withComplaint(`${asked.join(", ")} ${time}`, complaint);
}

export function withWithheld(report: CheckReport, { withheld = [] }: Located): CheckReport {
	return withheld.length > 0 ? { ...report, withheld } : report;
}

export function unprovenReport(path: string, thrown: unknown): CheckReport {
	const error = asLspError(thrown);
	const state = stateOfError(error.code);
	if (!state) throw error;
	return {
		files: [{ path, role: "edited", state, reason: reasonOf(error), error: error.toJSON(), diagnostics: [] }],
		servers: [],
		omitted: { diagnostics: 0, files: 0 },
	};
}
