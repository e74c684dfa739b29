import type { ServerConfig } from "../../server.ts";
import { LspError } from "../errors.ts";
import { aboutServer } from "../lsp/about-server.ts";
import type { LaunchCommand } from "../lsp/process.ts";
import { broughtPackages } from "./brought.ts";
import type { Route } from "./locate.ts";
import { expandPlaces, launchCommand } from "./programs.ts";
import { type ComputedSettings, computedSettings } from "./server-settings.ts";
import { trustSuggestion } from "./trust.ts";

/** What a server is about to be started with. */
export interface PreparedStart {
	/** The route's, with the settings that its workspace asks for. */
	readonly config: ServerConfig;
	readonly launch: LaunchCommand;
	readonly computed: ComputedSettings;
}

/**
 * Finds the program of a route's server and what it is given, for a caller with this environment. Rejects with
 * LSP_SERVER_UNTRUSTED, LSP_SERVER_UNAVAILABLE or LSP_PREREQUISITE_MISSING.
 */
export async function prepareStart(
	route: Route,
	workspace: string,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<PreparedStart> {
	const { config, root, trusted = false, stillTrusted } = route;
	// It may have waited for a while, or be started afresh: what was allowed then may not be allowed now.
	if (trusted && stillTrusted && !(await stillTrusted()))
		throw new LspError("LSP_SERVER_UNTRUSTED", `${config.id} is not started: what it was trusted for has changed.`, {
			...aboutServer(config),
			suggestion: trustSuggestion,
		});
	const launch = await launchCommand(config, root, workspace, environment, trusted);
	const computed = await computedSettings(route, workspace, launch.env);
	const { initializationOptions, settings } = expandPlaces(
		{ initializationOptions: config.initializationOptions, settings: computed.values ?? {} },
		root,
		trusted ? await broughtPackages(root, workspace) : undefined,
	);
	return { config: { ...config, initializationOptions, settings }, launch, computed };
}
