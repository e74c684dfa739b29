import { Type } from "@sinclair/typebox";
import { t, type ValueOf } from "./schema.ts";

/** Worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

/** Best proven first. Only a `fresh` file without diagnostics is clean. */
const states = ["fresh", "timed_out", "unavailable", "untrusted", "unsupported", "too_large", "binary"] as const;
export type State = (typeof states)[number];

/** 1-based, columns in UTF-16 units, the end exclusive. */
const DiagnosticSchema = t.object({
	line: t.integer(),
	column: t.integer(),
	endLine: t.integer(),
	endColumn: t.integer(),
	severity: t.oneOf(severities, "How much it matters"),
	code: t.optional.text(),
	source: t.optional.text(),
	message: t.text(),
	/** Absolute until the location is in a report. */
	related: t.optional.objects("Places that it refers to", { path: t.text(), line: t.integer(), message: t.text() }),
	/** Caused by this edit. Absent without a baseline; counts as new in affected files. */
	new: t.optional.flag(),
	/** Caused by an earlier edit of the session. */
	earlier: t.optional.flag(),
	suggestion: t.optional.text("What the server would do about it"),
	symbol: t.optional.text("The innermost declaration around it, as Class.method"),
	fix: t.optional.object("The fix that the server prefers; `fix` takes its name", { name: t.text(), title: t.text() }),
	declared: t.optional.object("How the function or the type that it is about is declared, and where", {
		text: t.text(),
		path: t.text(),
		line: t.integer(),
	}),
	environmental: t.optional.flag("It follows from what the file's `environment` says"),
});

const SignatureChangeSchema = t.object({
	name: t.text(),
	before: t.text(),
	after: t.text(),
	callers: t.integer("References in other files"),
	files: t.integer("The files that they are in"),
	failing: t.integer("Those that are errors now"),
});

const FileSchema = t.object({
	/** Relative to the caller's directory. */
	path: t.text(),
	role: t.oneOf(["edited", "affected"], "Asked for, or depending on one that was"),
	state: t.oneOf(states, "What is proven"),
	reason: t.optional.text(),
	error: t.optional.object("The error that kept it from being proven", {
		code: t.text(),
		message: t.text(),
		details: Type.Record(t.text(), Type.Unknown()),
	}),
	diagnostics: t.list(DiagnosticSchema),
	unchanged: t.optional.flag("Its text is that of the state it is compared with"),
	/** Absent without a baseline. */
	fixed: t.optional.integer("Errors that were there before and are gone"),
	environment: t.optional.text("The one cause of most of its errors that lies outside of its text"),
});

const ServerSchema = t.object({
	id: t.text(),
	version: t.optional.text(),
	root: t.text(),
	strategy: t.text(),
	state: t.oneOf(states, "What is proven"),
	/** Includes the server's start. */
	ms: t.number(),
});

const PassedOverSchema = t.object({ reason: t.text(), files: t.integer(), paths: t.texts("The first of them") });

export const CheckReportSchema = t.object({
	files: t.list(FileSchema),
	servers: t.list(ServerSchema),
	omitted: t.object({
		diagnostics: t.integer(),
		files: t.integer(),
		unsearched: t.optional.flag("True if not all files that may see the edit were looked for"),
	}),
	passedOver: t.optional.list(PassedOverSchema, "Files that were left out, which counts for nothing, by reason"),
	changes: t.optional.list(SignatureChangeSchema, "Exported declarations whose signature changed"),
	withheld: t.optional.texts("Servers that would do more if the repository were trusted; see `pi-lsp trust`"),
});

export type Diagnostic = ValueOf<typeof DiagnosticSchema>;
export type RelatedLocation = NonNullable<Diagnostic["related"]>[number];
export type SignatureChange = ValueOf<typeof SignatureChangeSchema>;
export type FileReport = ValueOf<typeof FileSchema>;
export type ServerReport = ValueOf<typeof ServerSchema>;
export type PassedOver = ValueOf<typeof PassedOverSchema>;
export type CheckReport = ValueOf<typeof CheckReportSchema>;

export function namesAllFiles({ omitted }: CheckReport): boolean {
	return omitted.files === 0 && omitted.unsearched !== true;
}

export function worseState(a: State, b: State): State {
	return states.indexOf(a) >= states.indexOf(b) ? a : b;
}

export function atLeast(severity: Severity, threshold: Severity): boolean {
	return severities.indexOf(severity) <= severities.indexOf(threshold);
}

