import type { Settings } from "../../config/read-settings.ts";
import {
	type CheckReport,
	type FileReport,
	limitSize,
	mergeReports,
	type PassedOver,
	type Severity,
} from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { EditSession } from "../../diagnostics/edit-session.ts";
import { UnopenedFiles } from "../../diagnostics/known-states.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { isData, languageOf, matchesName } from "../../project/file-match.ts";
import { textAt } from "../../project/git.ts";
import { count } from "../../render/count.ts";
import type { Located } from "../../routing/locate.ts";
import type { LocatedFor } from "../../routing/route-cache.ts";
import { deadline } from "../../util/abort.ts";
import { readText } from "../../util/read-file.ts";
import { Semaphore } from "../../util/semaphore.ts";
import { TimeSlices } from "../../util/time-slices.ts";
import { overBudgetError, unprovenReport, withWithheld } from "../check-edit.ts";
import { compareWithBase } from "../comparing/compare-base.ts";
import type { OperationCall } from "../operation-context.ts";
import { PassedFiles, type SelectedFiles } from "./select-files.ts";

export interface CheckOptions {
	readonly scope: "file" | "affected";
	readonly timeout?: number | undefined;
	/** Of baselines, instead of HEAD or the conversation's beginning. */
	readonly base?: string | undefined;
	/** Errors are compared with all files' texts of this revision. */
	readonly since?: string | undefined;
	readonly severity: Severity;
}

const maxCheckMs = 3_600_000;
/** One patch's files go together: TypeScript 7 begins the next after an answer. */
const filesAtOnce = 32;
const maxOpened = 16;
const locatedAtOnce = 32;

class Lane {
	readonly room = new Semaphore(filesAtOnce);
	/** By performance.now(). */
	provenAt = 0;
	isStuck = false;
}

class Lanes {
	readonly unopened: UnopenedFiles | undefined;
	readonly locating = new Semaphore(locatedAtOnce);
	readonly slices = new TimeSlices();
	readonly #lanes = new Map<string, Lane>();

	constructor(files: number, { scope, base }: CheckOptions) {
		// Opening files one by one makes servers begin anew for each.
		const isPlain = scope === "file" && base === undefined;
		this.unopened = isPlain && files > maxOpened ? new UnopenedFiles() : undefined;
	}

	of({ routes }: Located): Lane {
		const key = routes.map(entryKey).join(" ");
		const lane = this.#lanes.get(key) ?? new Lane();
		this.#lanes.set(key, lane);
		return lane;
	}
}

/** Leaves out files without a server, unless nothing else was named. */
export async function checkSelected(
	call: OperationCall,
	{ files, passed, isNamed }: SelectedFiles,
	options: CheckOptions,
): Promise<CheckReport> {
	const settings = await call.settings();
	const report = await checkFiles(call, files, options);
	const passable = new Set(report.files.filter((file) => canBePassed(file, settings)));
	if (isNamed && report.files.length === passable.size) {
		if (passable.size > 0) return { ...report, ...(passed.length > 0 ? { passedOver: passed } : {}) };
		throw nothingChecked(passed);
	}
	if (passable.size === 0) return passed.length > 0 ? { ...report, passedOver: passed } : report;
	const left = new PassedFiles(passed);
	for (const { path, reason = "not checked" } of passable) left.add(reason.replace(/\.$/, ""), path);
	return { ...report, files: report.files.filter((file) => !passable.has(file)), passedOver: left.all() };
}

function nothingChecked(passed: readonly PassedOver[]): LspError {
	if (passed.length === 0)
		return new LspError("LSP_UNSUPPORTED_FILE", "There are no files to check here.", {
			suggestion: "Name a directory or files; what git ignores is left out of a directory.",
		});
	const counts = passed.map(({ reason, files }) => `${count(files, "file", "files")} (${reason})`);
	return new LspError("LSP_UNSUPPORTED_FILE", `No file was checked. Passed over: ${counts.join(", ")}.`);
}

