/** How much a diagnostic matters, worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

/**
 * What is known about a file's diagnostics (design.md section 4). Only `fresh` was proven for the content on disk,
 * and only `fresh` without items may be called clean.
 */
export const states = ["fresh", "timed_out", "unavailable", "untrusted", "unsupported", "too_large", "binary"] as const;
export type State = (typeof states)[number];

/** One finding. Lines and columns are 1-based, columns count UTF-16 units, the end is exclusive. */
export interface Diagnostic {
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
	readonly severity: Severity;
	readonly code?: string;
	readonly source?: string;
	readonly message: string;
	/** Whether this edit caused it; absent where no baseline was proven. */
	readonly new?: boolean;
	/** True for an error that an earlier edit of the same session caused and that is still there. */
	readonly earlier?: boolean;
	/** What the server would do about it, in one short line: `add import from "./area.ts"`. */
	readonly suggestion?: string;
	/** True if it follows from what the file's `environment` says: mending the text does not help. */
	readonly environmental?: boolean;
}

/** An exported declaration whose signature the edit changed. */
export interface SignatureChange {
	/** Dotted path of the symbol in its file. */
	readonly name: string;
	/** The signature as the server shows it, in one line. */
	readonly before: string;
	readonly after: string;
	/** References to it in other files, the files that they are in, and how many of those references are errors now. */
	readonly callers: number;
	readonly files: number;
	readonly failing: number;
}

export interface FileReport {
	/** Relative to the caller's working directory. */
	readonly path: string;
	readonly role: "edited" | "affected";
	readonly state: State;
	/** Why the state is not `fresh`. */
	readonly reason?: string;
	readonly diagnostics: readonly Diagnostic[];
	/** How many errors were there before the edit and are gone now; absent where no baseline was proven. */
	readonly fixed?: number;
	/**
	 * The one cause of most of its errors, where that lies outside of its text (nothing is installed, the file is in no
	 * project), with what to do about it; one sentence.
	 */
	readonly environment?: string;
}

export interface ServerReport {
	readonly id: string;
	readonly version?: string;
	readonly root: string;
	readonly strategy: string;
	readonly state: State;
	/** Milliseconds from the question to the answer, waiting for the server's start included. */
	readonly ms: number;
}

/** The answer to a check; what `pi-lsp check --json` prints (design.md section 5). */
export interface CheckReport {
	readonly files: readonly FileReport[];
	readonly servers: readonly ServerReport[];
	readonly omitted: { readonly diagnostics: number; readonly files: number };
	readonly changes?: readonly SignatureChange[];
	/** Ids of servers that would do more if the person trusted the repository; what they would find is not here. */
	readonly withheld?: readonly string[];
}

/** The worse of two states: what is less proven wins. */
export function worst(a: State, b: State): State {
	return states.indexOf(a) >= states.indexOf(b) ? a : b;
}

/** True if `severity` matters at least as much as `threshold`. */
export function atLeast(severity: Severity, threshold: Severity): boolean {
	return severities.indexOf(severity) <= severities.indexOf(threshold);
}

/** Orders by place, as a reader goes through a file. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
	return a.line - b.line || a.column - b.column || a.message.localeCompare(b.message);
}

/** A report with only the diagnostics that matter at least as much as `threshold`. */
export function withSeverity(report: CheckReport, threshold: Severity): CheckReport {
	return {
		...report,
		files: report.files.map((file) => ({
			...file,
			diagnostics: file.diagnostics.filter(({ severity }) => atLeast(severity, threshold)),
		})),
	};
}

/**
 * One report of several edited files: a file that was edited itself is not told once more as one that was affected, and
 * of a server's answers the one that is not proven counts, or else the slowest.
 */
export function mergeReports(reports: readonly CheckReport[]): CheckReport {
	const files = reports.flatMap((report) => report.files);
	const edited = files.filter(({ role }) => role === "edited");
	const seen = new Set(edited.map(({ path }) => path));
	const affected = files.filter(({ role, path }) => role === "affected" && !seen.has(path) && seen.add(path));
	const servers = new Map<string, ServerReport>();
	for (const server of reports.flatMap((report) => report.servers)) {
		const key = JSON.stringify([server.id, server.root]);
		const known = servers.get(key);
		if (!known || known.state === "fresh" || known.ms < server.ms) servers.set(key, server);
	}
	const changes = reports.flatMap((report) => report.changes ?? []);
	const withheld = [...new Set(reports.flatMap((report) => report.withheld ?? []))];
	return {
		files: [...edited, ...affected],
		servers: [...servers.values()],
		...(changes.length ? { changes } : {}),
		...(withheld.length ? { withheld } : {}),
		omitted: {
			diagnostics: reports.reduce((sum, { omitted }) => sum + omitted.diagnostics, 0),
			files: reports.reduce((sum, { omitted }) => sum + omitted.files, 0),
		},
	};
}
