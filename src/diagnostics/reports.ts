import { type CheckReport, type Diagnostic, type FileReport, type ServerReport, worst } from "../findings.ts";
import { displayPath, type Located } from "../workspace/locate.ts";
import { mergeDiagnostics } from "./convert.ts";
import type { OtherFinding, Others } from "./others.ts";

/** What is known of one server's view of one file and of the files that depend on it. */
export interface Finding extends Others {
	readonly server: ServerReport;
	readonly reason?: string;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
	/** The second look; given only where it is not waited for. */
	readonly rest?: Promise<Others>;
}

/** What all servers of a file say of it, as one: the worst of their states, each error once. */
export function ownReport(located: Located, findings: readonly Finding[]): FileReport {
	const reasons = findings.flatMap(({ reason }) => reason ?? []);
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

/** What came behind an answer: the second looks, and the findings of servers that had yet to start. */
export async function laterReport(
	located: Located,
	rests: readonly Promise<Others>[],
	late: readonly Promise<Finding>[],
	cwd: string,
): Promise<CheckReport> {
	const [looks, ends] = await Promise.all([Promise.allSettled(rests), Promise.allSettled(late)]);
	// What one of them lost, the next edit's answer says; it takes nothing from the others.
	const lost = [...looks, ...ends].flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
	if (lost.length > 0 && lost.length === looks.length + ends.length) throw lost[0];
	const findings = ends.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
	const own = findings
		.filter(({ server }) => server.state === "fresh")
		.map(({ diagnostics }) => ({ path: located.display, role: "edited", state: "fresh", diagnostics }) as const);
	const others = [...looks.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])), ...findings];
	return reportOf(
		own,
		others,
		findings.map(({ server }) => server),
		cwd,
	);
}

/** Two looks at the same surroundings as one. */
export function together(a: Others, b: Others): Others {
	return {
		others: [...a.others, ...b.others],
		missed: [...a.missed, ...b.missed],
		changes: [...a.changes, ...b.changes],
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
	return {
		files: [...own, ...mergeOthers(others, cwd)].map((file) => withPlacesFrom(cwd, file)),
		servers,
		omitted: { diagnostics: 0, files: missed.size },
		...(changes.length ? { changes } : {}),
	};
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
	const byPath = new Map<string, OtherFinding[]>();
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
