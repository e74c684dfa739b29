import { resolve } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { Settings } from "../config/read-settings.ts";
import type {
	Condition,
	Examination,
	LanguageCount,
	Prerequisite,
	ServerExamination,
} from "../contract/doctor-report.ts";
import { asLspError, type ErrorCode, LspError } from "../contract/errors.ts";
import { installerOf } from "../launch/install.ts";
import type { Pool } from "../pool/pool.ts";
import { type EnvironmentSource, entryKey, outputEnd } from "../pool/server-entry.ts";
import { programPath } from "../process/find-program.ts";
import { Directories } from "../project/directories.ts";
import { languageOf, matchesName } from "../project/file-match.ts";
import { workspaceOf } from "../project/root.ts";
import { displayPath, locate, type Route, serversFor, startFields } from "../routing/locate.ts";
import { type SelectedServer, selectServers } from "../routing/select-servers.ts";
import { type Survey, surveyLanguages } from "../routing/survey-languages.ts";
import { realPathOf } from "../util/files.ts";
import { type Ability, capabilitiesOf } from "./abilities.ts";
import { type ExaminedWorkspace, examineChoice, runningFacts } from "./inventory.ts";
import { probeServer } from "./probe.ts";

export interface ExamineContext {
	readonly pool: Pool;
	readonly settings: Settings;
	readonly cwd: string;
	readonly env: EnvironmentSource;
	readonly heldBack?: () => Promise<readonly string[]>;
	readonly signal: AbortSignal;
	readonly operations: readonly Ability[];
}

interface Candidate {
	readonly choice: SelectedServer;
	readonly route: Route | undefined;
	readonly languages: Set<string>;
}

/** Starts no server. */
export async function examineWorkspace(
	{ settings, ...context }: ExamineContext,
	directory?: string,
): Promise<Examination> {
	const { pool, cwd, signal } = context;
	const directories = new Directories();
	const workspace = await workspaceOf(cwd, directories);
	const examined = { pool, workspace, env: await context.env(), operations: context.operations };
	const survey = await surveyLanguages(directory ?? workspace, settings.servers, signal);
	const candidates = new Map<string, Candidate>();
	const problems = [...settings.problems];
	for (const { id, samples } of survey.languages)
		for (const path of samples.values()) {
			signal.throwIfAborted();
			for (const { choice, route } of await candidatesFor(path, { workspace, settings, directories, problems })) {
				const key = route ? entryKey(route) : choice.config.id;
				const known = candidates.get(key) ?? { choice, route, languages: new Set<string>() };
				candidates.set(key, known);
				known.languages.add(id);
			}
		}
	const all = [...candidates.values()];
	const servers = await Promise.all(all.map(({ choice, route }) => examineChoice(choice, route, examined)));
	const off = disabledServers(settings, survey);
	return {
		...(await facts(examined, settings, all, servers)),
		...(await heldBackBy(context)),
		...counted(survey, all),
		servers: [...servers, ...off],
		problems: [...new Set(problems)],
	};
}

export async function examineFile({ settings, ...context }: ExamineContext, file: string): Promise<Examination> {
	const { pool, cwd, env } = context;
	const path = (await realPathOf(resolve(cwd, file))) ?? resolve(cwd, file);
	const located = await locate(file, settings).catch((error: unknown) => {
		if (error instanceof LspError && ofServers.includes(error.code)) return undefined;
		throw error;
	});
	const workspace = located?.workspace ?? (await workspaceOf(cwd));
	const examined = { pool, workspace, env: await env(), operations: context.operations };
	const problems = [...settings.problems];
	const directories = new Directories();
	const found = await candidatesFor(located?.path ?? path, { workspace, settings, directories, problems });
	const servers: ServerExamination[] = [];
	// Servers that load at once would all seem slow.
	for (const { choice, route } of found) {
		const state = await examineChoice(choice, route, examined);
		const startable: readonly Condition[] = ["running", "installed", "broken"];
		servers.push(
			route && startable.includes(state.condition)
				? await probeRoute({ state, route, path: located?.path ?? path }, workspace, { settings, ...context })
				: state,
		);
	}
	const id = found[0]?.route?.languageId;
	return {
		...(await facts(examined, settings, found, servers)),
		file: displayPath(located?.path ?? path, cwd),
		...(await heldBackBy(context)),
		files: 1,
		more: false,
		languages: id === undefined ? [] : [{ id, files: 1, servers: found.map(({ choice }) => choice.config.id) }],
		servers,
		problems,
	};
}

