import process from "node:process";
import { Directories } from "../project/directories.ts";
import { workspaceOf } from "../project/root.ts";
import { isInside } from "../util/paths.ts";
import type { CallerConfig } from "./caller-config.ts";
import { type Settings, settingsFor } from "./resolve-settings.ts";

/** The settings of one asker, which can be asked for once more. */
export interface AskedSettings extends Settings {
	/** The caller's directory, with links followed. */
	readonly directory: string;
	/** Callers whose settings may differ have different ones. */
	readonly asker?: string;
	/** True if what was trusted then is still trusted, and is the same: asked right before something is started. */
	readonly stillTrusted?: () => Promise<boolean>;
}

/** The same, with the workspace that they are for. */
export interface SettingsAt extends AskedSettings {
	readonly workspace: string;
}

/** The settings for a caller's working directory, with what a person has allowed for its workspace. */
export async function settingsAt(
	cwd: string,
	{
		trust = false,
		sandbox,
		config,
	}: {
		readonly trust?: boolean | string | undefined;
		readonly sandbox?: string | undefined;
		readonly config?: CallerConfig | undefined;
	} = {},
	env: NodeJS.ProcessEnv = process.env,
	directories: Directories = new Directories(),
): Promise<SettingsAt> {
	const directory = (await directories.real(cwd)) ?? cwd;
	const root = await workspaceOf(directory, directories);
	const caller = trust === true || (typeof trust === "string" && trust !== "" && isInside(root, trust));
	const asker = { env, trust: caller, sandbox, root, config };
	const settings = await settingsFor(directory, asker, directories);
	return {
		...settings,
		directory,
		workspace: root,
		problems: [...settings.problems, ...heldBack(settings)],
		asker: JSON.stringify([directory, trust, sandbox ?? null, config ?? null]),
		stillTrusted: async () => {
			const now = await settingsFor(directory, asker);
			return now.trusted && now.trust.hash === settings.trust.hash;
		},
	};
}

/** What a status says of a configuration that does not count; nothing where all of it does. */
function heldBack({ trust: { state, changed = [] }, withheld }: Settings): string[] {
	if (withheld.size === 0 || state === "trusted") return [];
	const names = [...withheld].join(", ");
	const since = state === "stale" ? `; since it was allowed: ${changed.join("; ")}` : "";
	return [
		`${state}: what .pi-lsp.json says of ${names} does not count${since}. \`pi-lsp trust add\` would allow it, \`pi-lsp trust\` shows what that is.`,
	];
}
