import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	limitSize,
	type ServerReport,
	type State,
	worseState,
} from "../contract/check-report.ts";
import { type ErrorValue, type LspError, reasonOf } from "../contract/errors.ts";
import { withComplaint } from "../lsp/complaint.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { displayPath, type Located, type Route } from "../routing/locate.ts";
import { doubtAbout } from "./file-state.ts";
import { mergeDiagnostics } from "./merge-diagnostics.ts";
import type { AffectedFindings, OtherFile } from "./other-findings.ts";
import { type Proof, strategyOf } from "./sources/prove.ts";

export interface ServerFinding {
	readonly server: ServerReport;
	readonly reason?: string;
	readonly error?: ErrorValue;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

/** Of one server, timed from its construction. */
export class ServerFindings {
	readonly #route: Route;
	readonly #begunAt = performance.now();

	constructor(route: Route) {
		this.#route = route;
	}

	report(state: State, server?: LanguageServer): ServerReport {
		const { config, root } = this.#route;
		return {
			id: config.id,
			...(server?.version ? { version: server.version } : {}),
			root,
			strategy: server ? strategyOf(server) : (config.strategy ?? "push"),
			state,
			ms: Math.round((performance.now() - this.#begunAt) * 10) / 10,
		};
	}

	unsupported(): ServerFinding | undefined {
		const { id, diagnoses = true } = this.#route.config;
		if (diagnoses) return undefined;
		return { server: this.report("unsupported"), reason: `${id} reports no diagnostics.`, diagnostics: [] };
	}

	/** Not `fresh` if the server may have left something out (`doubtAbout`). */
	proven(
		server: LanguageServer,
		{ path, text, diagnostics }: Pick<Proof, "path" | "text" | "diagnostics">,
	): ServerFinding {
		const doubt = doubtAbout(this.#route, { server, path, text });
		const reason = doubt ? { reason: doubt.reason } : {};
		return { server: this.report(doubt?.state ?? "fresh", server), ...reason, diagnostics };
	}

	failed(error: LspError, state: State, server: LanguageServer | undefined): ServerFinding {
		const reason = withComplaint(reasonOf(error), server?.complaint.text);
		return { server: this.report(state, server), reason, error: error.toJSON(), diagnostics: [] };
	}
}

/** The worst state counts; the error only if no server has proven the file. */
export function ownReport(located: Located, findings: readonly ServerFinding[]): FileReport {
	const reasons = [...new Set(findings.flatMap(({ reason }) => reason ?? []))];
	const fixed = findings.flatMap((finding) => finding.fixed ?? []);
	const state = findings.map(({ server }) => server.state).reduce(worseState);
	const isUnproven = findings.every((finding) => finding.error);
	const error = isUnproven ? findings.find((finding) => finding.server.state === state)?.error : undefined;
	return {
		path: located.display,
		role: "edited",
		state,
		...(error ? { error } : {}),
		...(reasons.length ? { reason: reasons.join(" ") } : {}),
		diagnostics: mergeDiagnostics(findings.map(({ diagnostics }) => diagnostics)),
		...(fixed.length ? { fixed: fixed.reduce((a, b) => a + b) } : {}),
	};
}

export function reportOf(
	own: readonly FileReport[],
	affected: readonly AffectedFindings[],
	servers: readonly ServerReport[],
	cwd: string,
): CheckReport {
	const changes = affected.flatMap(({ changes }) => changes);
	const found = new Set(affected.flatMap(({ files }) => files.map(({ path }) => path)));
	const isUnsearched = affected.some(({ unsearched }) => unsearched);
	const missed = new Set(affected.flatMap(({ missed }) => missed.filter((path) => !found.has(path))));
	return limitSize({
		files: [...own, ...mergeByPath(affected, cwd)].map((file) => withRelatedPaths(file, cwd)),
		servers,
		omitted: { diagnostics: 0, files: missed.size, ...(isUnsearched ? { unsearched: true } : {}) },
		...(changes.length ? { changes } : {}),
	});
}

function withRelatedPaths(file: FileReport, cwd: string): FileReport {
	if (!file.diagnostics.some(({ related, declared }) => related || declared)) return file;
	const diagnostics = file.diagnostics.map(({ related, declared, ...item }) => ({
		...item,
		...(declared ? { declared: { ...declared, path: displayPath(declared.path, cwd) } } : {}),
		...(related ? { related: related.map((place) => ({ ...place, path: displayPath(place.path, cwd) })) } : {}),
	}));
	return { ...file, diagnostics };
}

function mergeByPath(affected: readonly AffectedFindings[], cwd: string): FileReport[] {
	const byPath = new Map<string, OtherFile[]>();
	for (const file of affected.flatMap(({ files }) => files))
		byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
	return [...byPath]
		.map(([path, others]): FileReport => {
			const fixed = others.reduce((sum, other) => sum + (other.fixed ?? 0), 0);
			return {
				path: displayPath(path, cwd),
				role: "affected",
				state: others.map(({ state }) => state).reduce(worseState),
				diagnostics: mergeDiagnostics(others.map(({ diagnostics }) => diagnostics)),
				...(fixed > 0 ? { fixed } : {}),
			};
		})
		.sort((a, b) => (a.path < b.path ? -1 : 1));
}
