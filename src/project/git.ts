import { dirname, join, relative, sep } from "node:path";
import { LspError } from "../contract/errors.ts";
import { type Ran, type Running, runProgram } from "../process/run-program.ts";
import { repositoryOf } from "./workspace-of.ts";

/** See docs/facts.md, 26. */
const settings = [
	"safe.bareRepository=explicit",
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"protocol.allow=never",
].flatMap((setting) => ["-c", setting]);
const variables = {
	GIT_ALLOW_PROTOCOL: "none",
	GIT_NO_LAZY_FETCH: "1",
	GIT_TERMINAL_PROMPT: "0",
	GIT_OPTIONAL_LOCKS: "0",
	GIT_LITERAL_PATHSPECS: "1",
};

/** A file of `.git` may be a link to /dev/zero. */
const maxMemory = 1024 ** 3;
const maxOutputBytes = 64 * 1024;
const maxTextsBytes = 64 * 1024 ** 2;
/** Of a command line. */
const maxNames = 1000;

export interface GitOptions extends Pick<Running, "workspace" | "env" | "signal"> {
	readonly maxBytes: number;
}

export interface Repository {
	/** Directory of `.git`: git then finds no other repository. */
	readonly top: string;
	/** Rejects as `runProgram`. */
	run(maxBytes: number, ...args: readonly string[]): Promise<Ran>;
	/** By blob id, without missing ones and those longer than `maxBytes`. Fetches nothing. Rejects as `runProgram`. */
	texts(objects: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string>>;
}

export async function repositoryAround(
	directory: string,
	options: Omit<GitOptions, "maxBytes">,
	more: Readonly<Record<string, string>> = {},
): Promise<Repository | undefined> {
	const top = await repositoryOf(directory);
	if (top === undefined) return undefined;
	const own = { ...variables, ...more, GIT_CEILING_DIRECTORIES: dirname(top) };
	const running = { ...options, cwd: top, more: own, maxMemory };
	const run = (maxBytes: number, ...args: readonly string[]) =>
		runProgram("git", [...settings, ...args], { ...running, maxBytes });
	const texts = async (objects: readonly string[], maxBytes: number) => {
		if (objects.length === 0) return new Map<string, string>();
		const bytes = { input: `${objects.join("\n")}\n`, encoding: "latin1", maxBytes: maxTextsBytes } as const;
		const { ok, stdout } = await runProgram("git", [...settings, "cat-file", "--batch"], { ...running, ...bytes });
		const { found, isWhole } = blobsIn(stdout, maxBytes);
		if (ok && isWhole) return found;
		for (const object of objects.filter((each) => !found.has(each))) {
			const text = await run(maxBytes, "cat-file", "blob", object);
			if (text.ok) found.set(object, text.stdout);
		}
		return found;
	};
	return { top, run, texts };
}

/** Of `cat-file --batch`, a character for each byte; not whole if it was cut. */
function blobsIn(output: string, maxBytes: number): { readonly found: Map<string, string>; readonly isWhole: boolean } {
	const found = new Map<string, string>();
	let at = 0;
	while (at < output.length) {
		const end = output.indexOf("\n", at);
		const [, object, size] = /^([0-9a-f]+) blob (\d+)$/.exec(output.slice(at, Math.max(end, at))) ?? [];
		const start = end + 1;
		const next = start + Number(size ?? -1) + 1;
		if (end < 0 || next > output.length) return { found, isWhole: false };
		if (object !== undefined && Number(size) <= maxBytes)
			found.set(object, Buffer.from(output.slice(start, next - 1), "latin1").toString());
		at = next;
	}
	return { found, isWhole: true };
}

/** Rejects with LSP_INVALID_INPUT if git does not know it, or reads no repository. */
export async function commitOf(revision: string, { top, run }: Repository): Promise<string> {
	const found = await run(
		maxOutputBytes,
		"rev-parse",
		"--quiet",
		"--verify",
		"--end-of-options",
		`${revision}^{commit}`,
	);
	if (found.ok) return found.stdout.trim();
	if (/dubious ownership|safe\.directory/.test(found.stderr))
		throw new LspError("LSP_INVALID_INPUT", `git does not read ${top}: the repository belongs to another user.`, {
			file_path: top,
			suggestion: `A person who trusts its owner runs \`git config --global --add safe.directory ${top}\` in a terminal.`,
		});
	const shallow = await run(maxOutputBytes, "rev-parse", "--is-shallow-repository");
	if (shallow.stdout.trim() !== "true") throw unknown(revision);
	throw new LspError("LSP_INVALID_INPUT", `git knows no revision "${revision}" here: the clone is shallow.`, {
		suggestion: "`git fetch --unshallow` in a terminal fetches the rest of the history.",
	});
}

/**
 * Undefined if it was no regular file. Plumbing runs no filter, driver or pager. Rejects with LSP_INVALID_INPUT without
 * such a revision or text (a partial clone), and as `runProgram`.
 */
export async function textAt(revision: string, path: string, options: GitOptions): Promise<string | undefined> {
	const repository = await repositoryAround(dirname(path), options);
	if (repository === undefined) throw unknown(revision);
	const { top, run, texts } = repository;
	const commit = await commitOf(revision, repository);
	const name = relative(top, path).split(sep).join("/");
	const listed = await run(maxOutputBytes, "ls-tree", "-z", "--full-tree", commit, "--", name);
	const [, object] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed.stdout) ?? [];
	if (listed.ok && object === undefined) return undefined;
	const text = object === undefined ? undefined : (await texts([object], options.maxBytes)).get(object);
	if (text !== undefined) return text;
	throw new LspError("LSP_INVALID_INPUT", `git has no text of ${name} at "${revision}" here that could be read.`, {
		file_path: path,
		suggestion: `Nothing is fetched. Run \`git cat-file -s ${revision}:${name}\` to see what is wrong.`,
	});
}

/** Of a sparse checkout, from the repository's top. */
export async function leftOutFiles(directory: string, options: Omit<GitOptions, "maxBytes">): Promise<Set<string>> {
	const listed = await (await repositoryAround(directory, options))?.run(maxTextsBytes, "ls-files", "-t", "-z");
	const lines = listed?.stdout.split("\0") ?? [];
	return new Set(lines.filter((line) => line.startsWith("S ")).map((line) => line.slice(2)));
}

/** Regular ones at the revision; rejects as `commitOf`. */
export async function filesAt(revision: string, paths: readonly string[], options: GitOptions): Promise<Set<string>> {
	const found = new Set<string>();
	const byTop = new Map<string, { readonly repository: Repository; readonly names: string[] }>();
	for (const path of paths) {
		const repository = await repositoryAround(dirname(path), options);
		if (repository === undefined) continue;
		const { top } = repository;
		const known = byTop.get(top) ?? { repository, names: [] };
		byTop.set(top, known);
		known.names.push(relative(top, path).split(sep).join("/"));
	}
	for (const [top, { repository, names }] of byTop) {
		const commit = await commitOf(revision, repository);
		for (let at = 0; at < names.length; at += maxNames) {
			const some = names.slice(at, at + maxNames);
			const listed = await repository.run(maxTextsBytes, "ls-tree", "-z", "--full-tree", commit, "--", ...some);
			for (const [, name = ""] of listed.stdout.matchAll(/100\d{3} blob [0-9a-f]+\t([^\0]*)\0/g))
				found.add(join(top, name));
		}
	}
	return found;
}

function unknown(revision: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `git knows no revision "${revision}" here.`, {
		suggestion: "Check its name: a branch, a tag, a commit, or a form such as HEAD~2.",
	});
}
