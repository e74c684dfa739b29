import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { expandPlaceholders } from "../launch/bundled-programs.ts";
import { cleanDatabase, compileDatabasePaths } from "../launch/compile-database.ts";
import { launchCommand, withRustToolchain } from "../launch/launch-command.ts";
import { limitSchemas } from "../launch/named-schemas.ts";
import { projectPackages } from "../launch/project-executables.ts";
import { ServerSettings } from "../launch/server-settings.ts";
import { StartConditions } from "../launch/start-conditions.ts";
import { withMend } from "../launch/start-failure.ts";
import { LanguageServer, type ServerEvents } from "../lsp/server.ts";
import { withoutBroughtPaths } from "../process/find-program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { pause } from "../util/abort.ts";
import type { WriteEvent } from "../util/log.ts";
import type { Semaphore } from "../util/semaphore.ts";
import type { Capacity } from "./capacity.ts";
import { CallerGone, type EnvironmentSource, type ServerEntry } from "./server-entry.ts";

export interface PoolCaller {
	readonly workspace: string;
	readonly env: EnvironmentSource;
	readonly signal?: AbortSignal | undefined;
}

export interface StartContext {
	readonly capacity: Capacity;
	readonly starts: Semaphore;
	readonly sandbox: Sandbox;
	readonly capabilities: ClientCapabilities | undefined;
	readonly log: WriteEvent;
	stopOutdated(entry: ServerEntry, server: LanguageServer): void;
}

export async function startServer(
	entry: ServerEntry,
	{ workspace, env }: PoolCaller,
	pool: StartContext,
	events: ServerEvents,
): Promise<LanguageServer> {
	const { config, root, trusted = false, sandbox: mode = "off" } = entry.route;
	const project = { root, workspace, trusted };
	const { signal } = entry.startAbort;

	// 1. Wait for the previous end, the pause after crashes, and a place.
	await entry.ended;
	if (entry.backoff.pauseMs > 0) await pause(entry.backoff.pauseMs, signal);
	await pool.capacity.enter(entry, signal);

	// 2. Request the caller's environment.
	const environment = await env().catch((cause: unknown) => {
		throw new CallerGone(env, cause);
	});

	// 3. Check that the start is still allowed.
	const conditions = new StartConditions(entry.route);
	await conditions.check();

	// 4. Find the program.
	const command = await launchCommand(await withRustToolchain(config, project, environment), project, environment);

	// 5. For an untrusted tree, clean the compile database and the environment's paths.
	const { compileDatabase } = trusted ? {} : (config.restricted ?? {});
	const databaseArgs =
		compileDatabase === undefined
			? []
			: [compileDatabase + (await cleanDatabase(root, compileDatabasePaths(root), environment))];
	const launch = {
		...command,
		args: [...command.args, ...databaseArgs],
		env: trusted
			? command.env
			: { ...(await withoutBroughtPaths(command.env, workspace)), PATH: command.env.PATH ?? "" },
	};

	// 6. Compute the settings.
	const serverSettings = new ServerSettings(entry.route, workspace, command.env);
	const { initializationOptions, settings } = expandPlaceholders(
		{ initializationOptions: config.initializationOptions, settings: await serverSettings.initial() },
		root,
		trusted ? await projectPackages(root, workspace) : undefined,
	);

	// 7. Enter the sandbox.
	const sandboxed = await pool.sandbox.around(launch, { config, root, workspace, env: environment, mode });

	// 8. Spawn, and exchange `initialize` and `initialized`.
	entry.startsWith(environment);
	pool.log("starting", {
		...entry.logFacts,
		command: [sandboxed.file, ...sandboxed.args].join(" "),
		...(sandboxed.sandbox ? { sandbox: sandboxed.sandbox.file } : {}),
	});
	const configured = { ...config, initializationOptions, settings };
	const start = { config: configured, root, launch: sandboxed, events, capabilities: pool.capabilities };
	const launched = () => pool.starts.run(signal, () => LanguageServer.start(start, signal));
	const server = await launched()
		.catch((error: unknown) => {
			// As Biome's proxy does if its server is ending.
			if (error instanceof LspError && error.details.exit_code === 0) return launched();
			throw error;
		})
		.catch((error: unknown) => {
			throw withMend(error, config);
		});

	// 9. Keep settings current, and the conditions of a restricted start.
	if (serverSettings.dependOnDisk) server.sendChangedSettings = () => serverSettings.update(server);
	if (!trusted && config.restricted)
		server.mayContinue = () => {
			const isCurrent = conditions.isCurrent();
			if (!isCurrent) pool.stopOutdated(entry, server);
			return isCurrent;
		};
	limitSchemas(server, entry.route, workspace);
	return server;
}
