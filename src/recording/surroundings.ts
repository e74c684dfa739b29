import { dirname, join, relative } from "node:path";
import { LspError } from "../contract/errors.ts";
import { languageOf } from "../impact/outline/languages.ts";
import { type GitOptions, repositoryAround } from "../project/git.ts";
import { isProse, isTestPath } from "../project/test-paths.ts";
import { hashOf } from "../util/hash.ts";
import { isInside } from "../util/paths.ts";
import { read } from "../util/read-file.ts";

/** What a test may depend on besides the code that it executes. */
export interface Surroundings {
	/** Relative to the workspace, sorted. */
	readonly code: readonly string[];
	/** Hash of files that tests may read. */
	readonly data: string;
	/** Hash of the names of the sources in directories, which are relative to the workspace. */
	sourcesIn(directories: ReadonlySet<string>): string;
}

const maxListBytes = 64 * 1024 ** 2;
const maxDataBytes = 1024 ** 2;
const filesAtOnce = 16;
const fixtures = /(?:^|\/)(?:test-?data|__?fixtures?_?_?|fixtures?|__snapshots__)\//i;

/** Of what git tracks or would track. Rejects with LSP_INVALID_INPUT without a repository, and as `runProgram`. */
export async function surroundingsOf(options: Omit<GitOptions, "maxBytes">): Promise<Surroundings> {
	const { workspace, signal } = options;
	const repository = await repositoryAround(workspace, options);
	if (!repository) throw new LspError("LSP_INVALID_INPUT", `There is no git repository at ${workspace}.`);
	const which = ["--cached", "--others", "--exclude-standard"];
	const { stdout } = await repository.run(maxListBytes, "ls-files", "-z", ...which, "--full-name");
	const paths = [...new Set(stdout.split("\0"))]
		.filter((name) => name !== "")
		.map((name) => join(repository.top, name))
		.filter((path) => isInside(path, workspace))
		.map((path) => relative(workspace, path))
		.sort();
	const [code, data] = [paths.filter(isCode), paths.filter((path) => !isCode(path) && !isProse(path))];
	const states: string[] = [];
	for (let at = 0; at < data.length; at += filesAtOnce) {
		signal.throwIfAborted();
		const some = data.slice(at, at + filesAtOnce);
		states.push(...(await Promise.all(some.map((path) => stateOf(path, workspace)))));
	}
	return {
		code,
		data: hashOf(states.join("\n")),
		sourcesIn(directories) {
			return hashOf(code.filter((path) => directories.has(dirname(path)) && !isOtherTest(path)).join("\n"));
		},
	};
}

/** Code whose functions are recorded. Tests read fixtures as data. */
function isCode(path: string): boolean {
	const language = languageOf(path);
	return language !== undefined && language.family !== "c" && !fixtures.test(path);
}

/** Nothing loads it but its own run. Test files of one Go package or Rust crate are one program. */
function isOtherTest(path: string): boolean {
	return isTestPath(path) && !/(?:\.go|\.rs|(?:^|\/)conftest\.py)$/.test(path);
}

async function stateOf(path: string, workspace: string): Promise<string> {
	const found = await read(join(workspace, path), { maxBytes: maxDataBytes, within: workspace });
	return `${path} ${"text" in found ? hashOf(found.text) : found.refused}`;
}
