import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { LspError } from "../errors.ts";

const run = promisify(execFile);

/**
 * The text of a file at a git revision, or undefined if it did not exist there. Rejects with LSP_INVALID_INPUT if git
 * knows no such revision. `cat-file` and not `show`: it runs no filter that a configuration may name.
 */
export async function textAt(revision: string, path: string): Promise<string | undefined> {
	const options = { cwd: dirname(path), maxBuffer: 64 * 1024 * 1024 };
	// A revision that begins with a dash would be an option.
	await run("git", ["rev-parse", "--quiet", "--verify", "--end-of-options", `${revision}^{commit}`], options).catch(
		(cause: Error) => {
			throw new LspError("LSP_INVALID_INPUT", `git knows no revision "${revision}" here.`, {}, { cause });
		},
	);
	return run("git", ["cat-file", "blob", `${revision}:./${basename(path)}`], options).then(
		({ stdout }) => stdout,
		() => undefined,
	);
}
