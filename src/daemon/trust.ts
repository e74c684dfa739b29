import type { ServerConfig } from "../../server.ts";
import { findCommand } from "../builds/find-command.ts";
import { nearestConfig } from "../config/config-file.ts";
import { readSettings } from "../config/read-settings.ts";
import { removeAnswer, writeAnswer } from "../config/trust-store.ts";
import { LspError } from "../contract/errors.ts";
import type { TrustParams } from "../contract/protocol.ts";
import { launchCommand } from "../launch/launch-command.ts";
import { projectProgram } from "../launch/project-executables.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { Directories } from "../project/directories.ts";
import { containsEvidence, type Level } from "../project/markers.ts";
import { pythonEnvironment } from "../project/python-environment.ts";
import { levelsAbove, rootOf, workspaceOf } from "../project/root.ts";
import type { TrustedRun, TrustView } from "../render/status/trust.ts";
import { realDirectory, type Service } from "./service.ts";

export async function trust(service: Service, params: TrustParams, env: EnvironmentSource): Promise<TrustView> {
	const { cwd, config: own, answer, hash } = params;
	const directory = await realDirectory(cwd);
	const root = await workspaceOf(directory);
	if (answer === "forget") removeAnswer(root);
	else if (answer === "yes" || answer === "never") {
		const now = (await service.settings({ cwd, config: own })).trust;
		if (hash !== now.hash)
			throw new LspError("LSP_INVALID_INPUT", "What the repository would run has changed since it was shown.", {
				suggestion: "See {{trust}} for what it is now.",
			});
		writeAnswer({ root, at: new Date().toISOString(), answer, hash: now.hash, shown: now.shown });
		if (answer === "yes") service.trusted(root);
	}
	const { state, by, hash: current, shown, changed } = (await service.settings(params)).trust;
	const config = (await nearestConfig(directory))?.path;
	return {
		root,
		state,
		...(by ? { by } : {}),
		hash: current,
		...(config === undefined ? {} : { config }),
		runs: await trustedRuns(directory, root, await env().catch(() => ({}))),
		shown,
		...(changed ? { changed } : {}),
		problems: (await readSettings(directory, { withoutTrust: true })).problems,
	};
}

type Variables = Readonly<Record<string, string | undefined>>;

async function trustedRuns(directory: string, workspace: string, env: Variables): Promise<TrustedRun[]> {
	const [without, withTrust] = await Promise.all([
		readSettings(directory, { withoutTrust: true }),
		readSettings(directory, { trust: true }),
	]);
	const directories = new Directories();
	const file = `${directory}/file`;
	const levels = await levelsAbove(file, workspace, directories);
	const runs: TrustedRun[] = [];
	for (const config of withTrust.servers) {
		if (withTrust.disabled.has(config.id)) continue;
		const named = without.withheld.has(config.id);
		if (!named && !(await applies(config, levels, directories))) continue;
		const root = (await rootOf(file, workspace, config, directories)) ?? workspace;
		const why = await reasonOf(config, named, root, workspace);
		if (!why) continue;
		const launch = await launchCommand(config, { root, workspace, trusted: true }, env).catch(() => undefined);
		if (launch || named)
			runs.push({ server: config.id, why, ...(launch ? { argv: [launch.file, ...launch.args] } : {}) });
	}
	const python = await pythonEnvironment(directory, workspace, env);
	if (python?.brought && python.interpreter !== undefined)
		runs.push({ server: "python", why: "the project's own interpreter", argv: [python.interpreter] });
	return [...runs, ...(await trustedCommands(directory, workspace, env))];
}

async function trustedCommands(directory: string, workspace: string, env: Variables): Promise<TrustedRun[]> {
	const search = {
		directory,
		workspace,
		env,
		report: "REPORT",
		chosen: undefined,
		tool: undefined,
		language: undefined,
	};
	const found = await Promise.all(
		(["build", "test"] as const).map(async (job) => {
			const { command } = (await findCommand(job, search).catch(() => undefined)) ?? {};
			return command ? [{ server: job, why: "the project's own tool", argv: command.words }] : [];
		}),
	);
	return found.flat();
}

async function reasonOf(
	config: ServerConfig,
	named: boolean,
	root: string,
	workspace: string,
): Promise<string | undefined> {
	if (named) return "its configuration says how";
	if (!config.namedBy && (await projectProgram(config, root, workspace))) return "the project's own program";
	return config.runsRepositoryCode ? "it runs what the repository brings: scripts, plugins, configuration" : undefined;
}

async function applies(config: ServerConfig, levels: readonly Level[], directories: Directories): Promise<boolean> {
	const { usedBy, rootMarkers } = config;
	for (const level of levels)
		if (await containsEvidence(level, usedBy ?? { files: rootMarkers }, directories)) return true;
	return false;
}
