import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CLI } from "../support/repository.ts";
import { must, type Row, shown } from "./row.ts";
import type { World } from "./world.ts";

/** The files of a clone that would make its own program a server, in every place where tools look for one. */
function bring(world: World, program: string): void {
	const server = {
		id: "theirs",
		match: ["mine"],
		command: program,
		args: [],
		rootMarkers: ["go.mod"],
		languageId: "mine",
	};
	const own = JSON.stringify({ servers: [server] });
	world.write(".pi-lsp.json", own);
	world.write(".pi/lsp.json", own);
	world.write(
		".vscode/settings.json",
		JSON.stringify({ "gopls.path": program, "python.defaultInterpreterPath": program }),
	);
	world.write("package.json", JSON.stringify({ name: "clone", "pi-lsp": { servers: [server] } }));
	world.write("a.mine", "text\n");
}

/** A program that leaves a mark, and the name of the mark. */
function marking(world: World, name: string): { readonly program: string; readonly mark: string } {
	const mark = join(world.base, `${name}.mark`);
	return { program: world.program(name, `#!/bin/sh\ntouch "${mark}"\nexec sleep 1\n`), mark };
}

/** Makes one call over MCP, and returns the answer. */
async function overMcp(world: World, file: string): Promise<string> {
	const client = new Client({ name: "faults", version: "1" });
	const env = { ...world.env };
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp"], cwd: world.root, env }),
	);
	try {
		return JSON.stringify(await client.callTool({ name: "lsp_check", arguments: { files: [file] } }));
	} finally {
		await client.close();
	}
}

/**
 * The answers of every face for a file whose only server the clone brings; pi's own is in
 * test/live/hostile/clone.test.ts.
 */
async function everyFace(world: World): Promise<string[]> {
	const cli = await world.cli(["check", "a.mine"]);
	const alone = await world.cli(["check", "a.mine", "--no-daemon"]);
	return [cli.stdout + cli.stderr, alone.stdout + alone.stderr, await overMcp(world, "a.mine")];
}

export const trust: readonly Row[] = [
	{
		id: "G5",
		title: "a clone that names its own program in every file that tools read",
		run: async (world) => {
			const { program, mark } = marking(world, "theirs");
			bring(world, program);
			const answers = await everyFace(world);
			must(!existsSync(mark), "it was run");
			for (const words of answers)
				must(/untrusted|not trusted|pi-lsp trust/.test(words), `not reported: ${shown(words)}`);
			const added = await world.cli(["trust", "add", "--yes"]);
			must(added.code === 0, `trust add: ${shown(added.stdout + added.stderr)}`);
			await everyFace(world);
			must(existsSync(mark), "even trusted it is not run: the row proves nothing");
			return `${answers.length} faces`;
		},
	},
	{
		id: "G6",
		title: "a configuration that changes after it was trusted",
		run: async (world) => {
			const first = marking(world, "first");
			bring(world, first.program);
			must((await world.cli(["trust", "add", "--yes"])).code === 0, "trust add failed");
			const second = marking(world, "second");
			bring(world, second.program);
			const answers = await everyFace(world);
			must(!existsSync(second.mark), "what came with the change was run");
			must(!existsSync(first.mark), "what was trusted before was run from the changed configuration");
			for (const words of answers)
				must(/untrusted|not trusted|stale|pi-lsp trust/.test(words), `not reported: ${shown(words)}`);
			const shownTrust = await world.cli(["trust", "show"]);
			must(/stale|changed/.test(shownTrust.stdout), `the grant is not called stale: ${shown(shownTrust.stdout)}`);
			return "";
		},
	},
];
