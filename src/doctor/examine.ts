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
import { type EnvironmentSource, entryKey } from "../pool/server-entry.ts";
import { programPath } from "../process/find-program.ts";
import { Directories } from "../project/directories.ts";
import { languageOf, matchesName } from "../project/file-match.ts";
import { workspaceOf } from "../project/root.ts";
import { displayPath, locate, type Route, sandboxFor, serversFor } from "../routing/locate.ts";
import { type SelectedServer, selectServers } from "../routing/select-servers.ts";
import { type Survey, surveyLanguages } from "../routing/survey-languages.ts";
import { realPathOf } from "../util/files.ts";
import { type Ability, capabilitiesOf } from "./abilities.ts";
import { examineChoice, type Place, runningFacts } from "./inventory.ts";
import { probeServer } from "./probe.ts";

/** What an examination is asked with. */
export interface Patient {
	readonly pool: Pool;
	readonly settings: Settings;
	/** The caller's working directory, links followed. */
	readonly cwd: string;
	readonly env: EnvironmentSource;
	readonly signal: AbortSignal;
	/** What callers can ask for. */
	readonly operations: readonly Ability[];
}

/** One server that would answer for some files, and the examination of it that is under way. */
interface Candidate {
	readonly choice: SelectedServer;
	readonly route: Route | undefined;
	readonly languages: Set<string>;
}

/** Of one workspace: its languages, and of each server that would answer what is there and what is wrong. Starts none. */
export async function examineWorkspace({ settings, ...patient }: Patient): Promise<Examination> {
	const { pool, cwd, signal } = patient;
	const directories = new Directories();
	const workspace = await workspaceOf(cwd, directories);
	const place = { pool, workspace, env: await patient.env(), operations: patient.operations };
	const survey = await surveyLanguages(workspace, settings.servers, signal);
	const candidates = new Map<string, Candidate>();
	const problems = [...settings.problems];
	for (const { id, samples } of survey.languages)
		for (const path of samples.values()) {
			signal.throwIfAborted();
			for (const { choice, route } of await candidatesFor(path, place, settings, directories, problems)) {
				const key = route ? entryKey(route) : choice.config.id;
				const known = candidates.get(key) ?? { choice, route, languages: new Set<string>() };
				candidates.set(key, known);
				known.languages.add(id);
			}
		}
	const all = [...candidates.values()];
	const servers = await Promise.all(all.map(({ choice, route }) => examineChoice(choice, route, place)));
	const off = disabledServers(settings, survey);
	return {
		...(await facts(place, settings, all, servers)),
		...counted(survey, all),
		servers: [...servers, ...off],
		problems: [...new Set(problems)],
	};
}

/** Of one file: its servers are started, and each is tried out. */
export async function examineFile({ settings, ...patient }: Patient, file: string): Promise<Examination> {
	const { pool, cwd, env } = patient;
	const path = (await realPathOf(resolve(cwd, file))) ?? resolve(cwd, file);
	const located = await locate(file, cwd, settings).catch((error: unknown) => {
		// What is wrong with its servers is what the examination tells.
		if (error instanceof LspError && ofServers.includes(error.code)) return undefined;
		throw error;
	});
	const workspace = located?.workspace ?? (await workspaceOf(cwd));
	const place = { pool, workspace, env: await env(), operations: patient.operations };
	const problems = [...settings.problems];
	const found = await candidatesFor(located?.path ?? path, place, settings, new Directories(), problems);
	const servers: ServerExamination[] = [];
	// One after the other: two that load side by side would each seem slow.
	for (const { choice, route } of found) {
		const state = await examineChoice(choice, route, place);
		const startable: readonly Condition[] = ["running", "installed", "broken"];
		servers.push(
			route && startable.includes(state.condition)
				? await tryOut(state, route, located?.path ?? path, workspace, { settings, ...patient })
				: state,
		);
	}
	const id = found[0]?.route?.languageId;
	return {
		...(await facts(place, settings, found, servers)),
		file: displayPath(located?.path ?? path, cwd),
		files: 1,
		more: false,
		languages: id === undefined ? [] : [{ id, files: 1, servers: found.map(({ choice }) => choice.config.id) }],
		servers,
		problems,
	};
}

const ofServers: readonly ErrorCode[] = [
	"LSP_SERVER_UNTRUSTED",
	"LSP_SERVER_UNAVAILABLE",
	"LSP_NO_PROJECT_ROOT",
	"LSP_SERVER_DISABLED",
];

async function tryOut(
	state: ServerExamination,
	route: Route,
	path: string,
	workspace: string,
	{ pool, env, signal, operations }: Patient,
): Promise<ServerExamination> {
	try {
		return await pool.use(
			route,
			{ workspace, env, signal },
			async (server) => {
				const probe = await probeServer(server, path, route.languageId, signal);
				// Read after it was used: some register what they offer when a document is open.
				const { error: _, stderr: __, ...rest } = state;
				return { ...rest, ...runningFacts(server, operations), capabilities: capabilitiesOf(server), probe };
			},
			{ retry: false },
		);
	} catch (thrown) {
		signal.throwIfAborted();
		const { message, details } = asLspError(thrown);
		const stderr = typeof details.stderr === "string" ? details.stderr : pool.status(route)?.stderr;
		return { ...state, condition: "broken", error: message, ...(stderr ? { stderr } : {}) };
	}
}

/** The servers that would answer for a file, also those that are not there. */
async function candidatesFor(
	path: string,
	{ workspace }: Place,
	settings: Settings,
	directories: Directories,
	problems: string[],
): Promise<Candidate[]> {
	const { trusted } = settings;
	const { enabled, interpreter } = await serversFor(path, settings);
	const display = displayPath(path, workspace);
	try {
		const question = { path, display, workspace, trusted, directories, includeUnready: true };
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
	return { config, root, languageId: languageOf(config, path, interpreter), trusted, ...sandboxFor(settings) };
}

/** The servers of the languages found that are switched off. */
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
	place: Place,
	{ trusted, sandbox: mode }: Settings,
	candidates: readonly Candidate[],
	servers: readonly ServerExamination[],
): Promise<Pick<Examination, "workspace" | "node" | "trusted" | "sandbox" | "prerequisites">> {
	const needs = new Map<string, string[]>();
	const need = (program: string, { id }: ServerConfig) =>
		needs.set(program, [...new Set([...(needs.get(program) ?? []), id])]);
	for (const [index, { choice }] of candidates.entries()) {
		for (const program of choice.config.prerequisites ?? []) need(program, choice.config);
		// What is not there yet needs its package manager.
		const installer = servers[index]?.condition === "missing" ? installerOf(choice.config.install) : undefined;
		if (installer) need(installer, choice.config);
	}
	const prerequisites = [...needs].map(async ([name, neededBy]): Promise<Prerequisite> => {
		const path = await programPath(name, place.workspace, place.env);
		return { name, ...(path === undefined ? {} : { path }), neededBy };
	});
	return {
		workspace: place.workspace,
		node: process.version,
		trusted,
		sandbox: { mode, ...(await place.pool.sandbox.state(place.workspace, place.env)) },
		prerequisites: await Promise.all(prerequisites),
	};
}