export function byPosition(a: Diagnostic, b: Diagnostic): number {
	return a.line - b.line || a.column - b.column || a.message.localeCompare(b.message);
}

export function withSeverity(report: CheckReport, threshold: Severity): CheckReport {
	return {
		...report,
		files: report.files.map((file) => ({
			...file,
			diagnostics: file.diagnostics.filter(({ severity }) => atLeast(severity, threshold)),
		})),
	};
}

export function countBySeverity({ files }: CheckReport): Record<"errors" | "warnings" | "info" | "hints", number> {
	const counts = { errors: 0, warnings: 0, info: 0, hints: 0 };
	const names = { error: "errors", warning: "warnings", info: "info", hint: "hints" } as const;
	for (const { severity } of files.flatMap(({ diagnostics }) => diagnostics)) counts[names[severity]]++;
	return counts;
}

export function limitDiagnostics(report: CheckReport, limit: number): CheckReport {
	const all = report.files.flatMap((file) => file.diagnostics);
	const weight = ({ severity }: Diagnostic) => severities.indexOf(severity);
	const kept = new Set(all.toSorted((one, other) => weight(one) - weight(other)).slice(0, limit));
	let cut = 0;
	const files = report.files.flatMap((file) => {
		const diagnostics = file.diagnostics.filter((diagnostic) => kept.has(diagnostic));
		cut += file.diagnostics.length - diagnostics.length;
		return diagnostics.length === 0 && file.diagnostics.length > 0 ? [] : [{ ...file, diagnostics }];
	});
	if (cut === 0) return report;
	return { ...report, files, omitted: { ...report.omitted, diagnostics: report.omitted.diagnostics + cut } };
}

/** The daemon's socket takes 16 MB. */
const maxBytes = 9 * 1024 * 1024;
const maxBytesOfUnit = 6;
const maxMessageLength = 4000;
const maxBytesOfFields = 200;

/** None hides the others: files keep equally many diagnostics. */
export function limitSize(report: CheckReport): CheckReport {
	if (weightOf(report.files) <= maxBytes) return report;
	const files = report.files.map((file) => ({ ...file, diagnostics: file.diagnostics.map(shortened) }));
	let most = Math.max(...files.map(({ diagnostics }) => diagnostics.length));
	let kept: FileReport[] = files;
	while (most > 1 && weightOf(kept) > maxBytes) {
		most = Math.ceil(most / 2);
		kept = files.map((file) => ({ ...file, diagnostics: worstOf(file.diagnostics, most) }));
	}
	const countOf = (all: readonly FileReport[]) => all.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);
	const cut = countOf(files) - countOf(kept);
	return { ...report, files: kept, omitted: { ...report.omitted, diagnostics: report.omitted.diagnostics + cut } };
}

function weightOf(files: readonly FileReport[]): number {
	let bytes = 0;
	for (const { diagnostics } of files) for (const item of diagnostics) bytes += bytesOf(item);
	return bytes;
}

function bytesOf({ message, code = "", source = "", related = [] }: Diagnostic): number {
	const texts = [message, code, source, ...related.flatMap(({ message: text, path }) => [text, path])];
	const units = texts.reduce((sum, text) => sum + text.length, 0);
	return maxBytesOfFields * (1 + related.length) + maxBytesOfUnit * units;
}

function shortened({ related, ...item }: Diagnostic): Diagnostic {
	const cut = (text: string) => (text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text);
	return {
		...item,
		message: cut(item.message),
		...(item.code === undefined ? {} : { code: cut(item.code) }),
		...(item.source === undefined ? {} : { source: cut(item.source) }),
		...(related ? { related: related.map((location) => ({ ...location, message: cut(location.message) })) } : {}),
	};
}

function worstOf(diagnostics: readonly Diagnostic[], most: number): readonly Diagnostic[] {
	if (diagnostics.length <= most) return diagnostics;
	const rank = ({ severity }: Diagnostic) => severities.indexOf(severity);
	return [...diagnostics]
		.sort((a, b) => rank(a) - rank(b))
		.slice(0, most)
		.sort(byPosition);
}

/**
 * A file edited in one report is not affected in others. Of a server's entries the first that is not fresh counts, else
 * the slowest.
 */
export function mergeReports(reports: readonly CheckReport[]): CheckReport {
	const [only] = reports;
	if (only && reports.length === 1) return only;
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
			...(reports.some(({ omitted }) => omitted.unsearched) ? { unsearched: true } : {}),
		},
	};
}
