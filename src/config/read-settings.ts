import { dirname, join } from "node:path";
import { type ServerConfig, servers } from "../../server.ts";
import type { Severity } from "../contract/check-report.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { ownDirectory } from "../util/xdg.ts";
import { type CallerConfig, callerParts } from "./caller-config.ts";
import { type ConfigFile, launchLines, nearestConfig, readConfig } from "./config-file.ts";
import { type Field, type Profile, settingFields, type WatchSetting } from "./schema.ts";
import { type Author, launchPart, type ServerEntry, withEntry } from "./servers.ts";
import { decideTrust, type Trust } from "./trust.ts";
import { mistakesIn } from "./validate-field.ts";

export { type Profile, profiles } from "./schema.ts";
export type Mode = "edit" | "turn" | "off";

/** What applies to files below one directory, for one caller. */
export interface Settings {
	/** The caller's directory, with links followed. */
	readonly directory: string;
	readonly workspace: string;
	readonly enabled: boolean;
	readonly mode: Mode;
	readonly servers: readonly ServerConfig[];
	/** Ids of servers that are not used. */
	readonly disabled: ReadonlySet<string>;
	/** Those of them that only the file of a repository switches off that is not trusted. */
	readonly disabledByRepository: ReadonlySet<string>;
	/** Language ids for which no server is used. */
	readonly disabledLanguages: readonly string[];
	readonly severity: Severity;
	/** Milliseconds that a hook may wait for a warm server, and for one that has to be started. */
	readonly warmMs: number;
	readonly coldMs: number;
	/** Milliseconds that an edit's result may wait for other files after its own file is proven. */
	readonly graceMs: number;
	/** Milliseconds that the end of a turn may wait for checks that still run. */
	readonly lateMs: number;
	/** `say`: the result of an edit ends in one line where the edited file could not be checked. */
	readonly unproven: "say" | "silent";
	readonly maxFileBytes: number;
	/** How many servers may run at once; as many as fit the machine if it is not set. */
	readonly maxServers?: number;
	/** `affected`: an edit names the other files that it newly broke. */
	readonly editScope: "file" | "affected";
	/** Names of further tools that change the file in their `path`. */
	readonly mutatingTools: readonly string[];
	readonly profile: Profile;
	/** False: the model gets no tools. */
	readonly navigationTools: boolean;
	/** Addresses to which a workspace may be connected without asking a person. */
	readonly connectAllowed: readonly string[];
	/** What is wrong in a configuration file, with its file, line and field, and what of it needs trust. */
	readonly problems: readonly string[];
	readonly watch: WatchSetting;
	/** Whether servers run in a sandbox while the repository is not trusted. */
	readonly sandbox: SandboxMode;
	/** True if what the repository brings may be run. */
	readonly trusted: boolean;
	readonly trust: Trust;
	/** Servers of which the repository's configuration says something that needs trust. */
	readonly withheld: ReadonlySet<string>;
	/** Differs between callers whose settings may differ. */
	readonly callerKey: string;
	/** True if what was trusted is still trusted, and is the same: asked right before a program is started. */
	stillTrusted(): Promise<boolean>;
}

/** What a caller's settings depend on beside its directory. */
export interface SettingsCaller {
	readonly env?: NodeJS.ProcessEnv;
	/** True, or a directory around the workspace, if the caller itself allows what the repository brings. */
	readonly trust?: boolean | string | undefined;
	/** True for a reader that starts no server: no decision of a person is looked up, and none is missed. */
	readonly withoutTrust?: boolean;
	/** The caller's PI_LSP_SANDBOX. */
	readonly sandbox?: string | undefined;
	/** What the caller was started with. */
	readonly config?: CallerConfig | undefined;
}

type Merged = Omit<Settings, "directory" | "workspace" | "callerKey" | "stillTrusted">;

const defaults: Merged = {
	enabled: true,
	mode: "edit",
	servers,
	disabled: new Set(),
	disabledByRepository: new Set(),
	disabledLanguages: [],
	severity: "error",
	warmMs: 3000,
	coldMs: 10_000,
	graceMs: 300,
	lateMs: 2000,
	unproven: "say",
	maxFileBytes: 2 * 1024 * 1024,
	editScope: "affected",
	mutatingTools: [],
	profile: "core",
	navigationTools: true,
	connectAllowed: [],
	problems: [],
	watch: "auto",
	sandbox: "auto",
	trusted: false,
	trust: { state: "untrusted", hash: "", shown: [] },
	withheld: new Set(),
};

/**
 * Reads the settings for a directory:
 * 1. The caller's workspace is found. PI_LSP=0 switches everything off there.
 * 2. The files are read, each again only when it has changed: the user's `$XDG_CONFIG_HOME/pi-lsp/config.json`, the
 *    nearest `.pi-lsp.json` upward in the repository, and what the caller was started with.
 * 3. It is decided whether the repository is trusted (`trust.ts`).
 * 4. The files are laid over the defaults in that order. What a repository's file says of programs, and of the files and
 *    roots of known servers, counts with trust only: to run what a clone names is to run the clone.
 * 5. PI_LSP_SANDBOX is laid over the files.
 * 6. What does not count is added to the problems.
 */
