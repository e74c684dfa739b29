import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { mergeTexts } from "../../planning/merge.ts";
import { attempt } from "../../util/attempt.ts";
import { realPathOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import type { FileChange } from "../../writer/change.ts";
import {
	byFile,
	type FileText,
	formatOf,
	inFile,
	isOwnSkill,
	pastOf,
	refused,
	splitMark,
	textOf,
} from "./configured-file.ts";
import type { Format } from "./format.ts";
import type { Entry, Part } from "./host.ts";
import type { HostChange, LedgerFile } from "./ledger.ts";

export interface HostPlan extends HostChange {
	readonly files: readonly PlannedFile[];
	readonly links: readonly string[];
	readonly notes: readonly string[];
}

export interface PlannedFile extends FileChange {
	/** As the host names it; `path` has links resolved. */
	readonly shown: string;
	readonly isSkill: boolean;
}

interface FilePlan {
	readonly file?: PlannedFile;
	readonly ledger?: LedgerFile;
	readonly link?: string;
	readonly note?: string;
}

export interface Wanted {
	readonly host: string;
	readonly project: string | undefined;
	readonly entries: readonly Entry[];
	readonly parts: readonly Part[];
	readonly force?: boolean;
}

/** Throws LSP_CONFIG_INVALID or LSP_EDIT_REFUSED. */
export async function planSetUp(wish: Wanted, known: readonly LedgerFile[]): Promise<HostPlan> {
	const { host, entries, parts } = wish;
	const own = known.filter((file) => file.host === host);
	const files = byFile(entries);
	const made = new Set(known.flatMap((file) => file.made));
	const plans = [...files].map(async ([path, all]): Promise<FilePlan> => {
		const owned = own.find((file) => file.path === path);
		const wanted = all.filter(({ part }) => parts.includes(part) || owned?.parts.includes(part));
		if (wanted.length === 0) return owned ? { ledger: owned } : {};
		return inFile(path, () => setUpFile(path, { ...wish, entries: wanted, made }, owned));
	});
	return joined([...files.keys()], await Promise.all(plans), []);
}

/** By default all files. Throws LSP_CONFIG_INVALID or LSP_EDIT_REFUSED. */
export async function planTakeOut(
	host: string,
	entries: readonly Entry[],
	known: readonly LedgerFile[],
	only?: readonly string[],
): Promise<HostPlan> {
	const own = known.filter((file) => file.host === host);
	const files = byFile(entries);
	const paths = only ?? [...new Set([...own.map(({ path }) => path), ...files.keys()])];
	const plans = paths.map((path) => {
		const owned = own.find((file) => file.path === path);
		return inFile(path, () => takeOutOfFile(path, files.get(path) ?? movedTo(path, entries), owned));
	});
	const made = own.flatMap((file) => file.made);
	return joined(paths, await Promise.all(plans), made);
}

const json: readonly Entry["kind"][] = ["hook", "property", "member"];
const kindsIn: Readonly<Record<string, readonly Entry["kind"][]>> = {
	".json": json,
	".jsonc": json,
	".toml": ["block"],
};

function movedTo(path: string, entries: readonly Entry[]): readonly Entry[] {
	if (entries.some(({ kind, file }) => kind === "whole" && basename(file) === basename(path))) return [];
	const kinds = kindsIn[extname(path)] ?? [];
	return entries.filter(({ kind }) => kinds.includes(kind)).map((entry) => ({ ...entry, file: path }));
}

function joined(paths: readonly string[], plans: readonly FilePlan[], made: readonly string[]): HostPlan {
	const files = plans.flatMap(({ file }) => (file ? [file] : []));
	return {
		files,
		made,
		paths,
		ledger: plans.flatMap(({ ledger }) => (ledger ? [ledger] : [])),
		links: plans.flatMap(({ link }) => (link === undefined ? [] : [link])),
		notes: plans.flatMap(({ note }) => (note === undefined ? [] : [note])),
	};
}

async function setUpFile(
	path: string,
	{ host, project, entries, made, force = false }: Wanted & { readonly made: ReadonlySet<string> },
	owned: LedgerFile | undefined,
): Promise<FilePlan> {
	if (await isOwnSkill(path, entries)) return {};
	if (project !== undefined) await requireInside(path, project);
	const now = await textOf(path);
	const parts = [...new Set(entries.map(({ part }) => part))];
	const planned = async (before: string | undefined, after: string): Promise<FilePlan> => ({
		...(after === now?.text ? {} : { file: await plannedFile(path, now, after, entries) }),
		ledger: {
			host,
			path,
			parts,
			project: project ?? null,
			before: before ?? null,
			after,
			made: owned?.made ?? (now ? [] : newFolders(path, made)),
		},
	});
	const [first] = entries;
	if (first?.kind === "whole") {
		if (now?.text === first.text) return owned ? { ledger: owned } : {};
		if (!now || now.text === owned?.after || (force && owned)) return planned(owned?.before ?? undefined, first.text);
		return { ...(owned ? { ledger: owned } : {}), note: `${path} stays as it is: pi-lsp has not written it.` };
	}
	const format = formatOf(entries);
	if (now) format.read(now.body, entries);
	const past = pastOf(owned);
	const isKept = (entry: Entry) => !force && owned && now && format.isChanged(now.body, entry, past);
	const changed = entries.filter(isKept);
	const ours = entries.filter((entry) => !changed.includes(entry));
	const note = changed.length > 0 ? { note: changedNote(path, changed) } : {};
	if (owned && now && !format.lacks(now.body, ours)) return { ledger: owned, ...note };
	const base = owned && now ? takenBack(format, ours, { now, owned }, force ? "goes" : "stays") : now;
	const body = format.put(base?.body ?? "", ours);
	format.read(body, entries);
	if (!owned && now && body === now.body) return {};
	const before = owned && now ? takenBack(format, entries, { now, owned }, "goes") : now;
	return { ...(await planned(before?.text, (now?.mark ?? "") + body)), ...note };
}

async function takeOutOfFile(
	path: string,
	entries: readonly Entry[],
	owned: LedgerFile | undefined,
): Promise<FilePlan> {
	if (await isOwnSkill(path, entries)) return lstatSync(dirname(path)).isSymbolicLink() ? { link: dirname(path) } : {};
	const now = await textOf(path);
	if (!now || (!owned && !now.text.includes("pi-lsp"))) return {};
	const [first] = entries;
	if (first?.kind === "whole" || (owned && entries.length === 0)) {
		const isOurs = now.text === owned?.after || (!owned && first?.kind === "whole" && now.text === first.text);
		if (isOurs) return { file: await plannedFile(path, now, owned?.before ?? undefined, entries) };
		return owned ? { ledger: owned, note: `${path} stays: it was changed since.` } : {};
	}
	const format = formatOf(entries);
	format.read(now.body, entries);
	const back = takenBack(format, entries, { now, owned }, "goes");
	if (back?.text === now.text) return {};
	return {
		file: await plannedFile(path, now, back?.text, entries),
		...(owned && now.text !== owned.after
			? { note: `${path} has changed since it was set up: only what is of pi-lsp is taken out.` }
			: {}),
	};
}

function takenBack(
	format: Format,
	entries: readonly Entry[],
	{ now, owned }: { readonly now: FileText; readonly owned: LedgerFile | undefined },
	changed: "goes" | "stays",
): FileText | undefined {
	const before = owned && owned.before !== null ? splitMark(owned.before) : undefined;
	if (owned && now.text === owned.after) return before;
	const body = format.take(now.body, entries, pastOf(owned), changed);
	if (owned && !before && format.isEmpty(body)) return undefined;
	const merged = owned && before ? mergeTexts(splitMark(owned.after).body, now.body, before.body) : undefined;
	const isRight = merged && "text" in merged && means(format, merged.text, body);
	return splitMark(now.mark + (isRight ? merged.text : body));
}

function changedNote(path: string, entries: readonly Entry[]): string {
	const names = entries.flatMap((entry) =>
		"at" in entry ? entry.at.join(".") : "table" in entry ? entry.table.join(".") : [],
	);
	return `${path}: what was changed since stays (${names.join(", ")}). To have it anew: \`pi-lsp update --force\`.`;
}

function means(format: Format, one: string, other: string): boolean {
	return attempt(() => format.isSame(one, other), false);
}

/** Throws LSP_EDIT_REFUSED for links out of the repository. */
async function requireInside(path: string, project: string): Promise<void> {
	const root = await realPathOf(project);
	let at = path;
	let real = await realPathOf(at);
	for (; real === undefined; real = await realPathOf(at)) {
		if (lstatSync(at, { throwIfNoEntry: false })) throw refused(at, "is a link that leads nowhere");
		at = dirname(at);
	}
	if (root === undefined || !isInside(real, root)) throw refused(at, `leads out of the project, to ${real}`);
}

async function plannedFile(
	path: string,
	now: FileText | undefined,
	after: string | undefined,
	[first]: readonly Entry[],
): Promise<PlannedFile> {
	if (now && (statSync(path).mode & 0o222) === 0) throw refused(path, "is read-only");
	return {
		path: (await realPathOf(path)) ?? path,
		shown: path,
		before: now && Buffer.from(now.text),
		after: after === undefined ? undefined : Buffer.from(after),
		isSkill: first?.kind === "whole" ? first.isSkill : basename(path) === "SKILL.md",
		...(first?.kind === "whole" && first.isProgram ? { mode: 0o777 & ~process.umask() } : {}),
	};
}

function newFolders(path: string, made: ReadonlySet<string>): string[] {
	const folders: string[] = [];
	for (let at = dirname(path); !existsSync(at) || made.has(at); at = dirname(at)) folders.unshift(at);
	return folders;
}
