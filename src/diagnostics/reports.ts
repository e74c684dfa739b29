import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	limitSize,
	type ServerReport,
	type SignatureChange,
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
	const reasons = new Set<string>();
	const diagnostics: (readonly Diagnostic[])[] = [];
	let fixed: number | undefined;
	for (const finding of findings) {
		if (finding.reason !== undefined) reasons.add(finding.reason);
		diagnostics.push(finding.diagnostics);
		if (finding.fixed !== undefined) fixed = (fixed ?? 0) + finding.fixed;
	}
	const state = findings.map(({ server }) => server.state).reduce(worseState);
	const isUnproven = findings.every(({ error }) => error);
	const error = isUnproven ? findings.find(({ server }) => server.state === state)?.error : undefined;
	return {
		path: located.display,
		role: "edited",
		state,
		...(error ? { error } : {}),
		...(reasons.size > 0 ? { reason: [...reasons].join(" ") } : {}),
		diagnostics: mergeDiagnostics(diagnostics),
		...(fixed === undefined ? {} : { fixed }),
	};
}

export function reportOf(
	own: readonly FileReport[],
	affected: readonly AffectedFindings[],
	servers: readonly ServerReport[],
	cwd: string,
): CheckReport {
	const changes: SignatureChange[] = [];
	const found = new Map<string, OtherFile[]>();
	const missed = new Set<string>();
	let isUnsearched = false;
	for (const findings of affected) {
		changes.push(...findings.changes);
		for (const file of findings.files) found.set(file.path, [...(found.get(file.path) ?? []), file]);
		for (const path of findings.missed) missed.add(path);
		isUnsearched ||= findings.unsearched === true;
	}
	for (const path of found.keys()) missed.delete(path);
	const others = [...found].map(([path, files]) => otherReport(displayPath(path, cwd), files));
	others.sort((a, b) => (a.path < b.path ? -1 : 1));
	return limitSize({
		files: [...own, ...others].map((file) => withRelatedPaths(file, cwd)),
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

function otherReport(path: string, found: readonly OtherFile[]): FileReport {
	const fixed = found.reduce((sum, other) => sum + (other.fixed ?? 0), 0);
	return {
		path,
		role: "affected",
		state: found.map(({ state }) => state).reduce(worseState),
		diagnostics: mergeDiagnostics(found.map(({ diagnostics }) => diagnostics)),
		...(fixed > 0 ? { fixed } : {}),
	};
}
