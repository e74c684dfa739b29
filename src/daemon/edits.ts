import { stateOf } from "../diagnostics/failure-state.ts";
import { asLspError, LspError } from "../errors.ts";
import { type CheckReport, withSeverity } from "../findings.ts";
import { deadline, waitOrAbort } from "../util/abort.ts";
import { stampOf } from "../util/files.ts";
import type { Located } from "../workspace/locate.ts";
import type { LocatedFor } from "../workspace/lookups.ts";
import type { EnvironmentSource } from "../workspace/pool.ts";
import { type Hub, realDirectory } from "./hub.ts";
import type { BaselineParams, ChangedByResult, CheckEditParams, CheckEditResult, CommandParams } from "./protocol.ts";

/** How long a proof that nobody waits for any more may still take. */
const lateMs = 60_000;

/** `baseline`: proves what a file held before an edit, and so warms its server up. Never throws: nobody waits. */
export async function takeBaseline(hub: Hub, params: BaselineParams, env: EnvironmentSource): Promise<void> {
	const { cwd, file, session, call } = params;
	const text = typeof params.text === "string" ? params.text : null;
	const limit = deadline(lateMs, () => new LspError("LSP_SERVER_TIMEOUT", "the baseline took too long"));
	const expected = (async () => {
		const { settings, located } = await hub.locate(file, params, { mayBeMissing: true });
		const isTooLarge = (content: string) => Buffer.byteLength(content) > settings.maxFileBytes;
		if (text !== null && isTooLarge(text)) return [];
		const next = typeof params.next === "string" && !isTooLarge(params.next) ? params.next : undefined;
		const context = { cwd, env, signal: limit.signal, ledger: hub.ledger(session), call };
		return [hub.checker.baseline(located, text ?? undefined, next, context)];
	})();
	// The check may arrive before the file is even located: it has to find something to wait for.
	hub.ledger(session).announce(call, expected);
	await expected.then(([proven]) => proven).catch(() => {});
	limit.end();
}

/**
 * `check_edit`: what an edit did, within the budget. What is not proven by then goes on and is told later. A file that
 * is not there was deleted or moved: its users are asked for. Rejects only for files that nobody should be told about
 * (outside the workspace, installed packages).
 */
export async function checkEdit(
	hub: Hub,
	params: CheckEditParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<CheckEditResult> {
	const { cwd, file, session, call, scope } = params;
	let found: LocatedFor;
	try {
		found = await hub.locate(file, params, { mayBeMissing: true });
	} catch (thrown) {
		return { report: unproven(file, thrown), pending: false };
	}
	const { settings, located } = found;
	const warm = located.routes.every((route) => hub.pool.running(route));
	const budget = params.budget ?? (warm ? settings.warmMs : settings.coldMs);
	const work = deadline(lateMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"));
	const wait = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
	const ledger = hub.ledger(session);
	const stamp = await stampOf(located.path);
	const about = { call, path: located.path, display: located.display, stamp };
	const shown = (report: CheckReport) => withWithheld(withSeverity(report, settings.severity), located);
	let more = false;
	const later = (rest: Promise<CheckReport>) => {
		more = true;
		hub.late.expect(session, { ...about, rest: true }, rest.then(shown));
	};
	ledger.told(params.told ?? []);
	const checked = hub.checker
		.check(located, scope, { cwd, env, signal: work.signal, ledger, call, mayBeGone: true, later })
		.then(shown)
		.finally(() => work.end());
	try {
		return { report: await waitOrAbort(checked, wait.signal), pending: false, ...(more ? { more } : {}) };
	} catch (thrown) {
		if (!wait.signal.aborted) return { report: unproven(located.display, thrown), pending: false };
		hub.late.expect(session, { ...about, rest: false }, checked);
		return { report: unproven(located.display, thrown), pending: true };
	} finally {
		wait.end();
	}
}

const mostChanged = 20;
/** So late a command may be told of; who says that it began earlier has another clock. */
const mostLateMs = 60_000;

/** `command`: from now on changes may be those of a command. */
export function beginCommand(hub: Hub, { session, call, at }: CommandParams): void {
	const now = Date.now();
	const since = typeof at === "number" && at > now - mostLateMs ? Math.min(at, now) : now;
	hub.commands.set(JSON.stringify([session, call]), since);
}

/** `changed_by`: the files that a command has changed, deleted ones too, and that some server answers for. */
export async function changedBy(hub: Hub, params: CommandParams): Promise<ChangedByResult> {
	const { cwd, session, call } = params;
	const since = hub.commands.get(JSON.stringify([session, call]));
	if (since === undefined) return { files: [], more: 0 };
	const directory = await realDirectory(cwd);
	const changed = await hub.watches.changedSince(directory, since);
	const located = await Promise.all(
		changed.map((path) => hub.locate(path, params, { mayBeMissing: true }).catch(() => undefined)),
	);
	const files = located.flatMap((found) => found?.located.display ?? []).sort();
	return { files: files.slice(0, mostChanged), more: Math.max(files.length - mostChanged, 0) };
}

/** A report that names the servers which trust would let do more. */
export function withWithheld(report: CheckReport, { withheld = [] }: Located): CheckReport {
	return withheld.length > 0 ? { ...report, withheld } : report;
}

/** The report of a file about which nothing could be proven; rethrows what is the caller's mistake. */
export function unproven(path: string, thrown: unknown): CheckReport {
	const error = asLspError(thrown);
	const state = stateOf(error.code);
	if (!state) throw error;
	return {
		files: [{ path, role: "edited", state, reason: error.message, diagnostics: [] }],
		servers: [],
		omitted: { diagnostics: 0, files: 0 },
	};
}
