import { isAbsolute, join } from "node:path";
import { readJson } from "../../config/json-reader.ts";
import { shellWord } from "../../render/shell-word.ts";
import { attempt } from "../../util/attempt.ts";
import { anySource, readTextNow } from "../../util/read-file.ts";
import { at, type Path } from "./format.ts";

/** `mcp` includes permissions and skills. */
export type Part = "hooks" | "mcp";

export const parts = ["hooks", "mcp"] as const satisfies readonly Part[];

export type Entry = HookEntry | PropertyEntry | MemberEntry | BlockEntry | WholeEntry;

interface AnyEntry {
	readonly part: Part;
	readonly file: string;
}

export interface HookEntry extends AnyEntry {
	readonly kind: "hook";
	readonly host: string;
	/** Path of the list: `["hooks", "PostToolUse"]`. */
	readonly at: readonly string[];
	readonly group:
		| { readonly hooks: readonly { readonly command: string }[] }
		| { readonly command: string; readonly [field: string]: unknown };
}

export interface PropertyEntry extends AnyEntry {
	readonly kind: "property";
	readonly at: readonly string[];
	readonly value: unknown;
	/** Of no single tool, as a format's version: any value stays. */
	readonly isShared?: true;
}

export interface MemberEntry extends AnyEntry {
	readonly kind: "member";
	readonly at: readonly string[];
	readonly value: string;
}

export interface BlockEntry extends AnyEntry {
	readonly kind: "block";
	readonly table: readonly string[];
	readonly lines: readonly string[];
}

export interface WholeEntry extends AnyEntry {
	readonly kind: "whole";
	readonly text: string;
	readonly isSkill: boolean;
	readonly isProgram?: true;
}

export interface Setting {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Undefined for the person's own files. */
	readonly project: string | undefined;
	/** `pi-lsp`, or node and a script. */
	readonly command: readonly string[];
	readonly readingTools: readonly string[];
	readonly skills: readonly { readonly name: string; readonly text: string }[];
}

export interface AgentHost {
	readonly name: string;
	readonly title: string;
	readonly program: string;
	folder(setting: Pick<Setting, "home" | "env">): string;
	entries(setting: Setting): readonly Entry[];
	readonly next?: string;
}

export function configHome({ home, env }: Pick<Setting, "home" | "env">): string {
	const base = env.XDG_CONFIG_HOME;
	return base && isAbsolute(base) ? base : join(home, ".config");
}

/** Undefined also for an unreadable file. */
export function valueIn(file: string, path: Path): unknown {
	return attempt(() => at(readJson((readTextNow(file, anySource) ?? "{}").replace(/^\ufeff/, "")).value, path));
}

export const serverName = "pi-lsp";

/** Longer than `answerMs` of faces/hooks/run.ts. */
export const hookSeconds = 30;

export function hookCommand({ command }: Setting, host: string, ...rest: readonly string[]): string {
	return [...command, "hook", host, ...rest].map(shellWord).join(" ");
}

const ofSkill = "--skill";
/** Without the file, which exists while a skill is active (daemon/agents/host-skills.ts), no process starts. */
const skillGuard = `test ! -e "\${XDG_STATE_HOME:-$HOME/.local/state}/pi-lsp/skill" || `;

export function withoutGuard(command: string): string {
	return command.startsWith(skillGuard) ? command.slice(skillGuard.length) : command;
}

export function isOfSkill(command: string): boolean {
	return command.endsWith(` ${ofSkill}`);
}

export function mcpCommand({ command }: Setting): { readonly command: string; readonly args: readonly string[] } {
	const [program = "", ...args] = command;
	return { command: program, args: [...args, "mcp"] };
}

export function property(part: Part, file: string, at: readonly string[], value: unknown): PropertyEntry {
	return { kind: "property", part, file, at, value };
}

export function members(file: string, at: readonly string[], values: readonly string[]): readonly MemberEntry[] {
	return values.map((value) => ({ kind: "member", part: "mcp", file, at, value }));
}

export function whole(part: Part, file: string, text: string): WholeEntry {
	return { kind: "whole", part, file, text, isSkill: false };
}

/** `Edit|Write`, by event; undefined for all calls. */
export type Matchers = Readonly<Record<string, string | undefined>>;

/** In Claude Code's form, also Codex's and Gemini CLI's. */
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

export function skillHookEntries(
	setting: Setting,
	host: string,
	{ file, matchers, handler }: { readonly file: string; readonly matchers: Matchers; readonly handler: object },
): readonly HookEntry[] {
	const command = `${skillGuard}${hookCommand(setting, host, ofSkill)}`;
	return hookEntries(`${host} ${ofSkill}`, file, matchers, { ...handler, command });
}

export function skillEntries(folder: string, { skills }: Setting): readonly WholeEntry[] {
	return skills.map(({ name, text }) => ({ ...whole("mcp", `${folder}/${name}/SKILL.md`, text), isSkill: true }));
}
