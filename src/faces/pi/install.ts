import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { addressOf } from "../../daemon/lifecycle/address.ts";
import { nodeProgram } from "../../daemon/lifecycle/connect.ts";
import { confirm } from "./screen.ts";

/** Exit code of `pi-lsp install`: it only printed what it would run. */
const notRun = 2;

/** `/lsp install ID…`: shows the commands, asks, and runs them. */
export async function installFromPi(words: string, ctx: ExtensionCommandContext): Promise<string> {
	const ids = words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
	if (ids.length === 0)
		throw new Error("/lsp install takes the id of a server; /lsp doctor names those that are missing.");
	const plan = await run(ids, ctx.cwd);
	if (plan.code !== notRun || plan.errors !== "" || !ctx.hasUI) return plan.output || plan.errors;
	const commands = plan.output.split("\n").slice(0, -1).join("\n");
	if (!(await confirm(ctx, `Install ${ids.join(", ")}?`, commands))) return "Nothing was run.";
	const done = await run([...ids, "--yes"], ctx.cwd);
	return done.errors || done.output.split("\n").at(-1) || "Done.";
}

interface CommandResult {
	readonly code: number | null;
	readonly output: string;
	readonly errors: string;
}

function run(args: readonly string[], cwd: string): Promise<CommandResult> {
	const program = join(dirname(addressOf().program), "cli.cjs");
	return new Promise((resolve, reject) => {
		const child = spawn(nodeProgram(), [program, "install", ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
		let output = "";
		let errors = "";
		child.stdout.on("data", (chunk: Buffer) => {
			output += chunk.toString("utf8");
		});
		child.stderr.on("data", (chunk: Buffer) => {
			errors += chunk.toString("utf8");
		});
		child.once("error", reject);
		child.once("close", (code) => resolve({ code, output: output.trimEnd(), errors: errors.trimEnd() }));
	});
}
