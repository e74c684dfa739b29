import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, write, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { talks } from "./payloads.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/c.ts": "export const c: string = 1;\n",
};

/** As much as a pipe holds, and more. */
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
			// Node makes what it hands to a child block.
			const opening = join(ws.base, "opening.cjs");
			const { O_RDONLY, O_NONBLOCK } = constants;
			writeFileSync(
				opening,
				`const { closeSync, openSync } = require("node:fs");
closeSync(0);
openSync(${JSON.stringify(pipe)}, ${O_RDONLY | O_NONBLOCK});\n`,
			);
			const command = ["--require", opening, CLI, "hook", "claude-code"];
			const child = spawn(process.execPath, command, { env: ws.env, stdio: ["ignore", "pipe", "inherit"] });
			let told = "";
			child.stdout?.on("data", (chunk) => (told += chunk));
			// Ends when the hook has read so much that the pipe holds the rest.
			await promisify(write)(input, text.slice(0, large.length));
			await until("the hook waits", () =>
				/^\d+ \(.*\) S /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")) ? met(true) : notYet("it runs"),
			);
			writeSync(input, text.slice(large.length));
			for (const each of [input, end]) closeSync(each);
			await once(child, "close");
			expect(told).toContain("Type 'number' is not assignable to type 'string'. (ts2322)");
		}),
);