async function heldBackBy({ heldBack }: Pick<ExamineContext, "heldBack">): Promise<Pick<Examination, "heldBack">> {
	const names = (await heldBack?.()) ?? [];
	return names.length === 0 ? {} : { heldBack: [...names] };
}

const ofServers: readonly ErrorCode[] = [
	"LSP_SERVER_UNTRUSTED",
	"LSP_SERVER_UNAVAILABLE",
	"LSP_NO_PROJECT_ROOT",
	"LSP_SERVER_DISABLED",
];

async function probeRoute(
	{ state, route, path }: { readonly state: ServerExamination; readonly route: Route; readonly path: string },
	workspace: string,
	{ pool, env, signal, operations }: ExamineContext,
): Promise<ServerExamination> {
	try {
		return await pool.use(
			route,
			{ workspace, env, signal },
			async (server) => {
				const probe = await probeServer({ server, path, languageId: route.languageId, signal });
				// Some register capabilities only for an open document.
				const { error: _, stderr: __, ...rest } = state;
				return { ...rest, ...runningFacts(server, operations), capabilities: capabilitiesOf(server), probe };
			},
			{ retry: false },
		);
	} catch (thrown) {
		signal.throwIfAborted();
		const error = asLspError(thrown);
		const stderr = outputEnd(error) ?? pool.status(route)?.stderr;
		return { ...state, condition: "broken", error: error.message, ...(stderr ? { stderr } : {}) };
	}
}

interface CandidateSearch {
	readonly workspace: string;
	readonly settings: Settings;
	readonly directories: Directories;
	readonly problems: string[];
}

async function candidatesFor(
	path: string,
	{ workspace, settings, directories, problems }: CandidateSearch,
): Promise<Candidate[]> {
	const { trusted, environment } = settings;
	const { enabled, interpreter } = await serversFor(path, settings, directories);
	const display = displayPath(path, workspace);
	try {
		const question = {
			path,
			display,
			workspace,
			trusted,
			searchPath: environment?.path,
			directories,
			includeUnready: true,
		};
		const choices = await selectServers(enabled, question);
		return choices.map((choice) => ({
			choice,
			route: routeOf(choice, path, interpreter, settings),
			languages: new Set(),
		}));
	} catch (thrown) {
		problems.push(asLspError(thrown).message);
		return [];
	}
}

function routeOf(
	{ config, root }: SelectedServer,
	path: string,
	interpreter: string | undefined,
	settings: Settings,
): Route | undefined {
	if (root === undefined) return undefined;
	const { trusted } = settings;
	return { config, root, languageId: languageOf(config, path, interpreter), trusted, ...startFields(settings) };
}

function disabledServers({ servers, disabled }: Settings, { languages }: Survey): ServerExamination[] {
	const samples = languages.flatMap((language) => [...language.samples.values()]);
	return servers
		.filter((config) => disabled.has(config.id) && samples.some((path) => matchesName(config, path)))
		.map(({ id, role = "language" }) => ({ id, role, condition: "disabled" }));
}

function counted({ languages, files, more }: Survey, candidates: readonly Candidate[]) {
	const list = languages.map(({ id, files: number }): LanguageCount => {
		const own = candidates.filter((candidate) => candidate.languages.has(id));
		return { id, files: number, servers: [...new Set(own.map(({ choice }) => choice.config.id))] };
	});
	return { files, more, languages: list };
}

async function facts(
	examined: ExaminedWorkspace,
	{ trusted, sandbox: mode }: Settings,
	candidates: readonly Candidate[],
	servers: readonly ServerExamination[],
): Promise<Pick<Examination, "workspace" | "node" | "trusted" | "sandbox" | "prerequisites">> {
	const needs = new Map<string, string[]>();
	const need = (program: string, { id }: ServerConfig) =>
		needs.set(program, [...new Set([...(needs.get(program) ?? []), id])]);
	for (const [index, { choice }] of candidates.entries()) {
		for (const program of choice.config.prerequisites ?? []) need(program, choice.config);
		const installer =
			servers[index]?.condition === "missing" ? installerOf(choice.config, examined.env.PATH) : undefined;
		if (installer) need(installer, choice.config);
	}
	const prerequisites = [...needs].map(async ([name, neededBy]): Promise<Prerequisite> => {
		const path = await programPath(name, examined.workspace, examined.env);
		return { name, ...(path === undefined ? {} : { path }), neededBy };
	});
	return {
		workspace: examined.workspace,
		node: process.version,
		trusted,
		sandbox: { mode, ...(await examined.pool.sandbox.state(examined.workspace, examined.env)) },
		prerequisites: await Promise.all(prerequisites),
	};
}
