import { oneLine } from "../escape.ts";

export interface HostsView {
	readonly version: string;
	readonly hosts: readonly HostView[];
}

/** `not_on_path`: only its configuration is here. */
export interface HostView {
	readonly id: string;
	readonly title: string;
	readonly condition: "installed" | "not_on_path" | "missing";
	readonly program?: string;
	readonly version?: string;
	/** Why its version is unknown. */
	readonly error?: string;
	readonly folder?: string;
	readonly parts: readonly PartView[];
	readonly commands: readonly CommandView[];
	/** Absent without hooks. */
	readonly echo?: EchoView;
	readonly advice?: string;
	/** Needed before the agent runs anything. */
	readonly note?: string;
}

/**
 * `partly`: some is missing. `outdated`: as an earlier `init` wrote it. `changed`: by a person or another program.
 * `broken`: unreadable.
 */
export interface PartView {
	readonly part: "hooks" | "mcp" | "permissions" | "skills";
	readonly condition: "installed" | "partly" | "missing" | "outdated" | "changed" | "broken";
	readonly files: readonly string[];
	readonly error?: string;
}

/** `not_tried`: not in the form that `init` writes. */
export interface CommandView {
	readonly command: string;
	readonly condition: "answers" | "outdated" | "missing" | "broken" | "not_tried";
	readonly version?: string;
	readonly error?: string;
}

/**
 * Whether the agent's model has read its hook's text after an edit. `not_run`: the agent was not run to its end, or,
 * without `why`, pi-lsp cannot drive it.
 */
export interface EchoView {
	readonly condition: "seen" | "not_seen" | "not_run";
	readonly why?: string;
	readonly mend?: string;
}

const hostWords: Readonly<Record<HostView["condition"], string>> = {
	installed: "installed",
	not_on_path: "not on PATH",
	missing: "missing",
};

const partNames: Readonly<Record<PartView["part"], string>> = {
	hooks: "hooks",
	mcp: "MCP server",
	permissions: "permissions",
	skills: "skills",
};

const partWords: Readonly<Record<PartView["condition"], string>> = {
	installed: "installed",
	partly: "installed in part",
	missing: "missing",
	outdated: "outdated",
	changed: "changed by a person or a program",
	broken: "broken",
};

const commandWords: Readonly<Record<CommandView["condition"], string>> = {
	answers: "answers",
	outdated: "answers, and is another pi-lsp",
	missing: "missing",
	broken: "broken",
	not_tried: "not tried",
};

export function hostsText({ version, hosts }: HostsView): string {
	const sections = [
		`pi-lsp ${version}`,
		...hosts.map((host) => hostLines(host).join("\n")),
		"An agent is run with a model on this machine that writes one file, in a folder of its own; of its hooks only those of pi-lsp do anything.",
	];
	return sections.join("\n\n");
}

function hostLines({ title, condition, version, program, folder, error, ...rest }: HostView): string[] {
	const { parts, commands, echo, advice, note } = rest;
	const places = [...(program === undefined ? [] : [program]), ...(folder === undefined ? [] : [folder])];
	return [
		`${oneLine(version === undefined ? title : `${title} ${version}`)}: ${hostWords[condition]}`,
		...(places.length > 0 ? [`  ${oneLine(places.join(", "))}`] : []),
		...(error === undefined ? [] : [`  ${oneLine(error)}`]),
		...parts.flatMap(partLines),
		...commands.flatMap(commandLines),
		...(echo === undefined ? [] : echoLines(echo)),
		...(advice === undefined ? [] : [`  ${advice}`]),
		...(note === undefined ? [] : [`  ${note}`]),
	];
}

function partLines({ part, condition, files, error }: PartView): string[] {
	const where = condition === "missing" ? "" : `, ${oneLine(files.join(", "))}`;
	return [
		`  ${partNames[part]}: ${partWords[condition]}${where}`,
		...(error === undefined ? [] : [`    ${oneLine(error)}`]),
	];
}

function commandLines({ command, condition, version, error }: CommandView): string[] {
	const own = version === undefined ? "" : ` (${oneLine(version)})`;
	return [
		`  runs ${oneLine(command)}: ${commandWords[condition]}${own}`,
		...(error === undefined ? [] : [`    ${oneLine(error)}`]),
	];
}

function echoLines({ condition, why, mend }: EchoView): string[] {
	const words = condition === "seen" ? "its model reads what the hook says" : "not seen in the host";
	return [
		`  ${words}${why === undefined ? "" : `. ${oneLine(why)}`}`,
		...(mend === undefined ? [] : [`    To mend it: ${oneLine(mend)}`]),
	];
}
