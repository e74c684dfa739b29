import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, readSync, write, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { talks } from "./payloads.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/c.ts": "export const c: string = 1;\n",
};

/** The text is longer than the capacity of a pipe. */
const large = "x".repeat(100_000);

test.skipIf(process.platform !== "linux")(
	"a hook reads all of a pipe that does not block, however late the rest comes",
	() =>
		withWorkspace(project, async (ws) => {
			await ws.cli(["check", "src/c.ts"]);
			const pipe = join(ws.base, "pipe");
			execFileSync("mkfifo", [pipe]);
			const end = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
			const input = openSync(pipe, constants.O_WRONLY);
			const edit = { cwd: ws.root, file: "src/c.ts", from: '"c"', to: "1" };
			const { payload } = talks(ws.root)[0]?.afterEdit(edit, 'export const c: string = "c";\n') ?? {};
			const text = JSON.stringify({ large, ...payload });
			const child = startHook(ws, { descriptor: 0, pipe, flags: constants.O_RDONLY });
			let output = "";
			child.stdout?.on("data", (chunk) => (output += chunk));
			// The child ends when the hook has read so much that the pipe holds the rest.
			await promisify(write)(input, text.slice(0, large.length));
			await untilItWaits(child);
			writeSync(input, text.slice(large.length));
			for (const each of [input, end]) closeSync(each);
			await once(child, "close");
			expect(output).toContain("Type 'number' is not assignable to type 'string'. (ts2322)");
		}),
);

test.skipIf(process.platform !== "linux")("a hook answers once there is room in a full pipe that does not block", () =>
	withWorkspace({}, async (ws) => {
		const pipe = join(ws.base, "pipe");
		execFileSync("mkfifo", [pipe]);
		const end = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
		const full = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
		const filled = writeSync(full, large);
		const child = startHook(ws, { descriptor: 1, pipe, flags: constants.O_WRONLY });
		child.stdin?.end("{}");
		await untilItWaits(child);
		const read = Buffer.alloc(large.length);
		expect(readSync(end, read)).toBe(filled);
		await once(child, "close");
		expect(read.toString("utf8", 0, readSync(end, read))).toBe("{}\n");
		for (const each of [full, end]) closeSync(each);
	}),
);

/** Starts the hook with a pipe that does not block as one of its streams: Node makes pipes to a child block. */
function startHook(
	ws: Workspace,
	{ descriptor, pipe, flags }: { readonly descriptor: 0 | 1; readonly pipe: string; readonly flags: number },
): ChildProcess {
	const opening = join(ws.base, "opening.cjs");
	writeFileSync(
		opening,
		`const { closeSync, openSync } = require("node:fs");
closeSync(${descriptor});
openSync(${JSON.stringify(pipe)}, ${flags | constants.O_NONBLOCK});\n`,
	);
	const command = ["--require", opening, CLI, "hook", "claude-code"];
	const streams = descriptor === 0 ? (["ignore", "pipe"] as const) : (["pipe", "ignore"] as const);
	return spawn(process.execPath, command, { env: ws.env, stdio: [...streams, "inherit"] });
}

/** Asleep at two looks, with no processor time between them: a start sleeps for moments too. */
async function untilItWaits({ pid }: ChildProcess): Promise<void> {
	let last = "";
	const look = () => {
		const now = readFileSync(`/proc/${pid}/schedstat`, "utf8");
		const state = /^\d+ \(.*\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
		const waits = state === "S" && now === last;
		last = now;
		return waits ? met(true) : notYet(`state ${state}, ${now}`);
	};
	await until("the hook waits", look, { everyMs: 100 });
}
