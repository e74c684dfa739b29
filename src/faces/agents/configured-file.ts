import { lstatSync } from "node:fs";
import { LspError } from "../../contract/errors.ts";
import { realPathOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import { maxSourceBytes, readHead, refusalWords } from "../../util/read-file.ts";
import { skillsFolder } from "../skills/skill.ts";
import { type Format, Mistake, type Past } from "./format.ts";
import type { Entry } from "./host.ts";
import { jsonFormat } from "./json-entries.ts";
import type { LedgerFile } from "./ledger.ts";
import { tomlFormat } from "./toml-block.ts";

export function byFile(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
	const files = new Map<string, Entry[]>();
	for (const entry of entries) files.set(entry.file, [...(files.get(entry.file) ?? []), entry]);
	return files;
}

export function pastOf(owned: LedgerFile | undefined): Past {
	const before = owned && owned.before !== null ? splitMark(owned.before).body : undefined;
	return { before, after: owned && splitMark(owned.after).body };
}

export function formatOf([first]: readonly Entry[]): Format {
	return first?.kind === "block" ? tomlFormat : jsonFormat;
}

export interface FileText {
	readonly text: string;
	readonly mark: string;
	readonly body: string;
}

export function splitMark(text: string): FileText {
	const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
	return { text, mark, body: text.slice(mark.length) };
}

export async function isOwnSkill(path: string, [first]: readonly Entry[]): Promise<boolean> {
	if (first?.kind !== "whole" || !first.isSkill) return false;
	const [real, folder] = await Promise.all([realPathOf(path), realPathOf(skillsFolder())]);
	return real !== undefined && folder !== undefined && isInside(real, folder);
}

export async function textOf(path: string): Promise<FileText | undefined> {
	const bytes = await readHead(path, maxSourceBytes + 1);
	if (bytes === "missing") {
		if (lstatSync(path, { throwIfNoEntry: false })) throw refused(path, "is a link that leads nowhere");
		return undefined;
	}
	if (typeof bytes === "string") throw refused(path, refusalWords[bytes]);
	const text = bytes.toString("utf8");
	if (!Buffer.from(text).equals(bytes)) throw refused(path, "is no UTF-8");
	return splitMark(text);
}

export async function inFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Mistake)) throw error;
		const place = [path, error.line, ...(error.column === undefined ? [] : [error.column])].join(":");
		throw new LspError("LSP_CONFIG_INVALID", `${place}: ${error.message}.`, { path, line: error.line });
	}
}

export function refused(path: string, why: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", `${path} ${why}.`, { file_path: path });
}
