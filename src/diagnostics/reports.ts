import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	fitting,
	type ServerReport,
	worst,
} from "../contract/check-report.ts";
import { displayPath, type Located } from "../routing/locate.ts";
import type { OtherFile, Others } from "./other-findings.ts";
import { mergeDiagnostics } from "./sources/convert.ts";

/** What one server says of an edited file. */
export interface Finding {
	readonly server: ServerReport;
	readonly reason?: string;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

/** What all servers of a file say of it, as one: the worst of their states, each error once. */
export function ownReport(located: Located, findings: readonly Finding[]): FileReport {
	const reasons = [...new Set(findings.flatMap(({ reason }) => reason ?? []))];
	const fixed = findings.flatMap((finding) => finding.fixed ?? []);
	return {
		path: located.display,
		role: "edited",
		state: findings.map(({ server }) => server.state).reduce(worst),
		...(reasons.length ? { reason: reasons.join(" ") } : {}),
		diagnostics: mergeDiagnostics(findings.map(({ diagnostics }) => diagnostics)),
		...(fixed.length ? { fixed: fixed.reduce((a, b) => a + b) } : {}),
	};
}

/** The report of a check: the files that were asked about, and what was found of others. */
export function reportOf(
	own: readonly FileReport[],
	others: readonly Others[],
	servers: readonly ServerReport[],
	cwd: string,
): CheckReport {
	const changes = others.flatMap((each) => each.changes);
	// What one look did not reach another one may have.
	const found = new Set(others.flatMap((each) => each.others.map(({ path }) => path)));
	const missed = new Set(others.flatMap((each) => each.missed.filter((path) => !found.has(path))));
	return fitting({
		files: [...own, ...mergeOthers(others, cwd)].map((file) => withPlacesFrom(cwd, file)),
		servers,
		omitted: { diagnostics: 0, files: missed.size },
		...(changes.length ? { changes } : {}),
	});
}

/** The places that its findings refer to, as a caller in `cwd` reads them. */
function withPlacesFrom(cwd: string, file: FileReport): FileReport {
	if (!file.diagnostics.some(({ related }) => related)) return file;
	const diagnostics = file.diagnostics.map(({ related, ...item }) => ({
		...item,
		...(related ? { related: related.map((place) => ({ ...place, path: displayPath(place.path, cwd) })) } : {}),
	}));
	return { ...file, diagnostics };
}

function mergeOthers(findings: readonly Others[], cwd: string): FileReport[] {
	const byPath = new Map<string, OtherFile[]>();
	for (const other of findings.flatMap(({ others }) => others))
		byPath.set(other.path, [...(byPath.get(other.path) ?? []), other]);
	return [...byPath]
		.map(([path, others]): FileReport => {
			const fixed = others.reduce((sum, other) => sum + (other.fixed ?? 0), 0);
			return {
				path: displayPath(path, cwd),
				role: "affected",
				state: others.map(({ state }) => state).reduce(worst),
				diagnostics: mergeDiagnostics(others.map(({ diagnostics }) => diagnostics)),
				...(fixed > 0 ? { fixed } : {}),
			};
		})
		.sort((a, b) => (a.path < b.path ? -1 : 1));
}
