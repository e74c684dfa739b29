import { type CheckReport, limitSize, mergeReports } from "../contract/check-report.ts";
import type { ChangedByResult, CheckCommandParams, CheckCommandResult, CommandParams } from "../contract/protocol.ts";
import { matchesName } from "../project/file-match.ts";
import type { LocatedFor } from "../routing/route-cache.ts";
import { TimeSlices } from "../util/time-slices.ts";
import { checkEdit, proveBaselineFor } from "./check-edit.ts";
import type { CallSource } from "./serve.ts";
import { realDirectory, type Service } from "./service.ts";
import { beginCommand } from "./sessions.ts";

/** More are checked in the background. */
const fewChanged = 5;
const maxChanged = 2000;
const commandMs = 1_000;
/** An earlier beginning is by another clock. */
const maxAgeMs = 60_000;

export function commandBegins(service: Service, { session, call, at }: CommandParams): void {
	const now = Date.now();
	const since = typeof at === "number" && at > now - maxAgeMs ? Math.min(at, now) : now;
	let end = () => {};
	const over = new Promise<void>((resolve) => {
		end = resolve;
		setTimeout(resolve, commandMs).unref();
	});
	beginCommand(service.session(session), call, { since, end });
	void service.pool.pauseBackground(over);
	// It may end before a new server registers what it watches.
	for (const server of service.pool.servers()) service.watches.fresh(server).catch(() => {});
}

export async function changedBy(service: Service, params: CommandParams): Promise<ChangedByResult> {
	const found = await locateAll(service, params, await pathsChangedBy(service, params));
	const files = found.map(({ located }) => located.display).sort();
	const maxNamed = 20;
	return { files: files.slice(0, maxNamed), more: Math.max(files.length - maxNamed, 0) };
}

async function pathsChangedBy(service: Service, { cwd, session, call }: CommandParams): Promise<string[]> {
	const command = service.session(session).commands.get(call);
	if (!command) return [];
	const changed = await service.watches.changedSince(await realDirectory(cwd), command.since);
	command.end();
	if (changed.length <= fewChanged) return changed;
	const configs = service.pool.servers().map(({ config }) => config);
	return changed.filter((path) => configs.some((config) => matchesName(config, path))).slice(-maxChanged);
}

async function locateAll(service: Service, params: CommandParams, paths: readonly string[]): Promise<LocatedFor[]> {
	const found = paths.map((path) => service.locate(path, params, { mayBeMissing: true }).catch(() => undefined));
	return (await Promise.all(found)).filter((each) => each !== undefined);
}

export async function checkCommand(
	service: Service,
	params: CheckCommandParams,
	source: CallSource,
): Promise<CheckCommandResult> {
	const { late } = service.session(params.session);
	late.confirm(params.confirmed);
	const nothing: CheckReport = { files: [], servers: [], omitted: { diagnostics: 0, files: 0 } };
	const paths = await pathsChangedBy(service, params);
	if (paths.length > fewChanged) {
		late.follow(checkMany(service, params, paths, source));
		return { report: nothing, changed: paths.length, more: true };
	}
	const byPath = new Map((await locateAll(service, params, paths)).map((found) => [found.located.path, found]));
	const texts = new Map<string, string | null>();
	for (const { file, text } of params.known)
		for (const found of await locateAll(service, params, [file])) {
			byPath.set(found.located.path, found);
			texts.set(found.located.path, text);
		}
	if (byPath.size === 0) return { report: nothing, changed: 0, more: late.isOpen };
	const checks = [...byPath.values()].map(({ located }) => {
		const file = located.display;
		const text = texts.get(located.path);
		if (text !== undefined) void proveBaselineFor(service, { ...params, file, text }, source.env);
		return checkEdit(service, { ...params, file, scope: "affected", confirmed: [] }, source);
	});
	const reports = await Promise.all(checks);
	const report = limitSize(mergeReports(reports.map((each) => each.report)));
	return { report, changed: byPath.size, more: late.isOpen };
}

async function checkMany(
	service: Service,
	params: CheckCommandParams,
	paths: readonly string[],
	{ env, signal }: CallSource,
): Promise<void> {
	const { cwd, call } = params;
	const { edits, late, commands } = service.session(params.session);
	const since = commands.get(call)?.since ?? Date.now();
	const slices = new TimeSlices();
	const files: LocatedFor[] = [];
	for (let at = 0; at < paths.length; at += fewChanged) {
		await slices.next();
		await service.pool.whenFree();
		files.push(...(await locateAll(service, params, paths.slice(at, at + fewChanged))));
	}
	const severity = files[0]?.settings.severity ?? "error";
	late.cause = { call, changed: files.length, cwd, severity };
	edits.severity = severity;
	const located = files.map((each) => each.located);
	const locate = async (path: string) => (await service.locate(path, params)).located;
	await service.checker.changedByCommand(located, since, { cwd, env, signal, session: edits, call, locate });
}
