import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { DaemonClient } from "../../src/daemon/lifecycle/connect.ts";
import { withServers } from "../../test/live/languages.ts";
import { type CommandResult, runCommand } from "../../test/support/run-command.ts";
import { withWorkspace } from "../../test/support/workspace.ts";
import { withDaemon } from "../daemon.ts";
import { toolchains } from "../languages/projects.ts";
import { commitAll } from "../places.ts";
import type { TestedPackage } from "./tested-packages.ts";

/** Of a suite, in milliseconds. */
const longestMs = 600_000;

/** A copy of a package with its tests under git, and a daemon for it. */
export interface TestedStage {
	readonly root: string;
	readonly daemon: DaemonClient;
	/** Runs a program in the copy, without pi-lsp. */
	run(command: readonly [program: string, ...args: string[]]): Promise<CommandResult>;
}

/** Rejects if the unchanged package's suite fails. */
export function withTested<T>(subject: TestedPackage, body: (stage: TestedStage) => Promise<T>): Promise<T> {
	return withWorkspace({}, async (fresh) => {
		const { root } = fresh;
		cpSync(subject.directory(), root, { recursive: true });
		const home = process.env.HOME ?? "";
		const own = { ...toolchains(), HOME: home, CI: "true", CARGO_HOME: process.env.CARGO_HOME ?? join(home, ".cargo") };
		const ws = { ...fresh, env: { ...withServers(fresh.env), ...own, PI_LSP_TRUST: "1" } };
		writeFileSync(
			join(root, ".gitignore"),
			"node_modules\ntarget\nCargo.lock\n__pycache__\n.pytest_cache\n.hypothesis\n",
		);
		commitAll(root, ws.env);
		subject.link?.(root);
		const run: TestedStage["run"] = ([program, ...args]) =>
			runCommand(program, args, { cwd: root, env: ws.env, timeoutMs: longestMs });
		if ((await run(subject.suite)).code !== 0) throw new Error(`${subject.name}: the suite fails as the package is`);
		return withDaemon(ws, (daemon) => body({ root, daemon, run }));
	});
}

/** The number of lines with an error in the compiler's output; a failure without one counts as one. */
export async function complaintsOf({ compiler }: TestedPackage, run: TestedStage["run"]): Promise<number> {
	const { code, stdout, stderr } = await run(compiler);
	const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => /\berror\b/.test(line));
	return code === 0 ? 0 : Math.max(lines.length, 1);
}
