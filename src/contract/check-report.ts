/** How much a diagnostic matters, worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

/**
 * What is known about a file's diagnostics. Only `fresh` was proven for the content on disk,
 * and only `fresh` without items may be called clean.
 */
const states = ["fresh", "timed_out", "unavailable", "untrusted", "unsupported", "too_large", "binary"] as const;
export type State = (typeof states)[number];

/** A place that a finding refers to: where the other declaration is, what was defined otherwise. */
export interface RelatedPlace {
	/** Absolute, or relative to the caller's working directory once it is in a report. */
	readonly path: string;
	readonly line: number;
	readonly message: string;
}

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
	readonly related?: readonly RelatedPlace[];
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

/** The answer to a check; what `pi-lsp check --json` prints. */
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

/** How many findings of each severity a report holds. */
export function countsOf({ files }: CheckReport): Record<"errors" | "warnings" | "info" | "hints", number> {
	const counts = { errors: 0, warnings: 0, info: 0, hints: 0 };
	const names = { error: "errors", warning: "warnings", info: "info", hint: "hints" } as const;
	for (const { severity } of files.flatMap(({ diagnostics }) => diagnostics)) counts[names[severity]]++;
	return counts;
}

/** A report with at most `limit` findings; what is left out is counted. */
export function limited(report: CheckReport, limit: number): CheckReport {
	let left = limit;
	let cut = 0;
	const files = report.files.flatMap((file) => {
		const diagnostics = file.diagnostics.slice(0, left);
		left -= diagnostics.length;
		cut += file.diagnostics.length - diagnostics.length;
		// A file of which nothing is told any more must not read like a clean one.
		return diagnostics.length === 0 && file.diagnostics.length > 0 ? [] : [{ ...file, diagnostics }];
	});
	if (cut === 0) return report;
	return { ...report, files, omitted: { ...report.omitted, diagnostics: report.omitted.diagnostics + cut } };
}

/** So many bytes a report's JSON may have: the daemon's socket takes 16 MB. */
const maxBytes = 9 * 1024 * 1024;
/** What one UTF-16 unit has in JSON at most: a control character is `\u0001`. */
const bytesOfUnit = 6;
/** So much of one message is kept. */
const longestMessage = 4000;
/** What a finding has at most beside its texts, in bytes. */
const bytesOfPlace = 200;

/**
 * A report that is not too large to be told. Where there is too much, each file keeps as many as fit for all, its worst
 * findings first: one file's hundred thousand do not hide the one of another. What is left out is counted.
 */
export function fitting(report: CheckReport): CheckReport {
	const weigh = (files: readonly FileReport[]) =>
		files.reduce((sum, { diagnostics }) => sum + diagnostics.reduce((all, item) => all + bytesOf(item), 0), 0);
	if (weigh(report.files) <= maxBytes) return report;
	const files = report.files.map((file) => ({ ...file, diagnostics: file.diagnostics.map(shortened) }));
	let most = Math.max(...files.map(({ diagnostics }) => diagnostics.length));
	let kept: FileReport[] = files;
	while (most > 1 && weigh(kept) > maxBytes) {
		most = Math.ceil(most / 2);
		kept = files.map((file) => ({ ...file, diagnostics: worstOf(file.diagnostics, most) }));
	}
	const countOf = (all: readonly FileReport[]) => all.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);
	const cut = countOf(files) - countOf(kept);
	return { ...report, files: kept, omitted: { ...report.omitted, diagnostics: report.omitted.diagnostics + cut } };
}

/** At most so many bytes of JSON. */
function bytesOf({ message, code = "", source = "", related = [] }: Diagnostic): number {
	const texts = [message, code, source, ...related.flatMap((place) => [place.message, place.path])];
	const units = texts.reduce((sum, text) => sum + text.length, 0);
	return bytesOfPlace * (1 + related.length) + bytesOfUnit * units;
}

function shortened({ related, ...item }: Diagnostic): Diagnostic {
	const cut = (text: string) => (text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);
	return {
		...item,
		message: cut(item.message),
		...(item.code === undefined ? {} : { code: cut(item.code) }),
		...(item.source === undefined ? {} : { source: cut(item.source) }),
		...(related ? { related: related.map((place) => ({ ...place, message: cut(place.message) })) } : {}),
	};
}

function worstOf(diagnostics: readonly Diagnostic[], most: number): readonly Diagnostic[] {
	if (diagnostics.length <= most) return diagnostics;
	const rank = ({ severity }: Diagnostic) => severities.indexOf(severity);
	return [...diagnostics]
		.sort((a, b) => rank(a) - rank(b))
		.slice(0, most)
		.sort(byPlace);
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
