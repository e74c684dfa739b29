import { join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { commitOf, type GitOptions, type Repository, repositoryAround } from "../project/git.ts";
import { displayPath } from "../routing/locate.ts";
import { isInside } from "../util/paths.ts";
import { read, refusalWords } from "../util/read-file.ts";

export interface ChangeScope {
	/** Default: HEAD. */
	readonly base?: string | undefined;
	readonly until?: string | undefined;
	readonly staged?: boolean | undefined;
	/** The index that git gives a hook (GIT_INDEX_FILE), absolute. */
	readonly index?: string | undefined;
}

/** `undefined`: the file is missing. */
export interface FileChange {
	/** Absolute. */
	readonly path: string;
	readonly before: string | undefined;
	readonly after: string | undefined;
}

export interface GitChanges {
	readonly files: readonly FileChange[];
	readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface ChangeOptions extends GitOptions {
	/** Absolute. */
	readonly cwd: string;
}

const maxFiles = 500;
const maxListBytes = 64 * 1024 ** 2;
const filesAtOnce = 8;

/** Rejects with LSP_INVALID_INPUT without a repository, or for an unknown revision. */
export async function gitChanges(scope: ChangeScope, options: ChangeOptions): Promise<GitChanges> {
	const { signal } = options;
	const repository = await repositoryFor(scope, options);
	const all = await differing(repository, scope, options);
	const files: FileChange[] = [];
	const skipped: { path: string; reason: string }[] = [];
	const skip = (name: string, reason: string) =>
		skipped.push({ path: displayPath(join(repository.top, name), options.cwd), reason });
	for (const { name } of all.slice(maxFiles)) skip(name, `more than ${maxFiles} files differ`);
	const wanted = all.slice(0, maxFiles);
	const objects = wanted.flatMap(({ before, after, irregular }) => (irregular === undefined ? [before, after] : []));
	const named = new Set(objects.flatMap((object) => (object === undefined || object === "disk" ? [] : object)));
	const stored = await repository.texts([...named], options.maxBytes);
	for (let at = 0; at < wanted.length; at += filesAtOnce) {
		signal.throwIfAborted();
		const some = wanted.slice(at, at + filesAtOnce);
		const read = await Promise.all(some.map((entry) => textsOf(repository, entry, stored, { ...scope, ...options })));
		for (const [index, texts] of read.entries()) {
			const { name } = some[index] as Differing;
			if (typeof texts === "string") skip(name, texts);
			// The file on disk may have another time and the same text.
			else if (texts.before !== texts.after) files.push({ path: join(repository.top, name), ...texts });
		}
	}
	return { files, skipped };
}

/**
 * Absolute paths of regular files that differ and are there; before a first commit, those of the index. Rejects like
 * `gitChanges`.
 */
export async function changedFiles(scope: ChangeScope, options: ChangeOptions): Promise<string[]> {
	const repository = await repositoryFor(scope, options);
	const isUnborn =
		scope.base === undefined && !(await repository.run(maxListBytes, "rev-parse", "-q", "--verify", "HEAD")).ok;
	const all = isUnborn
		? [...(await listFiles(repository, "--cached")), ...(scope.staged ? [] : await listFiles(repository, ...untracked))]
		: (await differing(repository, scope, options)).filter(({ after }) => after !== undefined).map(({ name }) => name);
	const paths = [...new Set(all)].map((name) => join(repository.top, name));
	return paths.filter((path) => isInside(path, options.workspace)).sort();
}

async function repositoryFor({ index }: ChangeScope, options: ChangeOptions): Promise<Repository> {
	const { workspace } = options;
	const found = await repositoryAround(workspace, options);
	if (!found)
		throw new LspError("LSP_INVALID_INPUT", `There is no git repository at ${workspace}.`, {
			suggestion: "Name the files instead.",
		});
	const more = { ...(await withoutFilters(found)), ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) };
	return (await repositoryAround(workspace, options, more)) ?? found;
}

async function differing(
	repository: Repository,
	scope: ChangeScope,
	{ workspace }: ChangeOptions,
): Promise<Differing[]> {
	const [tracked, created] = await Promise.all([
		differences(repository, scope),
		scope.until === undefined && scope.staged !== true ? listFiles(repository, ...untracked) : [],
	]);
	const added = created.map((name) => ({ name, before: undefined, after: "disk" }));
	return [...tracked, ...added].filter(({ name }) => isInside(join(repository.top, name), workspace));
}

/** git runs a repository's filters over files of the index's time: each gets an empty command. */
async function withoutFilters({ run }: Repository): Promise<Record<string, string>> {
	const listed = await run(maxListBytes, "config", "-z", "--name-only", "--get-regexp", "^filter\\.");
	const names = new Set(listed.stdout.split("\0").flatMap((key) => /^filter\.([\s\S]*)\.[^.]+$/i.exec(key)?.[1] ?? []));
	const entries = [...names].flatMap((name) => [
		[`filter.${name}.clean`, ""],
		[`filter.${name}.process`, ""],
		[`filter.${name}.required`, "false"],
	]);
	return {
		GIT_CONFIG_COUNT: String(entries.length),
		...Object.fromEntries(
			entries.flatMap(([key = "", value = ""], index) => [
				[`GIT_CONFIG_KEY_${index}`, key],
				[`GIT_CONFIG_VALUE_${index}`, value],
			]),
		),
	};
}

interface Differing {
	/** Path relative to the top, with slashes. */
	readonly name: string;
	/** Object id; undefined for a missing or irregular file. */
	readonly before: string | undefined;
	/** Like `before`; `disk` stands for the file on disk. */
	readonly after: string | undefined;
	readonly irregular?: string;
}

async function differences(
	repository: Repository,
	{ base = "HEAD", until, staged }: ChangeScope,
): Promise<Differing[]> {
	const before = await commitOf(base, repository);
	const after = until === undefined ? undefined : await commitOf(until, repository);
	const common = ["--raw", "-z", "--no-renames", "--ignore-submodules=all", "--no-abbrev", "--no-ext-diff"];
	const args =
		after === undefined
			? ["diff-index", ...common, ...(staged ? ["--cached"] : []), before, "--"]
			: ["diff-tree", "-r", ...common, before, after, "--"];
	const listed = await repository.run(maxListBytes, ...args);
	if (!listed.ok)
		throw new LspError("LSP_INVALID_INPUT", `git could not compare "${base}": ${listed.stderr.trim().slice(0, 300)}`);
	const fields = listed.stdout.split("\0");
	const found: Differing[] = [];
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const [oldMode = "", newMode = "", oldObject = "", newObject = ""] = (fields[at] ?? "").slice(1).split(" ");
		const name = fields[at + 1] ?? "";
		const isRegular = (mode: string) => mode.startsWith("100") || mode === "000000";
		const isStored = after !== undefined || staged === true;
		found.push({
			name,
			before: oldMode.startsWith("100") ? oldObject : undefined,
			after: !newMode.startsWith("100") ? undefined : isStored ? newObject : "disk",
			...(isRegular(oldMode) && isRegular(newMode) ? {} : { irregular: "a link or a submodule" }),
		});
	}
	return found;
}

