import { basename, dirname, join } from "node:path";
import { type ServerConfig, servers } from "../../server.ts";
import type { Severity } from "../contract/check-report.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { type Extension, noExtension } from "../contract/extension.ts";
import type { EnvironmentSummary } from "../contract/protocol.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import { didYouMean } from "../render/nearest-names.ts";
import { type Disk, plainDisk } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { ownDirectory } from "../util/xdg.ts";
import { type CallerConfig, callerParts } from "./caller-config.ts";
import { type ConfigFile, launchLines, nearestConfig, readConfig } from "./config-file.ts";
import { extensionParts, joinedExtension } from "./extensions.ts";
import { type Field, type Profile, settingFields, type WatchSetting } from "./schema.ts";
import { type Author, type ConfiguredEntry, isWithheld, maxSuggested, speaks, withEntry } from "./servers.ts";
import { decideTrust, type Trust } from "./trust.ts";
import { mistakesIn, quoted } from "./validate-field.ts";

export { type Profile, profiles } from "./schema.ts";
export type Mode = "edit" | "turn" | "off";
export type Preflight = "off" | "warn" | "block";

export interface Settings {
	/** With links resolved. */
	readonly directory: string;
	readonly workspace: string;
	readonly enabled: boolean;
	readonly switchedOffBy?: string | undefined;
	readonly mode: Mode;
	readonly preflight: Preflight;
	readonly preflightMs: number;
	readonly servers: readonly ServerConfig[];
	readonly disabled: ReadonlySet<string>;
	readonly disabledByRepository: ReadonlySet<string>;
	readonly disabledLanguages: readonly string[];
	readonly severity: Severity;
	readonly warmMs: number;
	readonly coldMs: number;
	readonly graceMs: number;
	readonly lateMs: number;
	readonly unproven: "say" | "silent";
	readonly declarations: boolean;
	readonly fixHandles: boolean;
	readonly nextStep: boolean;
	readonly nudges: boolean;
	readonly maxFileBytes: number;
	readonly maxServers?: number;
	readonly editScope: "file" | "affected";
	readonly mutatingTools: readonly string[];
	readonly exclude: readonly string[];
	readonly profile: Profile;
	readonly navigationTools: boolean;
	readonly connectAllowed: readonly string[];
	readonly consumerRoots: readonly string[];
	readonly auditPreview: boolean;
	/** Only the user's configuration and a caller's name packages. */
	readonly extension: Extension;
	/** Also in what lacks trust. */
	readonly problems: readonly string[];
	readonly watch: WatchSetting;
	readonly sandbox: SandboxMode;
	readonly trusted: boolean;
	readonly trust: Trust;
	/** Their configuration in the repository needs trust. */
	readonly withheld: ReadonlySet<string>;
	readonly environment: EnvironmentSummary | undefined;
	/** Equal keys have equal settings. */
	readonly callerKey: string;
	stillTrusted(): Promise<boolean>;
}

export interface SettingsCaller {
	readonly env?: NodeJS.ProcessEnv;
	/** True, or a trusted directory around the workspace. */
	readonly trust?: boolean | string | undefined;
	readonly withoutTrust?: boolean;
	/** PI_LSP_SANDBOX. */
	readonly sandbox?: string | undefined;
	readonly environment?: EnvironmentSummary | undefined;
	readonly config?: CallerConfig | undefined;
}

type Merged = Omit<Settings, "directory" | "workspace" | "environment" | "callerKey" | "stillTrusted">;

export const defaultIdleMinutes = 5;

export const defaultSettings: Merged = {
	enabled: true,
	mode: "edit",
	preflight: "off",
	preflightMs: 300,
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
	declarations: true,
	fixHandles: true,
	nextStep: true,
	nudges: true,
	maxFileBytes: 2 * 1024 * 1024,
	editScope: "affected",
	mutatingTools: [],
	exclude: [],
	profile: "core",
	navigationTools: true,
	connectAllowed: [],
	consumerRoots: [],
	auditPreview: false,
	extension: noExtension,
	problems: [],
	watch: "auto",
	sandbox: "auto",
	trusted: false,
	trust: { state: "untrusted", hash: "", shown: [] },
	withheld: new Set(),
};

/**
 * PI_LSP=0 disables everything. Without trust a repository's file says nothing of programs, nor of known servers' files
 * and roots.
 */
