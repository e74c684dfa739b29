import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { addressOf } from "../../daemon/lifecycle/address.ts";
import { nodeProgram } from "../../daemon/lifecycle/connect.ts";
import { confirmed } from "./screen.ts";

/** What the command line ends with where it only said what it would run. */
const notRun = 2;

/**
 * `/lsp install ID…`: the command line says what it would run, the person is asked, and it is run. Pi's own process loads
 * nothing for it.
 */
export async function installFromPi(words: string, ctx: ExtensionCommandContext): Promise<string> {
	const ids = words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
	if (ids.length === 0)
		throw new Error("/lsp install takes the id of a server; /lsp doctor names those that are missing.");
	const plan = await run(ids, ctx.cwd);
	if (plan.code !== notRun || plan.errors !== "" || !ctx.hasUI) return plan.said || plan.errors;
	const shown = plan.said.split("\n").slice(0, -1).join("\n");
	if (!(await confirmed(ctx, `Install ${ids.join(", ")}?`, shown))) return "Nothing was run.";
	const done = await run([...ids, "--yes"], ctx.cwd);
	return done.errors || done.said.split("\n").at(-1) || "Done.";
}

interface Run {
	readonly code: number | null;
	readonly said: string;
	readonly errors: string;
}

function run(args: readonly string[], cwd: string): Promise<Run> {
	const program = join(dirname(addressOf().program), "cli.cjs");
	return new Promise((resolve, reject) => {
		const child = spawn(nodeProgram(), [program, "install", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
		let said = "";
		let errors = "";
		child.stdout.on("data", (chunk: Buffer) => {
			said += chunk.toString("utf8");
		});
		child.stderr.on("data", (chunk: Buffer) => {
			errors += chunk.toString("utf8");
		});
		child.once("error", reject);
		child.once("close", (code) => resolve({ code, said: said.trimEnd(), errors: errors.trimEnd() }));
	});
}
