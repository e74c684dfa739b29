import { appendFileSync, cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../support/repository.ts";
import { type CommandOptions, type CommandResult, runCommand } from "../support/run-command.ts";
import type { World } from "./world.ts";

/** A copy of an installed pi-lsp in a folder of its own: another build for the daemon's address. */
export interface Installed {
	readonly directory: string;
	readonly daemon: string;
	/** The contents name the build. */
	readonly build: string;
	cli(args: readonly string[], options?: Partial<CommandOptions>): Promise<CommandResult>;
}

export function install(world: World, name: string): Installed {
	const directory = join(world.base, name);
	mkdirSync(directory);
	cpSync(join(REPOSITORY, "dist"), join(directory, "dist"), { recursive: true });
	cpSync(join(REPOSITORY, "package.json"), join(directory, "package.json"));
	symlinkSync(join(REPOSITORY, "node_modules"), join(directory, "node_modules"));
	const cli = join(directory, "dist/cli.cjs");
	appendFileSync(join(directory, "dist/build-id"), name);
	return {
		directory,
		daemon: join(directory, "dist/daemon.cjs"),
		build: join(directory, "dist/build-id"),
		cli: (args, options = {}) =>
			runCommand(process.execPath, [cli, ...args], { cwd: world.root, env: world.env, ...options }),
	};
}
