import type { State } from "../../contract/check-report.ts";
import { asLspError } from "../../contract/errors.ts";
import { doubtAbout, stateOfError } from "../../diagnostics/file-state.ts";
import { mayBeShown } from "../../diagnostics/overlay/show-texts.ts";
import { type PreviewedFile, preview } from "../../diagnostics/preview.ts";
import { type ServerFinding, ServerFindings } from "../../diagnostics/reports.ts";
import { readsDisk } from "../../diagnostics/sources/prove.ts";
import { isScript } from "../../impact/index/imports.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { matchesName } from "../../project/file-match.ts";
import type { Located, Route } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { affectedByChange, textOf } from "../writing/affected-by-change.ts";

export interface Group {
	readonly route: Route;
	readonly workspace: string;
	readonly files: { readonly located: Located; readonly text: string }[];
	readonly gone: Set<string>;
	users: readonly string[] | undefined;
}

/** Unknown until the edit is written. */
export interface UnknownFile {
	readonly path: string;
	readonly state: State;
	readonly reason: string;
}

export interface Found {
	readonly edited: ReadonlyMap<string, ServerFinding>;
	readonly affected: readonly string[];
	readonly asked: readonly string[];
	readonly others: readonly (PreviewedFile & { readonly path: string; readonly state: State })[];
	readonly unknown: readonly UnknownFile[];
	readonly hidden: readonly string[];
	readonly proofs: readonly PreviewedFile[];
}

interface Options {
	readonly editedOnly: boolean;
	/** By performance.now(). */
	readonly until: number;
	readonly declarations: boolean;
	readonly signal: AbortSignal;
}

export function judgesOf({ routes }: Located): readonly Route[] {
	const judges = routes.filter(({ config }) => config.diagnoses !== false);
	return judges.length > 0 ? judges : routes;
}

export async function previewAt(
	call: OperationCall,
	change: Change,
	{ route, workspace, files, gone, users }: Group,
	{ editedOnly, until, declarations, signal }: Options,
): Promise<Found> {
	const { service, env, params } = call;
	const findings = new ServerFindings(route);
	const notFor = (others: readonly string[], { server, reason = "" }: ServerFinding): UnknownFile[] =>
		others.map((path) => ({ path, state: server.state, reason }));
	const forAll = (finding: ServerFinding): Found => ({
		edited: new Map(files.map(({ located }) => [located.path, finding])),
		...{ affected: [], asked: users ?? [], others: [], proofs: [], hidden: [] },
		unknown: notFor(users ?? [], finding),
	});
	const unsupported = findings.unsupported();
	if (unsupported) return forAll(unsupported);
	const { id } = route.config;
	const unwritten = (server: LanguageServer) => ({
		server: findings.report("unavailable", server),
		reason: `${id} checks what is on disk, so it knows only when the edit is written`,
		diagnostics: [],
	});
	const isSeenElsewhere = users !== undefined && change.files.some(({ after }) => !after);
	const judge = async (server: LanguageServer): Promise<Found> => {
		if (readsDisk(server) || isSeenElsewhere) return forAll(unwritten(server));
		const locate = async (path: string) => (await service.locate(path, params)).located;
		const search = { roots: [server.root], locate, signal };
		// A search that the signal ends must end the proofs too.
		const affected = users ?? (editedOnly ? [] : (await affectedByChange(service, change, search)).paths);
		const { judgesScripts = false } = server.config;
		const isJudged = (path: string) => matchesName(server.config, path) || (judgesScripts && isScript(path));
		const others = affected.filter(isJudged);
		const texts = new Map(files.map(({ located, text }) => [located.path, text]));
		if (users)
			for (const { path, after } of change.files)
				if (after && mayBeShown(server, path)) texts.set(path, textOf(after) ?? "");
		const edited = files.map(({ located }) => located.path);
		const previewing = { texts, gone, edited, others, until, workspace, declarations };
		const { files: proven, unknown, hides } = await preview(server, previewing, signal);
		const findingOf = (path: string, text: string): ServerFinding => {
			const own = proven.get(path);
			if (unknown.has(path)) return { ...unwritten(server), diagnostics: own?.diagnostics ?? [] };
			if (!own)
				return { server: findings.report("unavailable", server), reason: `${id} gave no proof`, diagnostics: [] };
			const { diagnostics, fixed } = own;
			return { ...findings.proven(server, { path, text, diagnostics }), fixed: fixed.length };
		};
		const state: State = doubtAbout(route)?.state ?? "fresh";
		const seen = others.flatMap((path) => {
			const own = proven.get(path);
			return own ? [{ ...own, path, state }] : [];
		});
		return {
			edited: new Map(files.map(({ located: { path }, text }) => [path, findingOf(path, text)])),
			...{ affected, asked: others, others: seen, proofs: [...proven.values()] },
			unknown: notFor(
				others.filter((path) => unknown.has(path)),
				unwritten(server),
			),
			hidden: hides ? [...gone] : [],
		};
	};
	try {
		return await service.pool.use(route, { workspace, env, signal }, judge);
	} catch (thrown) {
		const error = asLspError(thrown);
		const state = stateOfError(error.code);
		if (!state) throw error;
		return forAll(findings.failed(error, state, service.pool.running(route)));
	}
}
