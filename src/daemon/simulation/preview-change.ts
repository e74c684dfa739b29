import { createHash } from "node:crypto";
import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	limitSize,
	mergeReports,
	withSeverity,
} from "../../contract/check-report.ts";
import { asLspError, LspError, reasonOf } from "../../contract/errors.ts";
import { withEnvironment } from "../../diagnostics/environment/environment-fault.ts";
import { stateOfError } from "../../diagnostics/file-state.ts";
import { bytesOf } from "../../diagnostics/preview.ts";
import { ownReport, reportOf } from "../../diagnostics/reports.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { displayPath, type Located, type Route } from "../../routing/locate.ts";
import { isOptional } from "../../routing/select-servers.ts";
import { deadline } from "../../util/abort.ts";
import type { Change } from "../../writer/change.ts";
import { unprovenReport, withWithheld } from "../check-edit.ts";
import type { OperationCall } from "../operation-context.ts";
import { textOf } from "../writing/affected-by-change.ts";
import { unknownUntilWritten } from "./gone-files.ts";
import { type Found, type Group, judgesOf, previewAt, type UnknownFile } from "./preview-at-server.ts";

export interface PreviewOptions {
	/** Milliseconds. */
	readonly timeout?: number | undefined;
	readonly editedOnly?: boolean | undefined;
}

type MendedError = Pick<Diagnostic, "line" | "column" | "severity" | "code" | "source" | "message"> & {
	readonly path: string;
};

export interface Preview {
	readonly report: CheckReport;
	readonly mended: readonly MendedError[];
	/** SHA-256 of the judged files' bytes, by displayed path. */
	readonly judged: Readonly<Record<string, string>>;
}

/** Of the budget, the part for proofs of other files: the answer must come in time. */
const shareOfOthers = 0.9;

const maxMended = 100;

