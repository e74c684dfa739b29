import { basename } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { ServerExamination } from "../contract/doctor-report.ts";
import { asLspError } from "../contract/errors.ts";
import { strategyOf } from "../diagnostics/sources/prove.ts";
import { installHint, isInstallable } from "../launch/install.ts";
import { launchCommand } from "../launch/launch-command.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Pool } from "../pool/pool.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import type { Route } from "../routing/locate.ts";
import type { SelectedServer } from "../routing/select-servers.ts";
import { type Ability, abilitiesOf } from "./abilities.ts";

const allowance = "a person who trusts this repository runs `pi-lsp trust add`";

export interface ExaminedWorkspace {
	readonly pool: Pool;
	readonly workspace: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly operations: readonly Ability[];
}

/** Starts no server. */
export async function examineChoice(
	choice: SelectedServer,
	route: Route | undefined,
	examined: ExaminedWorkspace,
): Promise<ServerExamination> {
	const { config } = choice;
	const { id, role = "language", namedBy } = config;
	const known = { id, role, ...(namedBy ? { namedBy } : {}), ...declared(config) };
	if (!route) return { ...known, condition: "no_project", error: `looked for ${config.rootMarkers.join(", ")}` };
	const about = { ...known, root: route.root };
	if (!choice.mayRun)
		return {
			...about,
			condition: "untrusted",
			error: "it runs what the repository brings",
			allow: allowance,
			...(await installed(config, route, examined)),
		};
	const restricted = config.restricted && !route.trusted ? { restricted: true, allow: allowance } : {};
	const running = examined.pool.running(route);
	if (running) return { ...about, ...restricted, ...runningFacts(running, examined.operations) };
	const here = await installed(config, route, examined);
	const pooled = examined.pool.status(route);
	if (here.command !== undefined && pooled?.pooled.state === "broken") {
		const stderr = pooled.stderr === undefined ? {} : { stderr: pooled.stderr };
		return {
			...about,
			...here,
			condition: "broken",
			error: pooled.pooled.error ?? "it crashed again and again",
			...stderr,
		};
	}
	return { ...about, ...restricted, ...here, condition: here.command === undefined ? "missing" : "installed" };
}

export function runningFacts(
	server: LanguageServer,
	operations: readonly Ability[],
): Omit<ServerExamination, "id" | "role"> {
	const { diagnoses = true, strategy } = server.config;
	const inUse = strategyOf(server);
	return {
		condition: "running",
		root: server.root,
		command: commandLine(server.launch),
		...(server.launch.sandbox ? { sandboxed: true } : {}),
		...(server.version ? { version: server.version } : {}),
		...(server.complaint.text ? { says: server.complaint.text } : {}),
		...(diagnoses ? { strategy: inUse, detected: inUse !== strategy } : {}),
		operations: abilitiesOf(server, operations).supported,
	};
}

function declared({ strategy, diagnoses = true }: ServerConfig): { readonly strategy?: string } {
	return diagnoses && strategy ? { strategy } : {};
}

async function installed(
	config: ServerConfig,
	{ root }: Route,
	{ workspace, env }: ExaminedWorkspace,
): Promise<Pick<ServerExamination, "command" | "error" | "install" | "installable">> {
	try {
		return { command: commandLine(await launchCommand(config, { root, workspace, trusted: false }, env)) };
	} catch (thrown) {
		const { code, message } = asLspError(thrown);
		const install = code === "LSP_SERVER_UNAVAILABLE" ? installHint(config, env.PATH) : undefined;
		return { error: message, ...(install ? { install, installable: isInstallable(config, env.PATH) } : {}) };
	}
}

function commandLine({ file, args, connect }: LaunchCommand): string {
	if (connect !== undefined) return `by others, on ${connect}`;
	const words = basename(file) === "node" && args[0] !== undefined ? args : [file, ...args];
	return words.join(" ");
}
