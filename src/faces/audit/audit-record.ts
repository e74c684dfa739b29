import { resolve } from "node:path";
import type { AuditRecord, EditSummary } from "../../contract/audit-record.ts";
import type { CheckReport } from "../../contract/check-report.ts";
import { asLspError } from "../../contract/errors.ts";
import type { Written } from "../../contract/planned.ts";
import { operations } from "../../operations/index.ts";
import { isUri } from "../../util/positions.ts";
import { withoutSecrets } from "./without-secrets.ts";

const longestPreview = 80;
const longestError = 500;

export interface EndedCall {
	readonly tool: string;
	readonly cwd: string;
	/** Milliseconds since 1970. */
	readonly begunAt: number;
	readonly ms: number;
	readonly args: unknown;
	readonly asked: readonly Asked[];
	readonly failure: unknown;
	readonly preview: boolean;
	readonly secrets: readonly string[];
}

export interface Asked {
	readonly operation: string;
	readonly input: unknown;
	readonly output?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export function auditRecord(call: EndedCall): AuditRecord {
	const { tool, begunAt, ms, args, asked, failure, secrets } = call;
	const check = asked.map(({ output }) => (output as Fields | undefined)?.check).find(Boolean) as
		| CheckReport
		| undefined;
	const totals = asked.map(({ output }) => (output as Fields | undefined)?.totals).find(Boolean) as Written["totals"];
	const session = [args, ...asked.map(({ output }) => output)].map((each) => textOf(each, "session_id")).find(Boolean);
	const error = failure === undefined ? undefined : asLspError(failure);
	return {
		timestamp: new Date(begunAt).toISOString(),
		tool,
		session_id: session ?? null,
		files: filesOf(call),
		edit_summary: summaryOf(call),
		...(check ? diagnosticsOf(check, totals) : { diagnostics_before: null, diagnostics_after: null, net_delta: null }),
		success: failure === undefined,
		error_message: error ? withoutSecrets(`${error.code}: ${error.message}`, longestError, secrets) : null,
		duration_ms: Math.round(ms),
	};
}

const pathFields = ["file", "files", "from", "to", "file_path", "path", "uri", "paths"];

function filesOf({ args, asked, cwd }: EndedCall): string[] {
	const given = asked.length > 0 ? asked.map(({ input }) => input) : [args];
	const named = given.flatMap((each) => pathFields.map((name) => (each as Fields | undefined)?.[name]));
	const written = asked.map(({ output }) => (output as Fields | undefined)?.written);
	const paths = [...named, ...written].flat().filter((path) => typeof path === "string" && path !== "") as string[];
	return [...new Set(paths.map((path) => (isUri(path) ? path : resolve(cwd, path))))];
}

function summaryOf({ asked, cwd, preview, secrets }: EndedCall): EditSummary | null {
	const call = asked.find(({ operation }) => isWriting(operation));
	if (!call) return null;
	const { operation: mode, input, output } = call;
	const [file, newName] = [textOf(input, "file") ?? textOf(input, "from"), textOf(input, "new_name")];
	const oldText = textOf(input, "old_text");
	const newText = textOf(input, "new_text") ?? textOf(input, "code");
	const { written = [], diff = "" } = (output ?? {}) as {
		readonly written?: readonly string[];
		readonly diff?: string;
	};
	const undo = textOf(output, "undo");
	const shown = (text: string) => withoutSecrets(text, longestPreview, secrets);
	const moved = textOf(input, "to");
	return {
		mode,
		...(file === undefined ? {} : { file: resolve(cwd, file) }),
		...(newName === undefined
			? {}
			: { rename: { from: textOf(output, "old_name") ?? textOf(input, "symbol") ?? null, to: newName } }),
		...(moved === undefined ? {} : { rename: { from: file ?? null, to: moved } }),
		...(oldText === undefined ? {} : { old_size: oldText.length }),
		...(newText === undefined ? {} : { new_size: newText.length }),
		files_written: written.length,
		lines_added: linesThatBegin(diff, "+"),
		lines_removed: linesThatBegin(diff, "-"),
		...(undo === undefined ? {} : { undo }),
		...(preview && oldText !== undefined ? { old_text: shown(oldText) } : {}),
		...(preview && newText !== undefined ? { new_text: shown(newText) } : {}),
	};
}

function isWriting(name: string): boolean {
	return operations.some((operation) => operation.name === name && operation.effect === "write");
}

function linesThatBegin(diff: string, sign: "+" | "-"): number {
	const header = sign.repeat(3);
	return diff.split("\n").filter((line) => line.startsWith(sign) && !line.startsWith(`${header} `)).length;
}

function diagnosticsOf(
	{ files }: CheckReport,
	totals: Written["totals"],
): Pick<AuditRecord, "diagnostics_before" | "diagnostics_after" | "net_delta"> {
	const proven = files.filter(({ state }) => state === "fresh");
	const errors = proven.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === "error"));
	const warnings = totals?.warnings ?? null;
	const isKnown = files.every(({ state }) => state === "fresh" || state === "unsupported");
	const before = (isKnown ? totals?.warnings_before : undefined) ?? null;
	const counts = { warning_count: before, files_checked: proven.length };
	const after = { error_count: errors.length, warning_count: warnings, files_checked: proven.length };
	if (errors.some((error) => error.new === undefined) || proven.length === 0)
		return { diagnostics_before: null, diagnostics_after: after, net_delta: null };
	const fixed = proven.reduce((sum, file) => sum + (file.fixed ?? 0), 0);
	const delta = errors.filter((error) => error.new).length - fixed;
	return {
		diagnostics_before: { error_count: after.error_count - delta, ...counts },
		diagnostics_after: after,
		net_delta: { errors: delta, warnings: warnings === null || before === null ? null : warnings - before },
	};
}

function textOf(value: unknown, name: string): string | undefined {
	const field = typeof value === "object" && value !== null ? (value as Fields)[name] : undefined;
	return typeof field === "string" ? field : undefined;
}
