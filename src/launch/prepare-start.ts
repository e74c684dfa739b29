import { statSync } from "node:fs";
import process from "node:process";
import type { ServerConfig } from "../../server.ts";
import { trustSuggestion } from "../config/trust.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { withoutBroughtPaths } from "../process/find-program.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { placesUpward } from "../project/markers.ts";
import { chosenToolchain } from "../project/rustup.ts";
import type { Route } from "../routing/locate.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { stampNow, stampOfStats, statOf } from "../util/files.ts";
import { expandPlaces } from "./bundled-programs.ts";
import { cleanDatabase, databasePlaces } from "./compile-database.ts";
import { launchCommand } from "./launch-command.ts";
import { schemaInside, schemaOutside } from "./named-schemas.ts";
import { broughtPackages } from "./project-executables.ts";
import { type ComputedSettings, computedSettings } from "./server-settings.ts";

/** What a server is about to be started with. */
export interface PreparedStart {
	/** The route's, with the settings that its workspace asks for. */
	readonly config: ServerConfig;
	readonly launch: LaunchCommand;
	readonly computed: ComputedSettings;
	/** False once something has appeared with which the server would not be started; a look at the disk, without a promise. */
	readonly holds: () => boolean;
	/** Makes a server that has started as careful as the route is. */
	readonly guard: (server: LanguageServer) => void;
}

/**
 * Finds the program of a route's server and what it is given, for a caller with this environment, in the sandbox if the
 * route is to have one. Rejects with LSP_SERVER_UNTRUSTED, LSP_SERVER_UNAVAILABLE or LSP_PREREQUISITE_MISSING, and as
 * `Sandbox.around`.
 */
export async function prepareStart(
	route: Route,
	workspace: string,
	environment: Readonly<Record<string, string | undefined>>,
	sandbox: Sandbox,
): Promise<PreparedStart> {
	const { config, root, trusted = false, stillTrusted, sandbox: mode = "off" } = route;
	// It may have waited for a while, or be started afresh: what was allowed then may not be allowed now.
	if (trusted && stillTrusted && !(await stillTrusted()))
		throw new LspError("LSP_SERVER_UNTRUSTED", `${config.id} is not started: what it was trusted for has changed.`, {
			...aboutServer(config),
			suggestion: trustSuggestion,
		});
	const places = trusted ? [] : placesUpward(root, config.restricted?.unless ?? []);
	if ((await Promise.all(places.map(statOf))).some(Boolean))
		throw new LspError(
			"LSP_SERVER_UNTRUSTED",
			`${config.id} runs what the repository brings, and that is not trusted.`,
			{
				...aboutServer(config),
				suggestion: trustSuggestion,
			},
		);
	const program = await launchCommand(await withToolchain(route, environment), root, workspace, environment, trusted);
	const { compileDatabase } = trusted ? {} : (config.restricted ?? {});
	const databases = compileDatabase === undefined ? [] : databasePlaces(root);
	const stamps = databases.map(stampHere);
	const launch =
		compileDatabase === undefined
			? program
			: { ...program, args: [...program.args, compileDatabase + (await cleanDatabase(root, databases, environment))] };
	const computed = await computedSettings(route, workspace, launch.env);
	const env = trusted ? launch.env : await withoutBroughtPaths(launch.env, workspace);
	const sandboxed = await sandbox.around({ ...launch, env }, { config, root, workspace, env: environment, mode });
	const { initializationOptions, settings } = expandPlaces(
		{ initializationOptions: config.initializationOptions, settings: computed.values ?? {} },
		root,
		trusted ? await broughtPackages(root, workspace) : undefined,
	);
	const holds = () =>
		!places.some((place) => isThere(stampHere(place))) &&
		databases.every((place, index) => stampHere(place) === stamps[index]);
	const guard = (server: LanguageServer) => {
		server.schemas.textOf = (uri) => schemaInside(uri, workspace);
		if (!trusted && config.restricted?.readsNamedSchemas)
			server.documents.examine = (path, text) => examineSchema(config, path, text, workspace);
	};
	return { config: { ...config, initializationOptions, settings }, launch: sandboxed, computed, holds, guard };
}

function examineSchema(config: ServerConfig, path: string, text: string, workspace: string): void {
	const named = schemaOutside(path, text, workspace);
	if (named !== undefined)
		throw new LspError(
			"LSP_SERVER_UNTRUSTED",
			`The file's schema is outside of the workspace: ${named.slice(0, 200)}.`,
			{
				...aboutServer(config),
				suggestion: trustSuggestion,
			},
		);
}

/** What a file looks like, without a promise. Where a Linux file system may hang, what was found at the start holds. */
function stampHere(path: string): string | undefined {
	if (process.platform === "linux") return stampNow(path);
	const info = statSync(path, { bigint: true, throwIfNoEntry: false });
	return info && stampOfStats(info);
}

function isThere(stamp: string | undefined): boolean {
	return stamp !== undefined && stamp !== "unknown";
}

/** The server of a route, without trust with the Rust toolchain that the person has chosen. */
async function withToolchain(
	{ config, root, trusted }: Route,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<ServerConfig> {
	if (trusted || !config.restricted?.rustup) return config;
	const toolchain = await chosenToolchain(root, environment);
	if (toolchain === undefined) return config;
	return { ...config, environment: { ...config.environment, RUSTUP_TOOLCHAIN: toolchain } };
}
