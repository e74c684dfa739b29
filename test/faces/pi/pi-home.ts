import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Workspace } from "../../support/workspace.ts";
import { HOST } from "./hosts.ts";

/** The pi of the tests: the one in node_modules, 0.73.1, unless another host is named. */
export const PI_PACKAGE: string = HOST.package;

/** The command that starts it: `PI_NODE PI_CLI`. */
export const PI_CLI: string = HOST.cli;
export const PI_NODE: string = HOST.node;

/** The folder of the settings of a workspace's pi. */
export function agentDirectory(ws: Workspace): string {
	return join(ws.base, "home/.pi/agent");
}

/** The environment of a pi that reaches nothing but 127.0.0.1. */
export function piEnvironment(ws: Workspace, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
	return {
		...ws.env,
		PATH: [...new Set([dirname(PI_NODE), ...(ws.env.PATH ?? "").split(delimiter)])].join(delimiter),
		PI_CODING_AGENT_DIR: agentDirectory(ws),
		PI_OFFLINE: "1",
		PI_SKIP_VERSION_CHECK: "1",
		PI_TELEMETRY: "0",
		...extra,
	};
}

/** Configures a workspace's pi for the scripted model. Settings that pi itself wrote, as by `pi install`, are kept. */
export function configurePi(ws: Workspace, baseUrl: string): void {
	const directory = agentDirectory(ws);
	mkdirSync(directory, { recursive: true });
	const compat = { supportsDeveloperRole: false, supportsReasoningEffort: false };
	const model = { id: "scripted", name: "Scripted", contextWindow: 200_000, maxTokens: 8_000 };
	const scripted = { baseUrl, api: "openai-completions", apiKey: "none", compat, models: [model] };
	writeFileSync(join(directory, "models.json"), JSON.stringify({ providers: { scripted } }));
	const settings = join(directory, "settings.json");
	const kept: object = existsSync(settings) ? JSON.parse(readFileSync(settings, "utf8")) : {};
	// A refusal of the scripted model is intended: a retry would only hide the first reason.
	writeFileSync(settings, JSON.stringify({ ...kept, retry: { enabled: false } }));
}

/** The arguments of every mode of pi. */
export function piArguments(extension: string | undefined): string[] {
	const model = ["--provider", "scripted", "--model", "scripted", "--no-session", "--no-context-files"];
	// Without an extension named here, pi loads the installed ones.
	return extension === undefined ? model : [...model, "--no-extensions", "-e", extension];
}
