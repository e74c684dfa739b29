import { shellWord } from "../../render/shell-word.ts";

/** What of a host's configuration is asked for: `hooks`, or the MCP server with its permissions and the skills. */
export type Part = "hooks" | "mcp";

export const parts = ["hooks", "mcp"] as const satisfies readonly Part[];

/** One thing that `pi-lsp init` puts into a file of a host. */
export type Entry = HookEntry | PropertyEntry | MemberEntry | BlockEntry | WholeEntry;

interface AnyEntry {
	readonly part: Part;
	/** Absolute. */
	readonly file: string;
}

/** A group of handlers in the list of an event, in JSON. A handler is ours by its command. */
export interface HookEntry extends AnyEntry {
	readonly kind: "hook";
	/** As in its command. */
	readonly host: string;
	/** The list: `["hooks", "PostToolUse"]`. */
	readonly at: readonly string[];
	readonly group: { readonly hooks: readonly { readonly command: string }[] };
}

/** A property in JSON, ours by its name. */
export interface PropertyEntry extends AnyEntry {
	readonly kind: "property";
	readonly at: readonly string[];
	readonly value: unknown;
}

/** A text in a list, in JSON. */
export interface MemberEntry extends AnyEntry {
	readonly kind: "member";
	readonly at: readonly string[];
	readonly value: string;
}

/** Tables of TOML behind a comment of ours. */
export interface BlockEntry extends AnyEntry {
	readonly kind: "block";
	/** The table that the lines define; where a person has written it already, they are left out. */
	readonly table: readonly string[];
	readonly lines: readonly string[];
}

/** A file that nobody else writes. */
export interface WholeEntry extends AnyEntry {
	readonly kind: "whole";
	readonly text: string;
	/** Skills are shown by their number. */
	readonly isSkill: boolean;
}

/** What the entries of a host are made of. */
export interface Setting {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The project whose files are meant; undefined for the person's own. */
	readonly project: string | undefined;
	/** How this pi-lsp is run: `pi-lsp`, or node and a script. */
	readonly command: readonly string[];
	/** The tools over MCP that change nothing. */
	readonly readingTools: readonly string[];
	readonly skills: readonly { readonly name: string; readonly text: string }[];
}

/** A coding agent, and what goes where for it. */
export interface AgentHost {
	/** As `pi-lsp hook` calls it. */
	readonly name: string;
	readonly title: string;
	/** Its command. */
	readonly program: string;
	/** The directory of the person's configuration. */
	folder(setting: Pick<Setting, "home" | "env">): string;
	entries(setting: Setting): readonly Entry[];
	/** What is left for the person to do. */
	readonly next?: string;
}

/** Our name among the servers of a host. */
export const serverName = "pi-lsp";

/** In seconds. `answerMs` of faces/hooks/run.ts leaves time to spare. */
export const hookSeconds = 30;

/** For a host that runs its hooks in a shell. */
export function hookCommand({ command }: Setting, host: string, ...rest: readonly string[]): string {
	return [...command, "hook", host, ...rest].map(shellWord).join(" ");
}

export function mcpCommand({ command }: Setting): { readonly command: string; readonly args: readonly string[] } {
	const [program = "", ...args] = command;
	return { command: program, args: [...args, "mcp"] };
}

/** `Edit|Write` as the matcher of an event; undefined for all calls. */
export type Matchers = Readonly<Record<string, string | undefined>>;

/** Claude Code's form, which Codex and Gemini CLI have taken over. */
export function hookEntries(
	host: string,
	file: string,
	matchers: Matchers,
	handler: { readonly command: string; readonly [field: string]: unknown },
): readonly HookEntry[] {
	return Object.entries(matchers).map(([event, matcher]) => ({
		kind: "hook",
		host,
		part: "hooks",
		file,
		at: ["hooks", event],
		group: { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] },
	}));
}

export function skillEntries(folder: string, { skills }: Setting): readonly WholeEntry[] {
	return skills.map(({ name, text }) => ({
		kind: "whole",
		part: "mcp",
		file: `${folder}/${name}/SKILL.md`,
		text,
		isSkill: true,
	}));
}
