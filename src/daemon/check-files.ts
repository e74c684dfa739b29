import { type CheckReport, limitSize, mergeReports, type Severity } from "../contract/check-report.ts";
import { LspError } from "../contract/errors.ts";
import { EditSession } from "../diagnostics/edit-session.ts";
import { textAt } from "../project/git.ts";
import type { Located } from "../routing/locate.ts";
import { deadline } from "../util/abort.ts";
import { readText } from "../util/read-file.ts";
import { lateError, unprovenReport, withWithheld } from "./check-edit.ts";
import { compareWithBase } from "./comparing/compare-base.ts";
import type { OperationCall } from "./operation-context.ts";

export interface CheckOptions {
	readonly scope: "file" | "affected";
	/** Milliseconds; by default the budget of the settings. */
	readonly timeout?: number | undefined;
	/** A git revision with the baselines, instead of HEAD or the beginning of the conversation. */
	readonly base?: string | undefined;
	/** The least that is to be told. */
	readonly severity: Severity;
}

const maxCheckMs = 3_600_000;

/** Proves files concurrently. Rejects for mistakes of the caller, which ends all checks. */
export async function checkFiles(
	call: OperationCall,
	files: readonly string[],
	options: CheckOptions,
): Promise<CheckReport> {
	const limit = deadline(maxCheckMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"), call.signal);
	let isDone = false;
	try {
		const own = { ...call, signal: limit.signal };
		const places = new Map<string, Located>();
		const checks = files.map((file) => checkFile(own, file, options, places));
		const merged = mergeReports(await Promise.all(checks));
		const report = options.base === undefined ? await compareWithBase(own, merged, places) : merged;
		isDone = true;
		return limitSize(report);
	} finally {
		if (isDone) limit.end();
		else limit.abort();
	}
}

async function checkFile(
	{ service, params, env, signal }: OperationCall,
	file: string,
	{ scope, timeout, base, severity }: CheckOptions,
	places: Map<string, Located>,
): Promise<CheckReport> {
	try {
		const { located, settings } = await service.locate(file, params);
		places.set(located.display, located);
		const isWarm = located.routes.every((route) => service.pool.running(route));
		const budget = timeout ?? (isWarm ? settings.warmMs : settings.coldMs);
		const limit = deadline(budget, () => lateError(service, located, budget), signal);
		const session = new EditSession();
		try {
			// The session has no tool call; the git revision takes its place, so that `check` finds the baseline from `base`.
			const hints = severity === "hint";
			const locate = async (path: string) => (await service.locate(path, params)).located;
			const context = { cwd: settings.directory, env, signal: limit.signal, session, call: base, hints, locate };
			if (base !== undefined) {
				const { path, workspace } = located;
				const maxBytes = settings.maxFileBytes;
				const [before, now] = await Promise.all([
					textAt(base, path, { workspace, env: await env(), signal: limit.signal, maxBytes }),
					readText(path, { maxBytes, within: workspace }),
				]);
				void service.checker.baseline(located, before, now, context);
			}
			return withWithheld(await service.checker.check(located, scope, context), located);
		} finally {
			session.close();
			limit.end();
		}
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		return unprovenReport(file, thrown);
	}
}
