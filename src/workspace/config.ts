import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type ServerConfig, servers } from "../../server.ts";
import type { Severity } from "../findings.ts";
import { readText, statOf } from "../util/files.ts";

export type Mode = "edit" | "turn" | "off";

/** What holds for files below one directory: the built-in servers and the configuration files that were found. */
export interface Settings {
	readonly enabled: boolean;
	readonly mode: Mode;
	readonly servers: readonly ServerConfig[];
	readonly disabled: ReadonlySet<string>;
	readonly severity: Severity;
	/** Milliseconds that a hook may wait for a warm server, and for one that has to be started. */
	readonly warmMs: number;
	readonly coldMs: number;
	/** Milliseconds that the end of a turn may be held up for a check that ran out of its own time. */
	readonly lateMs: number;
	readonly maxFileBytes: number;
	/** `file`: an `edit` says nothing about other files. `affected`: it names the files that it newly broke. */
	readonly editScope: "file" | "affected";
	/** Names of tools beside edit, write, apply_patch and multi_edit whose `path` was changed. */
	readonly mutatingTools: readonly string[];
	/** What was wrong in a configuration file; the rest of it still holds. */
	readonly problems: readonly string[];
	/** True if the person at the caller allowed what this repository brings to be run. */
	readonly trusted: boolean;
}

/** Who asks for settings. */
export interface Asker {
	readonly env?: NodeJS.ProcessEnv;
	readonly trust?: boolean | undefined;
}

const defaults: Settings = {
	enabled: true,
	mode: "edit",
	servers,
	disabled: new Set(),
	severity: "error",
	warmMs: 3000,
	coldMs: 10_000,
	lateMs: 10_000,
	maxFileBytes: 2 * 1024 * 1024,
	editScope: "affected",
	mutatingTools: [],
	problems: [],
	trusted: false,
};

/**
 * The settings for a directory: the defaults, the user's `$XDG_CONFIG_HOME/pi-lsp/config.json` over them, the nearest
 * `.pi-lsp.json` upward over that. A file is read again when it has changed. Launch fields of a repository's file are
 * not taken over: running what a clone names needs trust (design.md section 7).
 */
export async function settingsFor(
	directory: string,
	{ env = process.env, trust = false }: Asker = {},
): Promise<Settings> {
	if (env.PI_LSP === "0") return { ...defaults, enabled: false };
	const user = await readConfig(join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "pi-lsp", "config.json"));
	const repository = await nearest(directory);
	const start: Settings = { ...defaults, trusted: trust };
	return [user, repository].reduce((settings, found) => (found ? merge(settings, found) : settings), start);
}

interface ConfigFile {
	readonly path: string;
	readonly value: Record<string, unknown> | undefined;
	readonly problem?: string;
}

async function nearest(from: string): Promise<ConfigFile | undefined> {
	for (let directory = from; ; directory = dirname(directory)) {
		const found = await readConfig(join(directory, ".pi-lsp.json"));
		if (found || directory === dirname(directory)) return found;
	}
}

const cache = new Map<string, { readonly stamp: string; readonly file: ConfigFile }>();

async function readConfig(path: string): Promise<ConfigFile | undefined> {
	const info = await statOf(path);
	if (!info?.isFile()) return undefined;
	const stamp = `${info.mtimeNs}:${info.ctimeNs}:${info.size}:${info.ino}`;
	const known = cache.get(path);
	if (known?.stamp === stamp) return known.file;
	let file: ConfigFile;
	try {
		const value: unknown = JSON.parse((await readText(path)) ?? "");
		file =
			typeof value === "object" && value !== null && !Array.isArray(value)
				? { path, value: value as Record<string, unknown> }
				: { path, value: undefined, problem: `${path}: must hold a JSON object` };
	} catch (error) {
		file = { path, value: undefined, problem: `${path}: ${(error as Error).message}` };
	}
	cache.set(path, { stamp, file });
	return file;
}

/** How each field is read: what it becomes, or undefined if it is not of the right kind. */
const fields: Readonly<Record<string, (value: unknown) => Partial<Settings> | undefined>> = {
	lsp: (value) => (typeof value === "boolean" ? { enabled: value } : undefined),
	mode: (value) => (isOneOf(value, ["edit", "turn", "off"]) ? { mode: value } : undefined),
	severity: (value) => (isOneOf(value, ["error", "warning", "info", "hint"]) ? { severity: value } : undefined),
	disable: (value) => (isStrings(value) ? { disabled: new Set(value) } : undefined),
	warmMs: (value) => (isPositive(value) ? { warmMs: value } : undefined),
	coldMs: (value) => (isPositive(value) ? { coldMs: value } : undefined),
	lateMs: (value) => (isPositive(value) ? { lateMs: value } : undefined),
	maxFileBytes: (value) => (isPositive(value) ? { maxFileBytes: value } : undefined),
	editScope: (value) => (isOneOf(value, ["file", "affected"]) ? { editScope: value } : undefined),
	mutatingTools: (value) => (isStrings(value) ? { mutatingTools: value } : undefined),
	servers: () => ({}),
	$schema: () => ({}),
};

function merge(settings: Settings, { path, value, problem }: ConfigFile): Settings {
	const problems = [...settings.problems, ...(problem ? [problem] : [])];
	let merged = settings;
	for (const [name, field] of Object.entries(value ?? {})) {
		const read = Object.hasOwn(fields, name) ? fields[name] : undefined;
		const part = read?.(field);
		if (part) merged = { ...merged, ...part };
		else problems.push(`${path}: ${read ? `"${name}" has the wrong kind of value` : `"${name}" is not a setting`}`);
	}
	return { ...merged, problems };
}

function isOneOf<const Values extends readonly string[]>(value: unknown, values: Values): value is Values[number] {
	return typeof value === "string" && values.includes(value);
}

function isStrings(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isPositive(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value > 0;
}