const untracked = ["--others", "--exclude-standard"];

async function listFiles({ run }: Repository, ...which: readonly string[]): Promise<string[]> {
	const listed = await run(maxListBytes, "ls-files", "-z", ...which, "--full-name");
	return listed.stdout.split("\0").filter((name) => name !== "" && !name.endsWith("/"));
}

async function textsOf(
	{ top }: Repository,
	{ name, before, after, irregular }: Differing,
	texts: ReadonlyMap<string, string>,
	{ base = "HEAD", maxBytes, workspace }: ChangeScope & ChangeOptions,
): Promise<Pick<FileChange, "before" | "after"> | string> {
	if (irregular !== undefined) return irregular;
	const stored = (object: string | undefined) => {
		if (object === undefined) return undefined;
		return texts.get(object) ?? { reason: `git has no text of it at "${base}" here, or too long a one` };
	};
	const onDisk = async () => {
		const found = await read(join(top, name), { maxBytes, within: workspace });
		if (!("refused" in found)) return found.text;
		return found.refused === "missing" ? undefined : { reason: refusalWords[found.refused] };
	};
	const old = stored(before);
	const now = after === "disk" ? await onDisk() : stored(after);
	if (typeof old === "object") return old.reason;
	if (typeof now === "object") return now.reason;
	if (old?.includes("\0") || now?.includes("\0")) return "not a text file";
	return { before: old, after: now };
}
