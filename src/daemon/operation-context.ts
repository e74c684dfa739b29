import { setMaxListeners } from "node:events";
import type { Settings } from "../config/read-settings.ts";
import { type CheckReport, fitting, mergeReports } from "../contract/check-report.ts";
import type { Examination } from "../contract/doctor-report.ts";
import { disabled, LspError } from "../contract/errors.ts";
import type { CallerParams } from "../contract/protocol.ts";
import { EditSession } from "../diagnostics/edit-session.ts";
import { type Ability, abilitiesOf, capabilitiesOf } from "../doctor/abilities.ts";
import { examineFile, examineWorkspace } from "../doctor/examine.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { textAt } from "../project/git.ts";
import { workspaceOf } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import {
	type AskOptions,
	askEach,
	askFirst,
	type CallContext,
	type MaybeIncomplete,
	type ServerAnswer,
} from "../query/run.ts";
import {
	askWorkspace,
	type WorkspaceAnswers,
	type WorkspacePart,
	type WorkspaceQuery,
} from "../query/run-workspace.ts";
import { type FoundTest, testsFor } from "../query/tests-for.ts";
import {
	type DocumentedLanguage,
	documentedLanguage,
	type ToolchainDocs,
	toolchainDocs,
} from "../query/toolchain-docs.ts";
import { resolveFile } from "../routing/locate.ts";
import type { Caller } from "../routing/route-cache.ts";
import { deadline } from "../util/abort.ts";
import { hashOf } from "../util/hash.ts";
import type { ServerMetrics } from "../util/metrics.ts";
import { isInside } from "../util/paths.ts";
import { readText } from "../util/read-file.ts";
import { unproven, withWithheld } from "./edits.ts";
import { realDirectory, type Service } from "./service.ts";
import { type WorkspaceControl, workspaceControlOf } from "./workspace-control.ts";

interface CheckOptions {
	readonly scope: "file" | "affected";
	/** Milliseconds; without it the settings' budget for a warm or a cold server. */
	readonly timeout?: number | undefined;
	/** A git revision whose text of each file is the baseline, instead of the state that was proven last. */
	readonly base?: string | undefined;
}

/** What one server of a file can answer. */
interface ServerAbilities {
	/** Its id. */
	readonly server: string;
	readonly version?: string;
	readonly encoding: string;
	/** Operations. */
	readonly supported: readonly string[];
	readonly unsupported: readonly string[];
	/** By the names of the protocol. */
	readonly offers: readonly string[];
}

/** What an operation is lent: the world as one caller sees it. */
export interface OperationContext {
	readonly signal: AbortSignal;
	settings(): Promise<Settings>;
	/**
	 * Runs `work` with the first server of a file that has something to say; the file's text it then has as it is on
	 * disk. Rejects as `locate` and the pool do.
	 */
	ask<Answer extends object>(
		file: string,
		work: (asked: FileQuery) => Promise<Answer>,
		options?: AskOptions<Answer>,
	): Promise<MaybeIncomplete<Answer>>;
	/** Runs `work` with all servers of a file at once, for answers that are put together; those that fail are left out. */
	askEach<Answer extends object>(
		file: string,
		work: (asked: FileQuery) => Promise<Answer>,
		options?: AskOptions<Answer>,
	): Promise<ServerAnswer<MaybeIncomplete<Answer>>[]>;
	/** Runs `work` with each server of the workspace, or of a part of it, that answers `method`; see `askWorkspace`. */
	askWorkspace<Answer extends object>(
		method: string,
		work: (asked: WorkspaceQuery) => Promise<Answer>,
		part?: WorkspacePart,
	): Promise<WorkspaceAnswers<Answer>>;
	/** A short name of a value: the same for the same one. */
	tagOf(value: unknown): string;
	/** What a language's own tools say of a symbol; see `toolchainDocs`. Nothing where the language has none. */
	toolchainDocs(
		symbol: string,
		about: { readonly file?: string | undefined; readonly language?: DocumentedLanguage | undefined },
	): Promise<Partial<ToolchainDocs>>;
	/** The test files of a file, found without a server. Rejects as `resolveFile`. */
	testsFor(file: string): Promise<FoundTest[]>;
	/** Proves files, all in parallel. A file that cannot be proven has a state that says why. */
	check(files: readonly string[], options: CheckOptions): Promise<CheckReport>;
	/** What can be done to servers without asking them anything. */
	control(): Promise<WorkspaceControl>;
	/** What goes into the log from now on: 1 what servers write to their standard error, 2 their frames as well. */
	setDebug(level: 0 | 1 | 2): void;
	/** The workspace's languages and servers, or one file's servers, which are started and tried out. */
	examine(file?: string): Promise<Examination>;
	/** What each server of a file can answer, started if need be; without a file those that run in the workspace. */
	capabilities(file?: string): Promise<ServerAbilities[]>;
	servers(): ReturnType<Service["servers"]>;
	metrics(): Record<string, ServerMetrics>;
	/** Stops the workspace's servers, to be started afresh by the next request; all of them without an id. Returns how many. */
	restart(id?: string): Promise<number>;
	process(): {
		readonly pid: number;
		readonly upMs: number;
		readonly memoryBytes: number;
		readonly cpuMs: number;
	};
}

const maxCheckMs = 3_600_000;

