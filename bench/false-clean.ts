import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { runPi } from "../test/faces/pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "../test/support/workspace.ts";

/** A situation in which no answer can prove a file clean. */
interface Situation {
	readonly what: string;
	readonly files: Files;
	readonly file: string;
	/** A program, as a shell script, that replaces the file's server on the PATH. */
	readonly program?: { readonly name: string; readonly script: string };
}

const go: Files = { "go.mod": "module x\n\ngo 1.22\n", "a.go": "package x\n" };
const situations: readonly Situation[] = [
	{
		what: "a project that is not approved",
		files: { "Cargo.toml": `[package]\nname = "x"\nversion = "1.0.0"\n`, "src/main.rs": "fn main() {}\n" },
		file: "src/main.rs",
	},
	{ what: "a server that crashes", files: go, file: "a.go", program: { name: "gopls", script: "exit 1" } },
	{
		what: "a server that is still starting",
		files: go,
		file: "a.go",
		program: { name: "gopls", script: "exec sleep 600" },
	},
];

/** Asks in each situation, as a user by `check` and as a model by a tool, and counts the answers that report clean. */
export async function falseClean(): Promise<{ readonly claimed: number; readonly asked: number }> {
	let claimed = 0;
	for (const { what, files, file, program } of situations)
		await withWorkspace({ ...files, ".pi-lsp.json": `{ "coldMs": 500, "lateMs": 1 }` }, async (workspace) => {
			const ws = program ? withProgram(workspace, program.name, program.script) : workspace;
			const { code, stdout } = await ws.cli(["check", file, "--timeout", "500"], { env: ws.env });
			if (code === 0 || /\bclean\b/.test(stdout)) claimed++;
			const call = { name: "lsp_diagnostics", arguments: { file, timeout: 500 } };
			const text = (await runPi(ws, [{ calls: [call] }, { text: "Done." }])).result();
			if (!/not checked|not trusted|untrusted|unavailable|timed out|TIMEOUT|UNAVAILABLE|UNTRUSTED/i.test(text))
				throw new Error(`${what}: the tool reports neither a proof nor a reason: ${text}`);
			if (/: clean\b/.test(text)) claimed++;
		});
	return { claimed, asked: situations.length * 2 };
}

/** The workspace with one more program, outside it, on its PATH. */
function withProgram(ws: Workspace, name: string, script: string): Workspace {
	const directory = join(ws.base, "programs");
	mkdirSync(directory);
	writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(directory, name), 0o755);
	return { ...ws, env: { ...ws.env, PATH: `${directory}${delimiter}${ws.env.PATH ?? ""}` } };
}
