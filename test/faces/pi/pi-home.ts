import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Workspace } from "../../support/workspace.ts";
import { HOST } from "./hosts.ts";

/** The pi that is driven; unless another host is named, the one in node_modules, 0.73.1. */
export const PI_PACKAGE: string = HOST.package;

/** How it is started: `PI_NODE PI_CLI`. */
export const PI_CLI: string = HOST.cli;
export const PI_NODE: string = HOST.node;

/** Where a workspace's pi keeps its settings. */
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

/** Tells a workspace's pi of the scripted model. Settings that pi wrote itself, as by `pi install`, are kept. */
export function configurePi(ws: Workspace, baseUrl: string): void {
	const directory = agentDirectory(ws);
	mkdirSync(directory, { recursive: true });
	const compat = { supportsDeveloperRole: false, supportsReasoningEffort: false };
	const model = { id: "scripted", name: "Scripted", contextWindow: 200_000, maxTokens: 8_000 };
	const scripted = { baseUrl, api: "openai-completions", apiKey: "none", compat, models: [model] };
	writeFileSync(join(directory, "models.json"), JSON.stringify({ providers: { scripted } }));
	const settings = join(directory, "settings.json");
	const kept: object = existsSync(settings) ? JSON.parse(readFileSync(settings, "utf8")) : {};
	// A refusal of the scripted model is meant: asking it again would only hide the first reason.
	writeFileSync(settings, JSON.stringify({ ...kept, retry: { enabled: false } }));
}

/** What every mode of pi is started with. */
export function piArguments(extension: string | undefined): string[] {
	const model = ["--provider", "scripted", "--model", "scripted", "--no-session", "--no-context-files"];
	// Without an extension named here, those that were installed are found.
	return extension === undefined ? model : [...model, "--no-extensions", "-e", extension];
}