function canBePassed({ path, role, state, diagnostics }: FileReport, { servers }: Settings): boolean {
	if (role !== "edited" || diagnostics.length > 0) return false;
	if (state === "unsupported" || state === "binary") return true;
	if (state === "fresh" || state === "timed_out") return false;
	return servers.some((config) => matchesName(config, path) && isData(languageOf(config, path)));
}

export async function checkFiles(
	call: OperationCall,
	files: readonly string[],
	options: CheckOptions,
): Promise<CheckReport> {
	const running = { directory: (await call.context()).cwd, files: files.length, done: 0 };
	call.service.checks.add(running);
	const limit = deadline(maxCheckMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"), call.signal);
	let isDone = false;
	try {
		const own = { ...call, signal: limit.signal };
		const places = new Map<string, Located>();
		const lanes = new Lanes(files.length, options);
		const prove = () =>
			Promise.all(
				files.map(async (file) => {
					const report = await checkFile(own, file, options, { places, lanes });
					running.done++;
					return report;
				}),
			);
		const merged = mergeReports(await (lanes.unopened ? call.service.checksOfMany.run(prove) : prove()));
		const report = options.base === undefined ? await compareWithBase(own, merged, places, options) : merged;
		isDone = true;
		return limitSize(report);
	} finally {
		call.service.checks.delete(running);
		if (isDone) limit.end();
		else limit.abort();
	}
}

interface Running {
	readonly places: Map<string, Located>;
	readonly lanes: Lanes;
}

async function checkFile(
	call: OperationCall,
	file: string,
	options: CheckOptions,
	{ places, lanes }: Running,
): Promise<CheckReport> {
	const { service, params, signal } = call;
	try {
		const found = await lanes.locating.run(signal, async () => {
			if (lanes.slices.isOver) await lanes.slices.next();
			return service.locate(file, params);
		});
		places.set(found.located.display, found.located);
		const lane = lanes.of(found.located);
		return await lane.room.run(signal, () => checkLocated(call, found, options, { lane, unopened: lanes.unopened }));
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		return unprovenReport(file, thrown);
	}
}

async function checkLocated(
	{ service, params, env, signal }: OperationCall,
	{ located, settings }: LocatedFor,
	{ scope, timeout, base, severity }: CheckOptions,
	{ lane, unopened }: { readonly lane: Lane; readonly unopened: UnopenedFiles | undefined },
): Promise<CheckReport> {
	const isWarm = located.routes.every((route) => service.pool.isWarm(route));
	const budget = timeout ?? (isWarm ? settings.warmMs : settings.coldMs);
	if (lane.isStuck) throw overBudgetError(service, located, budget);
	const begunAt = performance.now();
	const limit = deadline(budget, () => overBudgetError(service, located, budget), signal);
	const session = new EditSession();
	try {
		// `check` finds the baseline by the tool call.
		const hints = severity === "hint";
		const locate = async (path: string) => (await service.locate(path, params)).located;
		const { directory: cwd, declarations } = settings;
		const plain = { cwd, env, signal: limit.signal, session, call: base, hints, locate, declarations };
		const context = unopened ? { ...plain, unopened } : plain;
		if (base !== undefined) {
			const { path, workspace } = located;
			const maxBytes = settings.maxFileBytes;
			const [before, now] = await Promise.all([
				textAt(base, path, { workspace, env: await env(), signal: limit.signal, maxBytes }),
				readText(path, { maxBytes, within: workspace }),
			]);
			void service.checker.baseline(located, before, now, context);
		}
		const report = await service.checker.check(located, scope, context);
		if (report.files.some(({ role, state }) => role === "edited" && state === "timed_out"))
			lane.isStuck ||= lane.provenAt < begunAt;
		else lane.provenAt = performance.now();
		return withWithheld(report, located);
	} finally {
		session.close();
		limit.end();
	}
}
