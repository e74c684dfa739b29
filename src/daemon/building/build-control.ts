import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findCommand } from "../../builds/find-command.ts";
import type { Failure, TestCounts } from "../../builds/output/failure.ts";
import { runCommand } from "../../builds/run-command.ts";
import type { ChosenTests, Job } from "../../builds/tool.ts";
import { trustSuggestion } from "../../config/trust.ts";
import { LspError } from "../../contract/errors.ts";
import { displayPath, inWorkspace } from "../../routing/locate.ts";
import { statOf } from "../../util/files.ts";
import { toUri } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { displayDirectory } from "../workspace-control.ts";

/** How a tool is run. */
interface BuildOrder {
	/** Files and directories as the caller names them; the working directory without any. */
	readonly paths: readonly string[];
	readonly tool?: string | undefined;
	readonly language?: string | undefined;
	/** Milliseconds. */
	readonly timeout?: number | undefined;
}

interface LocatedFailure extends Failure {
	/** As an LSP Location, of the line. */
	readonly location?: { readonly uri: string; readonly range: LineRange };
}

interface LineRange {
	readonly start: { readonly line: number; readonly character: number };
	readonly end: { readonly line: number; readonly character: number };
}

export interface BuildResult {
	readonly tool: string;
	readonly command: string;
	/** The displayed path of where it ran. */
	readonly directory: string;
	/** `nothing`: there was no test. */
	readonly outcome: "passed" | "failed" | "timed_out" | "nothing";
	readonly exitCode?: number;
	readonly ms: number;
	readonly failures: readonly LocatedFailure[];
	readonly counts?: TestCounts;
	/** The end of what it printed. */
	readonly output: string;
	readonly omittedBytes: number;
	/** Other tools that the same directory names. */
	readonly others: readonly string[];
	/** True if all tests were run although some were asked for. */
	readonly ranAll?: true;
}

/** Builds and tests by the project's own tools. */
export interface BuildControl {
	/** Rejects with LSP_SERVER_UNTRUSTED, and like `findCommand` and `runCommand`. */
	run(job: Job, order: BuildOrder): Promise<BuildResult>;
}

const defaultLimitMs = 600_000;

export function buildControl(call: OperationCall): BuildControl {
	return {
		async run(job, { paths, tool, language, timeout: limitMs = defaultLimitMs }) {
			const settings = await call.settings();
			const { directory: cwd } = settings;
			const { directory, workspace, chosen } = await placesOf(paths, cwd);
			const env = await call.env();
			const folder = mkdtempSync(join(tmpdir(), "pi-lsp-"));
			try {
				const report = join(folder, "report");
				const found = await findCommand(job, { directory, workspace, env, report, chosen, tool, language });
				const command = found.command.words.join(" ");
				if (!settings.trusted || !(await settings.stillTrusted()))
					throw new LspError(
						"LSP_SERVER_UNTRUSTED",
						`\`${command}\` runs what the repository brings, and that is not trusted.`,
						{ command, suggestion: trustSuggestion },
					);
				const run = await runCommand(found, { job, env, signal: call.signal, limitMs, onLine() {} });
				const nothing = run.code !== null && run.code === found.command.noTests;
				const ended = nothing ? "nothing" : run.code === 0 ? "passed" : "failed";
				return {
					tool: found.tool,
					command,
					directory: displayDirectory(found.directory, cwd),
					outcome: run.timedOut ? "timed_out" : ended,
					...(run.code === null ? {} : { exitCode: run.code }),
					ms: run.ms,
					failures: run.failures.map((failure) => located(failure, cwd)),
					...(run.counts ? { counts: run.counts } : {}),
					output: run.output,
					omittedBytes: run.omittedBytes,
					others: found.others,
					...(chosen && found.command.selects === false ? { ranAll: true } : {}),
				};
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		},
	};
}

interface Places {
	/** From which a tool is looked for upward. */
	readonly directory: string;
	readonly workspace: string;
	readonly chosen: readonly ChosenTests[] | undefined;
}

async function placesOf(paths: readonly string[], cwd: string): Promise<Places> {
	const { workspace } = await inWorkspace(".", cwd);
	const chosen = await Promise.all(
		paths.map(async (given) => {
			const { path: file } = await inWorkspace(given, cwd);
			const info = await statOf(file);
			if (!info)
				throw new LspError("LSP_FILE_NOT_FOUND", `${displayPath(file, cwd)} does not exist.`, { file_path: file });
			return { file, tests: [], isDirectory: info.isDirectory() };
		}),
	);
	const [first] = chosen;
	if (!first) return { directory: cwd, workspace, chosen: undefined };
	return { directory: first.isDirectory ? first.file : dirname(first.file), workspace, chosen };
}

function located({ file, ...failure }: Failure, cwd: string): LocatedFailure {
	if (file === undefined) return failure;
	const path = displayPath(file, cwd);
	if (failure.line === undefined) return { file: path, ...failure };
	const at = { line: failure.line - 1, character: Math.max((failure.column ?? 1) - 1, 0) };
	return { file: path, ...failure, location: { uri: toUri(file), range: { start: at, end: at } } };
}