export async function readSettings(
	cwd: string,
	caller: SettingsCaller = {},
	disk: Disk = plainDisk,
): Promise<Settings> {
	const { env = process.env, trust: allowed = false, withoutTrust = false, sandbox, config } = caller;
	const directory = (await disk.real(cwd)) ?? cwd;
	const workspace = await workspaceOf(directory, disk);
	const stillTrusted = async () => {
		const now = await readSettings(directory, caller);
		return now.trusted && now.trust.hash === trust.hash;
	};
	const callerKey = JSON.stringify([directory, allowed, sandbox ?? null, config ?? null]);
	const about = { directory, workspace, callerKey, stillTrusted };
	if (env.PI_LSP === "0") return { ...defaults, ...about, enabled: false };

	const [user, repository, parts] = await Promise.all([
		readConfig(join(ownDirectory("XDG_CONFIG_HOME", env), "config.json"), "user", disk),
		nearestConfig(directory, disk),
		config ? callerParts(config, servers, disk) : [],
	]);

	const trust = await decideTrust({
		root: withoutTrust ? undefined : workspace,
		shown: launchLines(repository),
		caller: allowed === true || (typeof allowed === "string" && allowed !== "" && isInside(workspace, allowed)),
		trustedRoots: [user, ...parts.map(({ file }) => file)].flatMap(
			(file) => (file?.fields.trustedRoots ?? []) as readonly string[],
		),
		env,
		disk,
	});

	const trusted = trust.state === "trusted";
	const merged = [
		...(user ? [{ file: user, author: { who: "user", directory: dirname(user.path), trusted: true } as const }] : []),
		...(repository
			? [{ file: repository, author: { who: "repository", directory: dirname(repository.path), trusted } as const }]
			: []),
		...parts,
	].reduce<Merged>((below, { file, author }) => merge(below, file, author), { ...defaults, trusted, trust });

	const settings = sandbox === undefined ? merged : withSandbox(merged, sandbox);

	return {
		...settings,
		...about,
		problems: withoutTrust ? settings.problems : [...settings.problems, ...trustProblems(settings)],
	};
}

/** What PI_LSP_SANDBOX says, over every file; a mistake in it changes nothing. */
function withSandbox(settings: Merged, value: string): Merged {
	const [mistake] = mistakesIn(settingFields.sandbox as Field, value);
	if (!mistake) return { ...settings, sandbox: value as SandboxMode };
	return { ...settings, problems: [...settings.problems, `PI_LSP_SANDBOX ${mistake.message}`] };
}

/** One line about the part of the repository's configuration that needs trust, if there is one. */
function trustProblems({ trust: { state, changed = [] }, withheld }: Merged): string[] {
	if (withheld.size === 0 || state === "trusted") return [];
	const names = [...withheld].join(", ");
	const since = state === "stale" ? `; since it was allowed: ${changed.join("; ")}` : "";
	return [
		`${state}: what .pi-lsp.json says of ${names} does not count${since}. \`pi-lsp trust add\` would allow it, \`pi-lsp trust\` shows what that is.`,
	];
}

/** A file's settings over others, as far as its author is trusted. */
function merge(settings: Merged, file: ConfigFile, author: Author): Merged {
	const { lsp, disable, serverPaths, idleMinutes, trustedRoots: _, $schema: __, ...plain } = file.fields;
	const entries = [...file.servers, ...pathEntries(serverPaths, settings.servers)];
	const disabled = new Set([...settings.disabled, ...((disable ?? []) as readonly string[])]);
	for (const { id, fields } of entries) {
		if (fields.enabled === false) disabled.add(id);
		else if (fields.enabled === true) disabled.delete(id);
	}
	const withheld = entries.filter(
		(entry) => !author.trusted && Object.keys(launchPart(entry, settings.servers)).length > 0,
	);
	const timed = entries.filter(({ fields }) => fields.idleMinutes !== undefined).map(({ id }) => id);
	const all = entries.reduce((servers, entry) => withEntry(servers, entry, author), [...settings.servers]);
	return {
		...settings,
		...(plain as Partial<Merged>),
		...(lsp === undefined ? {} : { enabled: lsp === true }),
		servers:
			idleMinutes === undefined
				? all
				: all.map((server) => (timed.includes(server.id) ? server : { ...server, idleMinutes: idleMinutes as number })),
		disabled,
		disabledByRepository: new Set(
			[...disabled].filter(
				(id) => settings.disabledByRepository.has(id) || (!author.trusted && !settings.disabled.has(id)),
			),
		),
		problems: [...settings.problems, ...file.problems],
		withheld: new Set([...settings.withheld, ...withheld.map(({ id }) => id)]),
	};
}

/** `serverPaths`: programs of servers, by id or by language. */
function pathEntries(paths: unknown, all: readonly ServerConfig[]): ServerEntry[] {
	return Object.entries((paths ?? {}) as Readonly<Record<string, string>>).flatMap(([name, command]) => {
		const server = all.find(({ id }) => id === name) ?? all.find((config) => speaks(config, name));
		return server ? [{ id: server.id, fields: { command } }] : [];
	});
}

function speaks({ languageId, role = "language" }: ServerConfig, language: string): boolean {
	if (role !== "language") return false;
	return typeof languageId === "string" ? languageId === language : Object.values(languageId).includes(language);
}
