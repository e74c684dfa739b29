import { createHash } from "node:crypto";
import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	limitSize,
	mergeReports,
	type State,
	withSeverity,
} from "../../contract/check-report.ts";
import { asLspError, LspError, reasonOf } from "../../contract/errors.ts";
import { withEnvironment } from "../../diagnostics/environment/environment-fault.ts";
import { doubtAbout, stateOfError } from "../../diagnostics/file-state.ts";
import { bytesOf, type PreviewedFile, preview } from "../../diagnostics/preview.ts";
import { ownReport, reporter, reportOf, type ServerFinding } from "../../diagnostics/reports.ts";
import { readsDisk } from "../../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { matchesName } from "../../project/file-match.ts";
import { displayPath, type Located, type Route } from "../../routing/locate.ts";
import { deadline } from "../../util/abort.ts";
import type { Change } from "../../writer/change.ts";
import { unprovenReport, withWithheld } from "../check-edit.ts";
import type { OperationCall } from "../operation-context.ts";
import { affectedByChange, textOf } from "./affected-by-change.ts";

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

/** Files named as users of one that is gone. */
const maxUsers = 40;
/** Of the budget, the part for proofs of other files: the answer must come in time. */
const shareOfOthers = 0.9;

const maxMended = 100;

interface Group {
	readonly route: Route;
	readonly workspace: string;
	readonly files: { readonly located: Located; readonly text: string }[];
}

