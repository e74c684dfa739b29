import type { AuditRecord } from "../../contract/audit-record.ts";
import { oneLine } from "../escape.ts";

const shownFiles = 2;

export function auditLine(line: string): string {
	let record: Partial<AuditRecord>;
	try {
		record = { ...(JSON.parse(line) as object) };
	} catch {
		return oneLine(line);
	}
	const {
		timestamp,
		tool,
		success,
		duration_ms: ms,
		net_delta: delta,
		error_message: error,
		edit_summary: edit,
	} = record;
	if (typeof tool !== "string") return oneLine(line);
	const files = Array.isArray(record.files) ? record.files : [];
	const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : "";
	const parts = [
		`${timestamp} ${tool} ${success ? "ok" : "failed"} ${ms} ms`,
		...(files.length > 0 ? [files.slice(0, shownFiles).join(", ") + more] : []),
		...(edit ? [`${edit.mode}: ${edit.files_written} written, +${edit.lines_added} -${edit.lines_removed}`] : []),
		...(delta ? [`errors ${delta.errors >= 0 ? "+" : ""}${delta.errors}`] : []),
		...(error ? [error] : []),
	];
	return oneLine(parts.join(" · "));
}
