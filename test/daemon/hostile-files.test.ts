import process from "node:process";
import { expect, test } from "vitest";
import { connectDaemon } from "../../src/daemon/lifecycle/connect.ts";
import { processorMs } from "../support/processor.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { daemonOf, WRONG_PROJECT } from "./daemon.ts";

const size = 200_000;
const repeated = (piece: string) => piece.repeat(size / piece.length);

/** Files that blocked the daemon for minutes, each with the query that makes it read them. */
const hostile: readonly (readonly [title: string, file: string, text: string, args: readonly string[]])[] = [
	["a configuration of unknown keys", ".pi-lsp.json", unknownKeys(), ["check", "src/a.ts"]],
	[
		"a pattern of thirty stars",
		".pi-lsp.json",
		JSON.stringify({ servers: { evil: { command: "evil", patterns: ["*a".repeat(30)] } } }),
		["check", `src/${"a".repeat(200)}.txt`],
	],
	["an endless list of imports", "src/b.ts", repeated("import type \n"), ["symbols", "src/b.ts"]],
];

function unknownKeys(): string {
	const keys = Array.from({ length: size / 12 }, (_, index) => `"k${index}":1`);
	return `{${keys.join(",\n")}}`;
}

/**
 * The most that the daemon does before it answers another client's question for the status, while it works on something: in
 * milliseconds of the processor, which on a machine with nothing else to do are those that the client waits.
 */
async function slowestStatus(ws: Workspace, work: Promise<unknown>): Promise<number> {
	const { pid } = daemonOf(ws);
	const client = await connectDaemon(ws.env);
	let slowest = 0;
	let done = false;
	const finished = work.finally(() => {
		done = true;
	});
	while (!done) {
		const before = processorMs(pid);
		await client.call("status", { cwd: ws.base, input: {} });
		slowest = Math.max(slowest, processorMs(pid) - before);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	client.close();
	await finished;
	return slowest;
}

test.skipIf(process.platform !== "linux").each(hostile)(
	"%s does not keep other clients waiting",
	(_title, file, text, args) =>
		withWorkspace({ ...WRONG_PROJECT, [`src/${"a".repeat(200)}.txt`]: "" }, async (ws) => {
			expect((await ws.cli(["check", "src/a.ts"])).code).toBe(1);
			ws.write(file, text);
			expect(await slowestStatus(ws, ws.cli(args))).toBeLessThan(600);
		}),
);
