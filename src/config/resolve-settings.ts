import { dirname, join } from "node:path";
import { type ServerConfig, servers } from "../../server.ts";
import type { Severity } from "../contract/check-report.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { LruMap } from "../util/lru-map.ts";
import { ownDirectory } from "../util/xdg.ts";
import { type CallerConfig, type CallerPart, callerParts } from "./caller-config.ts";
import { type ConfigFile, launchLines, nearestConfig, readConfig } from "./config-file.ts";
import { type Field, type Profile, settingFields } from "./schema.ts";
import { type Author, launchPart, type ServerEntry, withEntry } from "./servers.ts";
import { decideTrust, type Trust } from "./trust.ts";
import { mistakesIn } from "./validate-field.ts";

export { type Profile, profiles } from "./schema.ts";
export type Mode = "edit" | "turn" | "off";

/** What holds for files below one directory: the built-in servers and the configuration files that were found. */
export interface Settings {
	readonly enabled: boolean;
	readonly mode: Mode;
	readonly servers: readonly ServerConfig[];
	readonly disabled: ReadonlySet<string>;
	/** Those of them that only a repository's file switches off which nobody trusts. */
	readonly disabledByRepository: ReadonlySet<string>;
	/** Language ids for which no server is used. */
	readonly disabledLanguages: readonly string[];
	readonly severity: Severity;
	/** Milliseconds that a hook may wait for a warm server, and for one that has to be started. */
	readonly warmMs: number;
	readonly coldMs: number;
	/** Milliseconds that an edit's result may wait for other files after its own file is proven. */
	readonly graceMs: number;
	/** Milliseconds that the end of a turn may be held up for what is still being checked. */
	readonly lateMs: number;
	/** `say`: where the edited file could not be checked its result ends in one line about it. */
	readonly unproven: "say" | "silent";
	readonly maxFileBytes: number;
	/** How many servers may run at once; without it as many as fit the machine. */
	readonly maxServers?: number;
	/** `file`: an `edit` says nothing about other files. `affected`: it names the files that it newly broke. */
	readonly editScope: "file" | "affected";
	/** Names of tools beside edit, write, apply_patch and multi_edit whose `path` was changed. */
	readonly mutatingTools: readonly string[];
	/** Which tools the model is offered, where nobody says otherwise. */
	readonly profile: Profile;
	/** False: the model gets no tools. */
	readonly navigationTools: boolean;
	/** Addresses to which a workspace may be connected without asking a person. */
	readonly connectAllowed: readonly string[];
	/** What was wrong in a configuration file, with its file, line and field; the rest of it still holds. */
	readonly problems: readonly string[];
	/** Whether servers run in a sandbox while this repository is not trusted. */
	readonly sandbox: SandboxMode;
	/** True if what this repository brings may be run. */
	readonly trusted: boolean;
	readonly trust: Trust;
	/** Servers of which the repository's configuration says something that does not count without trust. */
	readonly withheld: ReadonlySet<string>;
}

/** Who asks for settings. */
export interface Asker {
	readonly env?: NodeJS.ProcessEnv;
	/** True if the caller itself allows what the repository brings. */
	readonly trust?: boolean | undefined;
	/** What the caller's PI_LSP_SANDBOX says, if it says anything. */
	readonly sandbox?: string | undefined;
	/** The workspace, for which a person may have allowed it. */
	readonly root?: string | undefined;
	/** What the caller was started with. */
	readonly config?: CallerConfig | undefined;
}

const nothing: Trust = { state: "untrusted", hash: "", shown: [] };

const defaults: Settings = {
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
	sandbox: "auto",
	trusted: false,
	trust: nothing,
	withheld: new Set(),
};

/**
 * The settings for a directory: the defaults, the user's `$XDG_CONFIG_HOME/pi-lsp/config.json` over them, the nearest
 * `.pi-lsp.json` upward in the repository over that, what the caller was started with over all. A file is read again when it has changed.
 * What a repository's file says of programs, and of the files and roots of known servers, counts with trust only: running
 * what a clone names is running the clone.
 */
export async function settingsFor(
	directory: string,
	{ env = process.env, trust: caller = false, sandbox, root, config }: Asker = {},
	disk: Disk = plainDisk,
): Promise<Settings> {
	if (env.PI_LSP === "0") return { ...defaults, enabled: false };
	const own = ownDirectory("XDG_CONFIG_HOME", env);
	const [user, repository, parts] = await Promise.all([
		readConfig(join(own, "config.json"), "user", disk),
		nearestConfig(directory, disk),
		config ? callerParts(config, servers, disk) : [],
	]);
	const trustedRoots = [user, ...parts.map(({ file }) => file)].flatMap(
		(file) => (file?.fields.trustedRoots ?? []) as readonly string[],
	);
	const trust = await decideTrust({ root, shown: launchLines(repository), caller, trustedRoots, env, disk });
	return resolved(user, repository, parts, trust, sandbox);
}

const known = new LruMap<Settings>(100);

/** The same files and the same trust make the same settings, which many questions in a row ask for. */
function resolved(
	user: ConfigFile | undefined,
	repository: ConfigFile | undefined,
	parts: readonly CallerPart[],
	trust: Trust,
	sandbox: string | undefined,
): Settings {
	const files = [user, repository, ...parts.map(({ file }) => file)].map((file) => file && [file.path, file.stamp]);
	const key = JSON.stringify([files, trust, sandbox]);
	const before = known.get(key);
	if (before) return before;
	const trusted = trust.state === "trusted";
	const start: Settings = { ...defaults, trusted, trust };
	const withUser = user ? merge(start, user, { who: "user", directory: dirname(user.path), trusted: true }) : start;
	const withBoth = repository
		? merge(withUser, repository, { who: "repository", directory: dirname(repository.path), trusted })
		: withUser;
	const withParts = parts.reduce((below, { file, author }) => merge(below, file, author), withBoth);
	const settings = sandbox === undefined ? withParts : withSandbox(withParts, sandbox);
	known.set(key, settings);
	return settings;
}

/** What the environment says of the sandbox, over every file; a mistake in it changes nothing. */
function withSandbox(settings: Settings, said: string): Settings {
	const [mistake] = mistakesIn(settingFields.sandbox as Field, said);
	if (!mistake) return { ...settings, sandbox: said as SandboxMode };
	return { ...settings, problems: [...settings.problems, `PI_LSP_SANDBOX ${mistake.message}`] };
}

function merge(settings: Settings, file: ConfigFile, author: Author): Settings {
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
		...(plain as Partial<Settings>),
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

/** Programs of servers, by their id or by a language. */
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
