import type { CheckReport, Diagnostic, FileReport } from "../../contract/check-report.ts";
import { oneLine } from "../escape.ts";
import { counted } from "./severity-words.ts";

/** pi shows a person no errors of tool results. */
export function noticeText(report: CheckReport): string | undefined {
	const failing = report.files
		.map((file) => ({ file, caused: caused(file) }))
		.filter(({ caused: found }) => found.length > 0);
	const [first] = failing;
	if (!first) return undefined;
	const counts = failing.slice(0, 3).map(({ file, caused: found }) => {
		const fresh = found.filter((item) => item.new).length;
		return `${file.path}: ${counted(found)}${fresh > 0 ? ` (${fresh} new)` : ""}`;
	});
	const more = failing.length > 3 ? [`${failing.length - 3} more files`] : [];
	const [item] = first.caused;
	return [`LSP: ${[...counts, ...more].join(", ")}`, ...(item ? [`  ${where(first.file, item)}`] : [])].join("\n");
}

/** Once for each server; `notified` holds those so far. */
export function failureNotices({ files }: CheckReport, notified: Set<string>): string[] {
	return files.flatMap((file) => {
		const { role, state, error } = file;
		const { server, language = server } = error?.details ?? {};
		if (role !== "edited" || state !== "unavailable" || typeof server !== "string" || notified.has(server)) return [];
		notified.add(server);
		const why = reasonForPerson(file, "/lsp install").replace(/\.?$/, ".");
		return oneLine(`LSP: ${language} files are not checked: ${why}`);
	});
}

/** With the command that installs the server, for a person only. */
export function reasonForPerson(
	{ reason = "", error }: FileReport,
	install: "/lsp install" | "pi-lsp install",
): string {
	const { server, installable } = error?.details ?? {};
	return installable === true ? reason.replace("Install it: ", `Install it: ${install} ${server}, or `) : reason;
}

export interface Footer {
	readonly servers: readonly { readonly id: string; readonly version?: string | undefined }[];
	readonly errors: number;
	readonly unproven: number;
	readonly activity?: string | undefined;
	readonly unavailable?: boolean | undefined;
}

export function footerParts(footer: Footer): readonly { readonly text: string; readonly bad?: boolean }[] | undefined {
	if (footer.unavailable) return [{ text: "unavailable", bad: true }];
	if (footer.activity) return [{ text: footer.activity }];
	if (footer.servers.length === 0 && footer.unproven === 0) return undefined;
	const names = footer.servers.map(({ id, version }) => oneLine(version ? `${id} ${version}` : id)).join(", ");
	const unproven = footer.unproven === 1 ? "1 file not checked" : `${footer.unproven} files not checked`;
	return [
		...(names ? [{ text: names }] : []),
		...(footer.errors > 0 ? [{ text: errors(footer.errors), bad: true }] : []),
		...(footer.unproven > 0 ? [{ text: unproven }] : []),
		...(footer.errors === 0 && footer.unproven === 0 ? [{ text: "no errors" }] : []),
	];
}

function caused({ role, diagnostics }: FileReport): readonly Diagnostic[] {
	return diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
}

function where({ path }: FileReport, { line, column, message }: Diagnostic): string {
	return `${path}:${line}:${column} ${oneLine(message)}`;
}

function errors(count: number): string {
	return `${count} ${count === 1 ? "error" : "errors"}`;
}
