import { dirname, relative, sep } from "node:path";
import { LspError } from "../contract/errors.ts";
import { type Ran, type Running, runProgram } from "../process/run-program.ts";
import { repositoryOf } from "./workspace-of.ts";

/**
 * What git is told so that it runs nothing that a repository's configuration names. `protocol.allow` gives way to a
 * repository's `protocol.<name>.allow`, GIT_ALLOW_PROTOCOL to nothing; it also keeps a git that knows no
 * GIT_NO_LAZY_FETCH (before 2.39.4) from fetching objects that are not there.
 */
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

/** Bytes; git reads some of the files of `.git` whole, and an unpacked one may hold links to /dev/zero. */
const maxMemory = 1024 ** 3;
/** Bytes of what git says beside a file's text. */
const maxWords = 64 * 1024;

/** Who asks for the text of a revision, and how much of it counts. */
export interface GitAsker extends Pick<Running, "workspace" | "env" | "signal"> {
	/** Bytes. */
	readonly maxBytes: number;
}

/**
 * The text of a file at a git revision, or undefined if it did not exist there as a regular file. Only plumbing is used:
 * it runs no filter, driver or pager. Rejects with LSP_INVALID_INPUT if git knows no such revision or has no such text
 * here (a partial clone), and as `runProgram`.
 */
export async function textAt(revision: string, path: string, asker: GitAsker): Promise<string | undefined> {
	const top = await repositoryOf(dirname(path));
	if (top === undefined) throw unknown(revision);
	const git = (maxBytes: number, ...args: readonly string[]) => runGit(args, { ...asker, cwd: top, maxBytes });
	const commit = `${revision}^{commit}`;
	// A revision that begins with a dash would be an option.
	const found = await git(maxWords, "rev-parse", "--quiet", "--verify", "--end-of-options", commit);
	if (!found.ok) throw unknown(revision);
	const name = relative(top, path).split(sep).join("/");
	const listed = await git(maxWords, "ls-tree", "-z", "--full-tree", found.stdout.trim(), "--", name);
	const [, object] = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed.stdout) ?? [];
	if (listed.ok && object === undefined) return undefined;
	const text: Ran | undefined =
		object === undefined ? undefined : await git(asker.maxBytes, "cat-file", "blob", object);
	if (text?.ok) return text.stdout;
	throw new LspError("LSP_INVALID_INPUT", `git has no text of ${name} at "${revision}" here that could be read.`, {
		file_path: path,
		suggestion: `Nothing is fetched. Run \`git cat-file -s ${revision}:${name}\` to see what is wrong.`,
	});
}

/** The one place from which git is run: in the directory that holds `.git`, so that it takes no other repository. */
function runGit(args: readonly string[], running: Running): Promise<Ran> {
	const more = { ...variables, GIT_CEILING_DIRECTORIES: dirname(running.cwd) };
	return runProgram("git", [...settings, ...args], { ...running, more, maxMemory });
}

function unknown(revision: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `git knows no revision "${revision}" here.`);
}
