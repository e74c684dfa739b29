import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { addressOf } from "../../daemon/lifecycle/address.ts";
import { nodeProgram } from "../../daemon/lifecycle/connect.ts";
import { confirm } from "./screen.ts";

const notRun = 2;

export async function installFromPi(words: string, ctx: ExtensionCommandContext): Promise<string> {
	const args = words.split(/\s+/).filter((word) => word !== "" && !["--yes", "-y", "--json"].includes(word));
	if (args.length === 0)
		throw new Error(
			"/lsp install takes a server or a language, or --list; /lsp doctor names the servers that are missing.",
		);
	const plan = await run(args, ctx.cwd);
	const printed = [plan.errors, plan.output].filter(Boolean).join("\n");
	if (plan.code !== notRun || plan.output === "" || !ctx.hasUI) return printed;
	const commands = printed.split("\n").slice(0, -1).join("\n");
	const names = args.filter((word) => !word.startsWith("-")).join(", ");
	if (!(await confirm(ctx, names ? `Install ${names}?` : "Install these?", commands))) return "Nothing was run.";
	const done = await run([...args, "--yes"], ctx.cwd);
	const [, ...ends] = done.output.split(/^Installing .* …$\n/m);
	return [done.errors, ...ends.map((end) => end.trimEnd())].filter(Boolean).join("\n") || "Done.";
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