export async function readSettings(
	cwd: string,
	caller: SettingsCaller = {},
	disk: Disk = plainDisk,
): Promise<Settings> {
	const { env = process.env, trust: allowed = false, withoutTrust = false, sandbox, environment, config } = caller;
	const directory = (await disk.real(cwd)) ?? cwd;
	const workspace = await workspaceOf(directory, disk);
	const stillTrusted = async () => {
		const now = await readSettings(directory, caller);
		return now.trusted && now.trust.hash === trust.hash;
	};
	const callerKey = JSON.stringify([directory, allowed, sandbox ?? null, environment ?? null, config ?? null]);
	const about = { directory, workspace, environment, callerKey, stillTrusted };
	if (env.PI_LSP === "0") return { ...defaultSettings, ...about, enabled: false };

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
	const packages = await extensionParts([user, ...parts.map(({ file }) => file)], disk);
	const added = joinedExtension(packages);
	const merged = [
		...packages,
		...(user ? [{ file: user, author: { who: "user", directory: dirname(user.path), trusted: true } as const }] : []),
		...(repository
			? [{ file: repository, author: { who: "repository", directory: dirname(repository.path), trusted } as const }]
			: []),
		...parts,
	].reduce<Merged>((below, { file, author }) => merge(below, file, author), { ...defaultSettings, trusted, trust });

	const all = { ...merged, extension: added.extension, problems: [...merged.problems, ...added.problems] };
	const settings = sandbox === undefined ? all : withSandbox(all, sandbox);

	return {
		...settings,
		...about,
		problems: withoutTrust ? settings.problems : [...settings.problems, ...trustProblems(settings, repository)],
	};
}

function withSandbox(settings: Merged, value: string): Merged {
	const [mistake] = mistakesIn(settingFields.sandbox as Field, value);
	if (!mistake) return { ...settings, sandbox: value as SandboxMode };
	return { ...settings, problems: [...settings.problems, `PI_LSP_SANDBOX ${mistake.message}`] };
}

function trustProblems({ trust: { state, changed = [] }, withheld }: Merged, file: ConfigFile | undefined): string[] {
	if (withheld.size === 0 || state === "trusted") return [];
	const names = [...withheld].join(", ");
	const since = state === "stale" ? `; since it was allowed: ${changed.join("; ")}` : "";
	return [
		`${state}: what ${basename(file?.path ?? ".pi-lsp.json")} says of ${names} does not count${since}. Only a person may allow it: ask them to run \`pi-lsp trust add\`; \`pi-lsp trust\` shows what that is.`,
	];
}

function merge(settings: Merged, file: ConfigFile, author: Author): Merged {
	const {
		lsp,
		disable,
		serverPaths,
		idleMinutes,
		trustedRoots: _,
		extensions: __,
		$schema: ___,
		...plain
	} = file.fields;
	const paths = pathEntries(serverPaths, settings.servers);
	const entries = [...file.servers, ...paths.entries];
	const isOwn = author.who !== "repository";
	const disabled = new Set([...settings.disabled, ...((disable ?? []) as readonly string[])]);
	for (const { id, fields } of entries) {
		if (fields.enabled === false) disabled.add(id);
		// What the user has switched off stays off.
		else if (fields.enabled === true && (isOwn || !settings.disabled.has(id))) disabled.delete(id);
	}
	const withheld = entries.filter((entry) => isWithheld(entry, settings.servers, author));
	const timed = entries.filter(({ fields }) => fields.idleMinutes !== undefined).map(({ id }) => id);
	const all = entries.reduce((servers, entry) => withEntry(servers, entry, author), [...settings.servers]);
	return {
		...settings,
		...(plain as Partial<Merged>),
		...(lsp === undefined ? {} : { enabled: lsp === true && (isOwn || settings.enabled) }),
		...(lsp === false ? { switchedOffBy: file.path } : {}),
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
		problems: [...settings.problems, ...file.problems, ...unknownPaths(file, paths.unknown, all)],
		withheld: new Set([...settings.withheld, ...withheld.map(({ id }) => id)]),
	};
}

function pathEntries(paths: unknown, all: readonly ServerConfig[]) {
	const entries: ConfiguredEntry[] = [];
	const unknown: string[] = [];
	for (const [name, command] of Object.entries((paths ?? {}) as Readonly<Record<string, string>>)) {
		const server = all.find(({ id }) => id === name) ?? all.find((config) => speaks(config, name));
		if (server) entries.push({ id: server.id, fields: { command } });
		else unknown.push(name);
	}
	return { entries, unknown };
}

function unknownPaths({ path }: ConfigFile, names: readonly string[], servers: readonly ServerConfig[]): string[] {
	const ids = servers.map(({ id }) => id);
	return names.map((name, index) => {
		const near = index < maxSuggested ? didYouMean(name, ids) : "";
		return `${path}: "serverPaths": ${quoted(name)} is neither a server nor a language${near && `.${near}`}`;
	});
}