interface Found {
	readonly edited: ReadonlyMap<string, ServerFinding>;
	readonly others: readonly (PreviewedFile & { readonly path: string; readonly state: State })[];
	readonly missed: readonly string[];
	readonly proofs: readonly PreviewedFile[];
}

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
	const gone = change.moves.map(({ from }) => from);
	const unjudged: CheckReport[] = [];
	for (const { path, after } of change.files) {
		const located = await service.locate(path, params, { mayBeMissing: true }).catch((thrown: unknown) => {
			unjudged.push(unprovenReport(displayPath(path, cwd), thrown));
		});
		if (!located) continue;
		const text = textOf(after);
		if (text === undefined) gone.push(path);
		else {
			edited.push(located.located);
			for (const route of judgesOf(located.located)) {
				const key = entryKey(route);
				const group = groups.get(key) ?? { route, workspace: located.located.workspace, files: [] };
				groups.set(key, group);
				group.files.push({ located: located.located, text });
			}
		}
	}
	// 2. Prove before and after.
	const isWarm = [...groups.values()].every(({ route }) => service.pool.isWarm(route));
	const budget = timeout ?? (isWarm ? settings.warmMs : settings.coldMs);
	const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
	const found = new Map<string, Found>();
	const unknown: CheckReport[] = [];
	const until = performance.now() + budget * shareOfOthers;
	try {
		await Promise.all(
			[...groups].map(async ([key, group]) =>
				found.set(key, await previewAt(call, change, { ...group, editedOnly, until }, limit.signal)),
			),
		);
		unknown.push(...(await Promise.all(gone.map((path) => unknownUntilWritten(call, change, path, limit.signal)))));
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
	const others = [...found.values()].map(({ others: files, missed }) => ({
		files: files
			.filter(({ fixed, diagnostics }) => fixed.length > 0 || diagnostics.some((item) => item.new !== false))
			.map((file) => ({ ...file, fixed: file.fixed.length, revision: 0 })),
		missed: missed.filter((path) => !proven.has(path)),
		changes: [],
	}));
	const merged = mergeReports([
		...(await Promise.all(reports)),
		...unjudged,
		...unknown,
		reportOf([], others, [], cwd),
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

function judgesOf({ routes }: Located): readonly Route[] {
	const judges = routes.filter(({ config }) => config.diagnoses !== false);
	return judges.length > 0 ? judges : routes;
}

async function previewAt(
	call: OperationCall,
	change: Change,
	{ route, workspace, files, editedOnly, until }: Group & { readonly editedOnly: boolean; readonly until: number },
	signal: AbortSignal,
): Promise<Found> {
	const { service, env } = call;
	const report = reporter(route);
	const forAll = (finding: ServerFinding): Found => ({
		edited: new Map(files.map(({ located }) => [located.path, finding])),
		others: [],
		missed: [],
		proofs: [],
	});
	const { id, diagnoses = true } = route.config;
	if (!diagnoses)
		return forAll({ server: report("unsupported"), reason: `${id} reports no diagnostics.`, diagnostics: [] });
	const judge = async (server: LanguageServer): Promise<Found> => {
		if (readsDisk(server))
			return forAll({
				server: report("unavailable", server),
				reason: `${id} checks what is on disk, so it knows only when the edit is written`,
				diagnostics: [],
			});
		const search = { roots: [server.root], signal };
		// If the signal ends the search, it ends the proofs as well.
		const affected = editedOnly ? [] : (await affectedByChange(service, change, search)).paths;
		const others = affected.filter((path) => matchesName(server.config, path));
		const texts = new Map(files.map(({ located, text }) => [located.path, text]));
		const proven = await preview(server, texts, { paths: others, until }, signal);
		const edited = files.map(({ located: { path }, text }): [string, ServerFinding] => {
			const own = proven.get(path);
			const doubt = doubtAbout(route, { server, path, text });
			if (!own)
				return [path, { server: report("unavailable", server), reason: `${id} gave no proof`, diagnostics: [] }];
			const reason = doubt ? { reason: doubt.reason } : {};
			const { diagnostics, fixed } = own;
			return [path, { server: report(doubt?.state ?? "fresh", server), ...reason, diagnostics, fixed: fixed.length }];
		});
		const state: State = doubtAbout(route)?.state ?? "fresh";
		const seen = others.flatMap((path) => {
			const own = proven.get(path);
			return own ? [{ ...own, path, state }] : [];
		});
		const missed = affected.filter((path) => !proven.has(path));
		return { edited: new Map(edited), others: seen, missed, proofs: [...proven.values()] };
	};
	try {
		return await service.pool.use(route, { workspace, env, signal }, judge);
	} catch (thrown) {
		const error = asLspError(thrown);
		const state = stateOfError(error.code);
		if (!state) throw error;
		const server = report(state, service.pool.running(route));
		return forAll({ server, reason: reasonOf(error), error: error.toJSON(), diagnostics: [] });
	}
}

async function unknownUntilWritten(
	call: OperationCall,
	change: Change,
	path: string,
	signal: AbortSignal,
): Promise<CheckReport> {
	const { service, params } = call;
	const { directory: cwd } = await call.settings();
	const own = {
		...({ path: displayPath(path, cwd), role: "edited", state: "unavailable", diagnostics: [] } as const),
		reason: "what a deleted or moved file breaks is known only when that is written",
	};
	try {
		const { located } = await service.locate(path, params, { mayBeMissing: true });
		const files = change.files.filter((file) => file.path === path);
		const [roots, left] = [located.routes.map(({ root }) => root), files.length > 0 ? [] : [path]];
		const { paths: users, isAll } = await affectedByChange(service, { ...change, files }, { roots, left, signal });
		const others = users.filter((user) => !change.files.some((file) => file.path === user));
		const reason = `it sees ${own.path}, which would be gone`;
		const named = others
			.slice(0, maxUsers)
			.map((user): FileReport => ({ ...own, path: displayPath(user, cwd), role: "affected", reason }));
		const omitted = { diagnostics: 0, files: others.length - named.length, ...(isAll ? {} : { unsearched: true }) };
		return { files: [own, ...named], servers: [], omitted };
	} catch (thrown) {
		const reason = `${own.reason}, and who sees it could not be found out: ${asLspError(thrown).message}`;
		return { files: [{ ...own, reason }], servers: [], omitted: { diagnostics: 0, files: 0 } };
	}
}
