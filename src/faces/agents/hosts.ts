import { delimiter, isAbsolute, join } from "node:path";
import { LspError } from "../../contract/errors.ts";
import { realPathOf, statOf } from "../../util/files.ts";
import { allSkills } from "../skills/skill.ts";
import { fileIn } from "../skills/words.ts";
import { toolsOf } from "../tools/profiles.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot, vscode } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { AgentHost, Setting } from "./host.ts";
import { opencode } from "./opencode.ts";

type Env = Setting["env"];

export const agentHosts: readonly AgentHost[] = [
	claudeCode,
	codex,
	gemini,
	copilot,
	opencode,
	cursor,
	vscode,
	antigravity,
	cline,
];

/** Throws LSP_INVALID_INPUT. */
export function hostNamed(name: string, command: string): AgentHost {
	const found = agentHosts.find((host) => host.name === name);
	if (found) return found;
	const names = agentHosts.map((host) => host.name).join(", ");
	throw new LspError("LSP_INVALID_INPUT", `${command}: "${name}" is none of ${names}.`);
}

export async function placeOf(host: AgentHost, home: string, env: Env): Promise<string | undefined> {
	const places = [host.folder({ home, env }), ...pathOf(env).map((directory) => join(directory, host.program))];
	for (const place of places) if (await statOf(place)) return place;
	return undefined;
}

export async function settingFor(home: string, env: Env, project: string | undefined): Promise<Setting> {
	const skills = (await allSkills()).map((skill) => ({ name: skill.name, text: fileIn(skill, "core") }));
	const readingTools = toolsOf("core", { withCheck: true })
		.filter(({ effect }) => effect === "read")
		.map(({ name }) => name);
	return { home, env, project, command: await ownCommand(env, project), readingTools, skills };
}

/** Throws LSP_INVALID_INPUT for a temporary copy of pi-lsp. */
export async function requireLasting(): Promise<void> {
	if (/[\\/]_npx[\\/]/.test(await ownScript()))
		throw new LspError(
			"LSP_INVALID_INPUT",
			"init: this pi-lsp lies in the cache of npx, which is emptied now and then.",
			{
				suggestion: "Install it first, for example by `npm install -g pi-lsp`.",
			},
		);
}

async function ownCommand(env: Env, project: string | undefined): Promise<readonly string[]> {
	if (project !== undefined) return ["pi-lsp"];
	const script = await ownScript();
	const directories = pathOf(env).filter((directory) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(directory));
	const programs = await Promise.all(directories.map((directory) => realPathOf(join(directory, "pi-lsp"))));
	return programs.find(Boolean) === script ? ["pi-lsp"] : [process.execPath, script];
}

/** With links resolved. */
export async function ownScript(): Promise<string> {
	const [, script = ""] = process.argv;
	return (await realPathOf(script)) ?? script;
}

function pathOf({ PATH = "" }: Env): string[] {
	return PATH.split(delimiter).filter((directory) => isAbsolute(directory));
}