/** Rejects for mistakes of the caller. */
export async function previewChange(
	call: OperationCall,
	change: Change,
	{ timeout, editedOnly = false }: PreviewOptions = {},
): Promise<Preview> {
	const { service, params, signal } = call;
	const settings = await call.settings();
	const cwd = settings.directory;
	// 1. Find the servers.
	const groups = new Map<string, Group>();
	const edited: Located[] = [];
	const moved = change.moves.map(({ from }) => from);
	const gone: Located[] = [];
	const unjudged: CheckReport[] = [];
	const groupFor = (route: Route, workspace: string) => {
		const key = entryKey(route);
		const group = groups.get(key) ?? { route, workspace, files: [], gone: new Set<string>(), users: undefined };
		groups.set(key, group);
		return group;
	};
	for (const { path, after } of change.files) {
		const located = await service.locate(path, params, { mayBeMissing: true }).catch((thrown: unknown) => {
			unjudged.push(unprovenReport(displayPath(path, cwd), thrown));
		});
		if (!located) continue;
		const text = textOf(after);
		const { located: file } = located;
		if (text === undefined) gone.push(file);
		else edited.push(file);
		for (const route of judgesOf(file)) {
			if (text === undefined && isOptional(route.config)) continue;
			const group = groupFor(route, file.workspace);
			if (text === undefined) group.gone.add(path);
			else group.files.push({ located: file, text });
		}
	}
	// 2. Prove before and after.
	const isWarm = [...groups.values()].every(({ route }) => service.pool.isWarm(route));
	const budget = timeout ?? (isWarm ? settings.warmMs : settings.coldMs);
	const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
	const found = new Map<string, Found>();
	const unknown: CheckReport[] = [];
	const until = performance.now() + budget * shareOfOthers;
	const { declarations } = settings;
	const proveAt = async (some: readonly (readonly [string, Group])[]) => {
		const proving = some.map(async ([key, group]) => {
			const options = { editedOnly, until, declarations, signal: limit.signal };
			found.set(key, await previewAt(call, change, group, options));
		});
		await Promise.all(proving);
	};
	const unasked: string[] = [];
	const named: UnknownFile[] = [];
	try {
		await proveAt([...groups]);
		// Users that other servers judge: components that import a script, YAML and TOML that a schema judges.
		const asked = new Set([...found.values()].flatMap((each) => each.asked));
		const known = new Set(groups.keys());
		for (const path of new Set([...found.values()].flatMap((each) => each.affected))) {
			if (asked.has(path)) continue;
			const located = await service.locate(path, params).catch((thrown: unknown) => {
				const error = asLspError(thrown);
				const state = stateOfError(error.code) ?? "unavailable";
				if (state === "unsupported") unasked.push(path);
				else named.push({ path, state, reason: reasonOf(error) });
			});
			if (!located) continue;
			const routes = judgesOf(located.located).filter(({ config }) => !isOptional(config));
			const further = routes.filter((route) => !known.has(entryKey(route)));
			if (further.length === 0) unasked.push(path);
			for (const route of further) {
				const group = groupFor(route, located.located.workspace);
				group.users = [...(group.users ?? []), path];
			}
		}
		await proveAt([...groups].filter(([key]) => !known.has(key)));
		const hidden = new Set([...found.values()].flatMap((each) => each.hidden));
		const left = [...moved, ...gone.map(({ path }) => path).filter((path) => !hidden.has(path))];
		unknown.push(...(await Promise.all(left.map((path) => unknownUntilWritten(call, change, path, limit.signal)))));
		for (const { display } of gone.filter(({ path }) => hidden.has(path)))
			unknown.push(reportOf([{ path: display, role: "edited", state: "fresh", diagnostics: [] }], [], [], cwd));
	} finally {
		limit.end();
	}
	if (signal.aborted) throw asLspError(signal.reason);
	// 3. Make the report.
	const reports = edited.map(async (located) => {
		const findings = judgesOf(located).flatMap((route) => found.get(entryKey(route))?.edited.get(located.path) ?? []);
		const servers = findings.map(({ server }) => server);
		const own = ownReport(located, findings);
		const explained = await withEnvironment(own, located, (route) => service.pool.running(route), signal);
		return withWithheld(reportOf([explained], [], servers, cwd), located);
	});
	const proofs = [...found.values()].flatMap((each) => each.proofs);
	const proven = new Set(proofs.map(({ proof }) => proof.path));
	const others = [...found.values()].map(({ others: files, asked, unknown: unjudged }) => ({
		files: files
			.filter(({ fixed, diagnostics }) => fixed.length > 0 || diagnostics.some((item) => item.new !== false))
			.map((file) => ({ ...file, fixed: file.fixed.length, revision: 0 })),
		missed: asked.filter((path) => !proven.has(path) && !unjudged.some((each) => each.path === path)),
		changes: [],
	}));
	const left = { files: [], missed: unasked, changes: [] };
	for (const each of found.values()) named.push(...each.unknown);
	const unproven = named.map(({ path, ...file }): FileReport => {
		return { path: displayPath(path, cwd), role: "affected", ...file, diagnostics: [] };
	});
	const merged = mergeReports([
		...(await Promise.all(reports)),
		...unjudged,
		...unknown,
		reportOf([], [...others, left], [], cwd),
		reportOf(unproven, [], [], cwd),
	]);
	const mended = proofs.flatMap(({ proof: { path }, fixed }) =>
		fixed.map(({ line, column, severity, code, source, message }) => ({
			...{ path: displayPath(path, cwd), line, column, severity, message },
			...(code === undefined ? {} : { code }),
			...(source === undefined ? {} : { source }),
		})),
	);
	const report = limitSize(withSeverity(merged, settings.severity));
	const written = new Map(change.files.map(({ path, after }) => [path, after]));
	const judged = proofs.map(async ({ proof }) => {
		const bytes = written.get(proof.path) ?? (await bytesOf(proof));
		return [displayPath(proof.path, cwd), createHash("sha256").update(bytes).digest("hex")] as const;
	});
	return { report, mended: mended.slice(0, maxMended), judged: Object.fromEntries(await Promise.all(judged)) };
}
