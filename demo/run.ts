import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { PI_PACKAGE } from "../test/faces/pi/pi-home.ts";
import { runPi } from "../test/faces/pi/run-pi.ts";
import { CLI } from "../test/support/repository.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { conversationPrinter, painted } from "./conversation.ts";
import { PROMPT, STEPS } from "./script.ts";

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Contents by path. */
function sampleProject(): Record<string, string> {
	const project = fileURLToPath(new URL("project", import.meta.url));
	const entries = readdirSync(project, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return Object.fromEntries(files.map((file) => [relative(project, file), readFileSync(file, "utf8")]));
}

/** Shows the main job in a real pi; exit code 1 when the model did not read what the edits broke. */
async function main(): Promise<void> {
	if (!existsSync(CLI)) throw new Error("dist/ is not built: run `npm install` first");
	const { version } = JSON.parse(readFileSync(join(PI_PACKAGE, "package.json"), "utf8")) as { version: string };
	print(painted("bold", `pi ${version} with pi-lsp, and a scripted model on 127.0.0.1`));
	print("The model goes on only if it has read in pi's tool result what its edit broke.\n");
	await withWorkspace(sampleProject(), async (ws) => {
		const run = await runPi(ws, STEPS, { mode: "json", prompt: PROMPT, onEvent: conversationPrinter(print) });
		const seconds = (run.wallMs / 1_000).toFixed(1);
		print(
			`ms: from pi's tool_execution_start to its tool_execution_end, so pi's own work on the file and pi-lsp's check.`,
		);
		print(`The first one also started the daemon and the TypeScript server. The whole run of pi took ${seconds} s.`);
	});
	print(
		painted("green", "Verified: every error reached the model, every repair was proven clean, and no process is left."),
	);
}

try {
	await main();
} catch (error) {
	process.exitCode = 1;
	console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
}
