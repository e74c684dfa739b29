import { dirname, relative, sep } from "node:path";
import { LspError } from "../contract/errors.ts";
import { type Ran, type Running, runProgram } from "../process/run-program.ts";
import { repositoryOf } from "./workspace-of.ts";

/** git must run nothing that a repository names, and fetch nothing (docs/facts.md, 26). */
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

/** Bytes. A file of `.git` may be a link to /dev/zero. */
const maxMemory = 1024 ** 3;
/** Bytes of git's other answers. */
const maxOutputBytes = 64 * 1024;

export interface GitOptions extends Pick<Running, "workspace" | "env" | "signal"> {
	readonly maxBytes: number;
}

/**
 * The text of a file at a git revision, or undefined if it was no regular file. Plumbing commands run no filter, driver
 * or pager. Rejects with LSP_INVALID_INPUT without such a revision or text (a partial clone), and as `runProgram`.
 */
export async function textAt(revision: string, path: string, options: GitOptions): Promise<string | undefined> {
	const top = await repositoryOf(dirname(path));
	if (top === undefined) throw unknown(revision);
	const git = (maxBytes: number, ...args: readonly string[]) => runGit(args, { ...options, cwd: top, maxBytes });
	const commit = `${revision}^{commit}`;
	// A revision with a dash would be an option.
	const found = await git(maxOutputBytes, "rev-parse", "--quiet", "--verify", "--end-of-options", commit);
	if (!found.ok) throw unknown(revision);
	const name = relative(top, path).split(sep).join("/");
	const listed = await git(maxOutputBytes, "ls-tree", "-z", "--full-tree", found.stdout.trim(), "--", name);
	const [, object] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed.stdout) ?? [];
	if (listed.ok && object === undefined) return undefined;
	const text: Ran | undefined =
		object === undefined ? undefined : await git(options.maxBytes, "cat-file", "blob", object);
	if (text?.ok) return text.stdout;
	throw new LspError("LSP_INVALID_INPUT", `git has no text of ${name} at "${revision}" here that could be read.`, {
		file_path: path,
		suggestion: `Nothing is fetched. Run \`git cat-file -s ${revision}:${name}\` to see what is wrong.`,
	});
}

/** In the directory of `.git`, so that git finds no other repository. */
function runGit(args: readonly string[], running: Running): Promise<Ran> {
	const more = { ...variables, GIT_CEILING_DIRECTORIES: dirname(running.cwd) };
	return runProgram("git", [...settings, ...args], { ...running, more, maxMemory });
}

function unknown(revision: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `git knows no revision "${revision}" here.`);
}
