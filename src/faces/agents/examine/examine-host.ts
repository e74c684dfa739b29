import { dirname } from "node:path";
import { asLspError } from "../../../contract/errors.ts";
import { findProgram } from "../../../process/find-program.ts";
import type { CommandView, HostView, PartView } from "../../../render/status/hosts.ts";
import { statOf } from "../../../util/files.ts";
import { byFile, formatOf, inFile, isOwnSkill, pastOf, textOf } from "../configured-file.ts";
import type { AgentHost, Entry, Setting } from "../host.ts";
import { jsonFormat } from "../json-entries.ts";
import type { LedgerFile } from "../ledger.ts";
import { type TryContext, tryCommand, versionOfProgram } from "./try-command.ts";

export interface ExamineContext extends TryContext {
	readonly setting: Setting;
	readonly ledger: readonly LedgerFile[];
}

type State = "installed" | "missing" | "outdated" | "changed" | "broken";

interface Seen {
	readonly entry: Entry;
	readonly state: State;
	readonly error?: string;
	readonly commands: readonly unknown[];
}

/** The person's own configuration. The agent runs for its version only. */
export async function examineHost(host: AgentHost, context: ExamineContext): Promise<HostView> {
	const { setting, path, repository } = context;
	const folder = host.folder(setting);
	const program = await findProgram(host.program, path, repository);
	const isConfigured = (await statOf(folder)) !== undefined;
	const { name: id, title, next } = host;
	if (program === undefined && !isConfigured) return { id, title, condition: "missing", parts: [], commands: [] };
	const seen = await seenOf(host, context);
	const parts = partsOf(seen);
	const commands = await triedIn(seen, context);
	const advice = adviceFor(id, parts, commands);
	return {
		id,
		title,
		condition: program === undefined ? "not_on_path" : "installed",
		...(program === undefined ? {} : { program, ...(await versionOfProgram(program, context)) }),
		...(isConfigured ? { folder } : {}),
		parts,
		commands,
		...(advice === undefined ? {} : { advice }),
		...(next !== undefined && isThere(parts, "hooks") ? { note: next } : {}),
	};
}

async function seenOf(host: AgentHost, { setting, ledger }: ExamineContext): Promise<readonly Seen[]> {
	const files = byFile(host.entries(setting));
	// As another pi-lsp on PATH writes them.
	const plain = byFile(host.entries({ ...setting, command: ["pi-lsp"] }));
	const seen = [...files].map(async ([file, entries]) => {
		const owned = ledger.find((row) => row.host === host.name && row.project === null && row.path === file);
		const forms = [
			{ entries, words: setting.command },
			{ entries: plain.get(file) ?? [], words: ["pi-lsp"] },
		].map(({ entries: some, words }) => ({ entries: some, hook: [...words, "hook", host.name] }));
		try {
			return await inFile(file, () => seenIn(file, forms, owned));
		} catch (error) {
			const { message } = asLspError(error);
			return entries.map((entry): Seen => ({ entry, state: "broken", error: message, commands: [] }));
		}
	});
	return (await Promise.all(seen)).flat();
}

interface Form {
	readonly entries: readonly Entry[];
	readonly hook: readonly string[];
}

async function seenIn(file: string, forms: readonly Form[], owned: LedgerFile | undefined): Promise<readonly Seen[]> {
	const entries = forms[0]?.entries ?? [];
	const now = await textOf(file);
	const isLinked = await isOwnSkill(file, entries);
	const format = formatOf(entries);
	if (now && entries[0]?.kind !== "whole") format.read(now.body, entries);
	return entries.map((entry, index): Seen => {
		if (!now) return { entry, state: "missing", commands: [] };
		const asWanted = forms.find(({ entries: some }) => {
			const wanted = some[index] ?? entry;
			if (wanted.kind !== "whole") return !format.lacks(now.body, [wanted]);
			return isLinked || now.text === wanted.text || isSameJson(file, now.body, wanted.text);
		});
		if (entry.kind === "whole") {
			const runs = asWanted && entry.part === "hooks" ? [asWanted.hook] : [];
			return {
				entry,
				state: asWanted ? "installed" : now.text === owned?.after ? "outdated" : "changed",
				commands: runs,
			};
		}
		const past = pastOf(owned);
		const commands = format.commands(now.body, entry, past);
		if (asWanted) return { entry, state: "installed", commands };
		if (commands.length === 0) return { entry, state: "missing", commands };
		return { entry, state: format.isChanged(now.body, entry, past) ? "changed" : "outdated", commands };
	});
}

function isSameJson(file: string, one: string, other: string): boolean {
	if (!file.endsWith(".json")) return false;
	try {
		return jsonFormat.isSame(one, other);
	} catch {
		return false;
	}
}

const partNames = ["hooks", "mcp", "permissions", "skills"] as const;

function partOf(entry: Entry): PartView["part"] {
	if (entry.part === "hooks") return "hooks";
	if (entry.kind === "whole") return entry.isSkill ? "skills" : "permissions";
	return entry.kind === "member" ? "permissions" : "mcp";
}

function partsOf(seen: readonly Seen[]): PartView[] {
	return partNames.flatMap((part): PartView[] => {
		const own = seen.filter(({ entry }) => partOf(entry) === part);
		if (own.length === 0) return [];
		const has = (state: State) => own.some((each) => each.state === state);
		const worst = (["broken", "changed", "outdated"] as const).find(has);
		const condition = worst ?? (!has("missing") ? "installed" : has("installed") ? "partly" : "missing");
		const error = own.find((each) => each.error !== undefined)?.error;
		const files = own.map(({ entry }) => (part === "skills" ? dirname(dirname(entry.file)) : entry.file));
		return [{ part, condition, files: [...new Set(files)], ...(error === undefined ? {} : { error }) }];
	});
}

async function triedIn(seen: readonly Seen[], context: ExamineContext): Promise<CommandView[]> {
	const found = new Map<string, unknown>();
	for (const { commands } of seen) for (const command of commands) found.set(JSON.stringify(command), command);
	// One by one: each starts a process.
	const tried: CommandView[] = [];
	for (const command of found.values()) tried.push(await tryCommand(command, context));
	return tried;
}

function isThere(parts: readonly PartView[], name: PartView["part"]): boolean {
	return parts.some(({ part, condition }) => part === name && condition !== "missing" && condition !== "broken");
}

function adviceFor(id: string, parts: readonly PartView[], commands: readonly CommandView[]): string | undefined {
	const has = (...conditions: readonly PartView["condition"][]) =>
		parts.some(({ condition }) => conditions.includes(condition));
	if (has("broken")) return undefined;
	if (parts.every(({ condition }) => condition === "missing")) return `Set it up: pi-lsp init ${id}`;
	if (has("changed")) return "To have anew what was changed: pi-lsp update --force";
	const isWrong = commands.some(({ condition }) => condition !== "answers" && condition !== "not_tried");
	return has("outdated", "partly") || isWrong ? `Bring it up to date: pi-lsp init ${id}` : undefined;
}

export function isWrong({ parts, commands }: HostView): boolean {
	const fine: readonly PartView["condition"][] = ["installed", "missing"];
	return (
		parts.some(({ condition }) => !fine.includes(condition)) ||
		commands.some(({ condition }) => condition !== "answers")
	);
}
