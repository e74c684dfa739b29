import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { opencodePlugin } from "../../../src/faces/agents/opencode-plugin.ts";
import { CLI } from "../../support/repository.ts";
import type { Workspace } from "../../support/workspace.ts";

interface Plugin {
	"tool.execute.before"(call: object, given: { args: object }): Promise<void>;
	"tool.execute.after"(call: object, output: { output: string }): Promise<void>;
	event(given: { event: { type: string; properties: object } }): Promise<void>;
}

/** The plugin that `init` writes for opencode, in this process; `started` are the processes that it has started. */
export async function withPlugin(
	ws: Workspace,
	client: object,
	body: (plugin: Plugin, started: () => number[]) => Promise<void>,
): Promise<void> {
	const inBase = (name: string) => join(ws.base, name);
	writeFileSync(inBase("started"), "");
	const note = `require("node:fs").appendFileSync(${JSON.stringify(inBase("started"))}, process.pid + "\\n");`;
	writeFileSync(inBase("hook.cjs"), `${note}\nrequire(${JSON.stringify(CLI)});\n`);
	writeFileSync(inBase("plugin.mjs"), opencodePlugin([process.execPath, inBase("hook.cjs")]));
	const started = () => readFileSync(inBase("started"), "utf8").split("\n").filter(Boolean).map(Number);
	for (const [name, value] of Object.entries(ws.env)) vi.stubEnv(name, value);
	try {
		const { PiLsp } = await import(pathToFileURL(inBase("plugin.mjs")).href);
		await body(await PiLsp({ client, directory: ws.root }), started);
	} finally {
		vi.unstubAllEnvs();
		for (const pid of started()) end(pid);
	}
}

function end(pid: number): void {
	try {
		process.kill(pid);
	} catch {}
}
