import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findCommand } from "../../builds/find-command.ts";
import type { Failure } from "../../builds/output/failure.ts";
import { runCommand } from "../../builds/run-command.ts";
import type { ChosenTests, Job } from "../../builds/tool.ts";
import { type ImpactedTests, impactedTests } from "../../changes/impacted-tests.ts";
import type { Settings } from "../../config/read-settings.ts";
import { trustSuggestion } from "../../config/trust.ts";
import { LspError } from "../../contract/errors.ts";
import { displayPath, inWorkspace } from "../../routing/locate.ts";
import { statOf } from "../../util/files.ts";
import { toUri } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { displayDirectory } from "../workspace-control.ts";
import { type BuildResult, joinedRuns, type LocatedFailure, nothingRun } from "./build-result.ts";
import { recordedRun, withoutUnaffected } from "./recorded-runs.ts";

interface BuildOrder {
	/** As the caller names them; empty for its directory. */
	readonly paths: readonly string[];
	readonly tool?: string | undefined;
	readonly language?: string | undefined;
	/** Milliseconds. */
	readonly timeout?: number | undefined;
	/** Only tests that the change since `base` (HEAD) reaches. */
	readonly impacted?: true | undefined;
	readonly base?: string | undefined;
	/** Each test file, or test, alone: what it executes is kept for `impacted`. */
	readonly record?: true | undefined;
}

const defaultLimitMs = 600_000;

export function buildControl(call: OperationCall) {
	return {
		/** Rejects with LSP_SERVER_UNTRUSTED, and like `findCommand` and `runCommand`. */
		async run(job: Job, { paths, impacted, base, record, ...how }: BuildOrder): Promise<BuildResult> {
			const settings = await call.settings();
			const { directory: cwd, workspace } = settings;
			if (record) {
				await requireTrust("test --record");
				return recordedRun(
					call,
					(await chosenIn(paths, settings)).map(({ file }) => file),
					how.timeout ?? defaultLimitMs,
				);
			}
			if (impacted === undefined) {
				const chosen = await chosenIn(paths, settings);
				const runs = await runsOf(chosen, cwd, { job, workspace, how });
				return joinedRuns(runs);
			}
			const all = await impactedTests(call, { base });
			const { found, unaffected } = await withoutUnaffected(call, all);
			const about = {
				changed: found.changed,
				...(found.tests ? { files: found.tests.length } : {}),
				...(found.why === undefined ? {} : { why: found.why }),
				...(unaffected === 0 ? {} : { unaffected }),
			};
			const isUnchanged = found.changed === 0 || unaffected > 0;
			if (found.changed === 0 || found.tests?.length === 0)
				return { ...nothingRun, outcome: isUnchanged ? "unchanged" : "nothing", impacted: about };
			const { causesOf } = found;
			return {
				...joinedRuns(await runsOf(found.tests ?? [], cwd, { job, workspace, how, causesOf })),
				impacted: about,
			};
		},
	};

	async function runsOf(chosen: readonly ChosenTests[], cwd: string, about: RunAbout): Promise<BuildResult[]> {
		if (chosen.length === 0) return [await runOne(cwd, undefined, cwd, about)];
		const { job, workspace, how } = about;
		const groups = new Map<string, { readonly directory: string; readonly chosen: ChosenTests[] }>();
		const env = await call.env();
		for (const each of chosen) {
			const from = each.isDirectory ? each.file : dirname(each.file);
			const search = { directory: from, workspace, env, report: "", chosen: [each], ...toolOf(how) };
			const { tool, directory, command } = await findCommand(job, search);
			const key = `${tool} ${command.part ?? ""} ${directory}`;
			groups.set(key, { directory, chosen: [...(groups.get(key)?.chosen ?? []), each] });
		}
		const runs: BuildResult[] = [];
		for (const { directory, chosen: own } of groups.values()) runs.push(await runOne(directory, own, cwd, about));
		return runs;
	}

	async function runOne(
		directory: string,
		chosen: readonly ChosenTests[] | undefined,
		cwd: string,
		{ job, workspace, how, causesOf }: RunAbout,
	): Promise<BuildResult> {
		const env = await call.env();
		const folder = mkdtempSync(join(tmpdir(), "pi-lsp-"));
		try {
			const report = join(folder, "report");
			const found = await findCommand(job, { directory, workspace, env, report, chosen, ...toolOf(how) });
			const command = found.command.words.join(" ");
			await requireTrust(command);
			const { timeout: limitMs = defaultLimitMs } = how;
			const run = await runCommand(found, { job, env, signal: call.signal, limitMs });
			const { counts } = run;
			// Runners call tests of other names skipped.
			const isNamed = chosen?.some(({ tests }) => tests.length > 0);
			const ran = counts && counts.passed + counts.failed + (isNamed ? 0 : counts.skipped);
			const ranNone = ran === 0 && run.failures.length === 0;
			const nothing = run.code !== null && (run.code === found.command.noTests || (run.code === 0 && ranNone));
			const ended = nothing ? "nothing" : run.code === 0 ? "passed" : "failed";
			return {
				tool: found.tool,
				command,
				directory: displayDirectory(found.directory, cwd),
				outcome: run.timedOut ? "timed_out" : ended,
				...(run.code === null ? {} : { exitCode: run.code }),
				ms: Math.round(run.ms),
				failures: run.failures.map((failure) => ({ ...located(failure, cwd), ...changedFor(failure, causesOf) })),
				...(counts ? { counts } : {}),
				output: run.output,
				omittedBytes: run.omittedBytes,
				others: found.others,
				...(chosen && found.command.selects === false ? { ranAll: true } : {}),
			};
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}

	async function requireTrust(command: string): Promise<void> {
		const { trusted, stillTrusted } = await call.settings();
		if (trusted && (await stillTrusted())) return;
		const message = `\`${command}\` runs what the repository brings, and that is not trusted.`;
		throw new LspError("LSP_SERVER_UNTRUSTED", message, { command, suggestion: trustSuggestion });
	}
}

interface RunAbout {
	readonly job: Job;
	readonly workspace: string;
	readonly how: Pick<BuildOrder, "tool" | "language" | "timeout">;
	readonly causesOf?: ImpactedTests["causesOf"];
}

const maxCauses = 10;

function changedFor({ file, test }: Failure, causesOf: RunAbout["causesOf"]): Pick<LocatedFailure, "changed"> {
	const changed = file === undefined ? [] : (causesOf?.(file, test) ?? []);
	return changed.length === 0 ? {} : { changed: changed.slice(0, maxCauses) };
}

function toolOf({ tool, language }: RunAbout["how"]) {
	return { tool, language };
}

async function chosenIn(paths: readonly string[], settings: Settings): Promise<ChosenTests[]> {
	return Promise.all(
		paths.map(async (given) => {
			const file = await inWorkspace(given, settings);
			const info = await statOf(file);
			if (!info)
				throw new LspError("LSP_FILE_NOT_FOUND", `${displayPath(file, settings.directory)} does not exist.`, {
					file_path: file,
				});
			return { file, tests: [], isDirectory: info.isDirectory() };
		}),
	);
}

function located({ file, ...failure }: Failure, cwd: string): LocatedFailure {
	if (file === undefined) return failure;
	const path = displayPath(file, cwd);
	if (failure.line === undefined) return { file: path, ...failure };
	const at = { line: failure.line - 1, character: Math.max((failure.column ?? 1) - 1, 0) };
	return { file: path, ...failure, location: { uri: toUri(file), range: { start: at, end: at } } };
}
