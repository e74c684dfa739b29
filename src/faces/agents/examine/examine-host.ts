import { dirname } from "node:path";
import { asLspError } from "../../../contract/errors.ts";
import { findProgram } from "../../../process/find-program.ts";
import type { CommandView, EchoView, HostView, PartView } from "../../../render/status/hosts.ts";
import { attempt } from "../../../util/attempt.ts";
import { statOf } from "../../../util/files.ts";
import type { Semaphore } from "../../../util/semaphore.ts";
import { byFile, formatOf, inFile, isOwnSkill, pastOf, textOf } from "../configured-file.ts";
import type { AgentHost, Entry, Setting } from "../host.ts";
import { jsonFormat } from "../json-entries.ts";
import type { LedgerFile } from "../ledger.ts";
import { drives } from "./drives.ts";
import { fireHook } from "./fire-hook.ts";
import { wrongLimits } from "./own-hooks.ts";
import { isOwnHook, type TryContext, tryCommand, versionOfProgram } from "./try-command.ts";

export interface ExamineContext extends TryContext {
	readonly setting: Setting;
	readonly ledger: readonly LedgerFile[];
	/** Hooks have time limits, so agents run one at a time. */
	readonly driving: Semaphore;
}

type State = "installed" | "missing" | "outdated" | "changed" | "broken";

interface Seen {
	readonly entry: Entry;
	readonly state: State;
	readonly error?: string;
	readonly commands: readonly unknown[];
}

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
	const echo = await echoOf(host, { program, seen, commands }, context);
	const advice = adviceFor(setting.project === undefined ? id : `${id} --project`, parts, commands);
	return {
		id,
		title,
		condition: program === undefined ? "not_on_path" : "installed",
		...(program === undefined ? {} : { program, ...(await versionOfProgram(program, context)) }),
		...(isConfigured ? { folder } : {}),
		parts,
		commands,
		...(echo === undefined ? {} : { echo }),
		...(advice === undefined ? {} : { advice }),
		...(next !== undefined && isThere(parts, "hooks") ? { note: next } : {}),
	};
}

async function seenOf(host: AgentHost, { setting, ledger }: ExamineContext): Promise<readonly Seen[]> {
	const files = byFile(host.entries(setting));
	const plain = byFile(host.entries({ ...setting, command: ["pi-lsp"] }));
	const seen = [...files].map(async ([file, entries]) => {
		const owned = ledger.find(
			(row) => row.host === host.name && row.project === (setting.project ?? null) && row.path === file,
		);
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
	return attempt(() => jsonFormat.isSame(one, other), false);
}

interface Examined {
	readonly program: string | undefined;
	readonly seen: readonly Seen[];
	readonly commands: readonly CommandView[];
}

async function echoOf(
	host: AgentHost,
	{ program, seen, commands }: Examined,
	context: ExamineContext,
): Promise<EchoView | undefined> {
	const hooks = seen.filter(({ entry, state }) => entry.part === "hooks" && state !== "missing");
	if (hooks.length === 0 || hooks.some(({ state }) => state === "broken")) return undefined;
	const drive = drives[host.name];
	if (!drive || program === undefined) return { condition: "not_run" };
	const [wrong] = commands.filter(({ condition }) => condition !== "answers");
	if (wrong?.condition === "outdated")
		return {
			condition: "not_seen",
			why: `It runs another copy of pi-lsp (${wrong.version}): ${wrong.command}`,
			mend: "pi-lsp update --entries",
		};
	if (wrong) return { condition: "not_run", why: `The command does not answer: ${wrong.command}` };
	const changed = hooks.find(({ entry, state }) => entry.file.endsWith(".js") && state !== "installed");
	if (changed)
		return { condition: "not_run", why: `${changed.entry.file} is not what this pi-lsp writes, and is not run` };
	const limit = await limitOf(hooks);
	const echo = await context.driving.run(context.signal, () => fireHook(host, program, drive, context));
	return limit === undefined ? echo : { condition: echo.condition, why: limit, mend: "pi-lsp update --force" };
}

async function limitOf(hooks: readonly Seen[]): Promise<string | undefined> {
	for (const [file, entries] of byFile(hooks.map(({ entry }) => entry))) {
		const text = file.endsWith(".js") ? undefined : await textOf(file);
		if (!text) continue;
		const wanted = entries.flatMap((entry) =>
			entry.kind === "hook" ? [entry.group] : entry.kind === "whole" ? [JSON.parse(entry.text)] : [],
		);
		const [wrong] = wrongLimits(text.body, wanted, isOwnHook);
		if (wrong)
			return `The time limit is in the wrong unit: ${wrong.field} is ${wrong.limit} in ${file}, where \`pi-lsp init\` writes ${wrong.wanted}`;
	}
	return undefined;
}

const partNames = ["hooks", "mcp", "permissions", "skills"] as const;

function partOf(entry: Entry): PartView["part"] {
	if (entry.part === "hooks") return "hooks";
	if (entry.kind === "whole") return entry.isSkill ? "skills" : "permissions";
	return "at" in entry && /^permission|^mcpAllowlist$/.test(entry.at[0] ?? "") ? "permissions" : "mcp";
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

export function isWrong({ parts, commands, echo }: HostView): boolean {
	const fine: readonly PartView["condition"][] = ["installed", "missing"];
	return (
		parts.some(({ condition }) => !fine.includes(condition)) ||
		commands.some(({ condition }) => condition !== "answers") ||
		echo?.condition === "not_seen" ||
		echo?.why !== undefined
	);
}