/** The workbench of one call; `operations` is all that callers can ask for. */
export function operationContextFor(
	service: Service,
	{ cwd, trust, sandbox, config, permits }: CallerParams,
	env: EnvironmentSource,
	signal: AbortSignal,
	operations: readonly Ability[],
): OperationContext {
	// An operation may ask about many files at once, and each question listens.
	setMaxListeners(0, signal);
	const caller = { cwd, trust, sandbox, config };
	const read = async () => {
		const found = await service.settings(caller);
		if (!found.enabled) throw disabled();
		return found;
	};
	let known: ReturnType<typeof read> | undefined;
	/** One call has the same settings from beginning to end. */
	const settings = () => {
		known ??= read();
		return known;
	};
	/** Where the caller is was found out with the settings or with a file: to look it up first is on every question's way. */
	const askerOf = ({ directory }: Pick<Settings, "directory">): CallContext => ({
		service,
		cwd: directory,
		env,
		signal,
	});
	const each: OperationContext["askEach"] = async (file, work, options = {}) => {
		const found = await service.locate(file, caller);
		return askEach(askerOf(found.settings), { located: found.located, answer: work, options });
	};
	return {
		signal,
		settings,
		async ask(file, work, options = {}) {
			const found = await service.locate(file, caller);
			return askFirst(askerOf(found.settings), { located: found.located, answer: work, options });
		},
		askEach: each,
		async askWorkspace(method, work, part) {
			const found = await settings();
			return askWorkspace(askerOf(found), found, { method, answer: work, part });
		},
		tagOf: (value) => hashOf(JSON.stringify(value), 12),
		async toolchainDocs(symbol, { file, language }) {
			const found = await settings();
			const { directory } = found;
			const place = file === undefined ? undefined : await resolveFile(file, directory, found);
			const its = language ?? (place && documentedLanguage(place.path));
			if (its === undefined) return {};
			const workspace = place?.workspace ?? (await workspaceOf(directory));
			const about = { symbol, language: its, place, cwd: directory, workspace };
			return toolchainDocs({ ...about, settings: found, env: await env(), signal });
		},
		async testsFor(file) {
			const found = await settings();
			const { directory } = found;
			return testsFor(service, await resolveFile(file, directory, found), directory, signal);
		},
		async check(files, options) {
			// One file that is a mistake of the caller ends the whole check, the others' included.
			const all = deadline(maxCheckMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"), signal);
			try {
				const checks = files.map((file) => checkOne(service, file, caller, options, env, all.signal));
				return fitting(mergeReports(await Promise.all(checks)));
			} catch (thrown) {
				// Only where others still go on: to abort makes an error with its stack, for each check.
				all.end(true);
				throw thrown;
			} finally {
				all.end();
			}
		},
		async examine(file) {
			const found = await settings();
			const patient = { pool: service.pool, settings: found, cwd: found.directory, env, signal, operations };
			return file === undefined ? examineWorkspace(patient) : examineFile(patient, file);
		},
		async control() {
			const asker = askerOf({ directory: await realDirectory(cwd) });
			return workspaceControlOf(asker, settings, () => service.settings(caller), permits);
		},
		setDebug(level) {
			service.pool.debug = level;
		},
		async capabilities(file) {
			const told = (server: LanguageServer) => ({
				...(server.version ? { version: server.version } : {}),
				encoding: server.encoding,
				...abilitiesOf(server, operations),
				offers: capabilitiesOf(server),
			});
			if (file === undefined) {
				const workspace = await workspaceOf(await realDirectory(cwd));
				const running = service.pool.servers().filter(({ root }) => isInside(root, workspace));
				return running.map((server) => ({ server: server.config.id, ...told(server) }));
			}
			const found = await each(file, async ({ server }) => told(server), { linters: true });
			return found.map(({ server, answer }) => ({ server, ...answer }));
		},
		servers: () => service.servers(),
		metrics: () => service.metrics.all(),
		async restart(id) {
			const workspace = await workspaceOf(await realDirectory(cwd));
			// Other workspaces have other people and agents waiting for theirs.
			const isOwn = (root: string) => isInside(root, workspace) || isInside(workspace, root);
			return service.pool.stop((server) => (id === undefined || server.id === id) && isOwn(server.root));
		},
		process: () => ({
			pid: process.pid,
			upMs: Date.now() - service.startedAt,
			memoryBytes: process.memoryUsage.rss(),
			cpuMs: cpuMs(),
		}),
	};
}

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return Math.round((user + system) / 1000);
}

async function checkOne(
	service: Service,
	file: string,
	caller: Caller,
	{ scope, timeout, base }: CheckOptions,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<CheckReport> {
	try {
		const { located, settings } = await service.locate(file, caller);
		const warm = located.routes.every((route) => service.pool.running(route));
		const budget = timeout ?? (warm ? settings.warmMs : settings.coldMs);
		const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
		const session = new EditSession();
		try {
			const context = { cwd: settings.directory, env, signal: limit.signal, session, call: base };
			if (base !== undefined) {
				const asker = { workspace: located.workspace, env: await env(), signal: limit.signal };
				const maxBytes = settings.maxFileBytes;
				const [before, now] = await Promise.all([
					textAt(base, located.path, { ...asker, maxBytes }),
					readText(located.path, { maxBytes, within: located.workspace }),
				]);
				void service.checker.baseline(located, before, now, context);
			}
			return withWithheld(await service.checker.check(located, scope, context), located);
		} finally {
			session.close();
			limit.end();
		}
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		return unproven(file, thrown);
	}
}
