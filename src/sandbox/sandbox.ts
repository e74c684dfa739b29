import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerConfig } from "../../server.ts";
import type { SandboxMode } from "../contract/doctor-report.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { dataDirectory } from "../launch/launch-command.ts";
import { programPath } from "../process/find-program.ts";
import { handInputs, inputPipes, type SandboxCommand } from "../process/sandbox-command.ts";
import type { LaunchCommand } from "../process/server-process.ts";
import { ownDirectory } from "../util/xdg.ts";
import { type BubblewrapOptions, bubblewrap } from "./bubblewrap.ts";
import { sandboxProfile } from "./sandbox-exec.ts";
import { sandboxRules } from "./sandbox-rules.ts";
import { socketFilter } from "./socket-filter.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export type SandboxState = { readonly program: string } | { readonly reason: string };

export interface Sandboxed {
	readonly config: ServerConfig;
	readonly root: string;
	readonly workspace: string;
	readonly env: Variables;
	readonly mode: SandboxMode;
}

const trialMs = 5000;
const macProgram = "/usr/bin/sandbox-exec";

export class Sandbox {
	readonly #trials = new Map<string, Promise<string | undefined>>();

	/** The sandbox's program is never in the workspace. */
	async state(workspace: string, env: Variables): Promise<SandboxState> {
		const program =
			process.platform === "darwin"
				? macProgram
				: process.platform === "linux"
					? await programPath("bwrap", workspace, env)
					: undefined;
		if (program === undefined)
			return {
				reason: process.platform === "linux" ? "bwrap (bubblewrap) is not on PATH" : `none for ${process.platform}`,
			};
		const trial = this.#trials.get(program) ?? tryOut(program);
		this.#trials.set(program, trial);
		const reason = await trial;
		return reason === undefined ? { program } : { reason };
	}

	/**
	 * Rejects with LSP_SERVER_UNTRUSTED if a required sandbox is missing, LSP_SERVER_START_FAILED if the server's
	 * directory cannot be made.
	 */
	async around(launch: LaunchCommand, { config, root, workspace, env, mode }: Sandboxed): Promise<LaunchCommand> {
		if (mode === "off" || launch.connect !== undefined) return launch;
		const state = await this.state(workspace, env);
		if ("reason" in state) {
			if (mode === "auto") return launch;
			throw new LspError(
				"LSP_SERVER_UNTRUSTED",
				`${config.id} is not started without a sandbox, and there is none: ${state.reason}.`,
				{
					...aboutServer(config),
					suggestion:
						'Install bubblewrap ({{doctor}} tells whether it works), let a person who trusts this repository use {{trust add}}, or set "sandbox" to "auto".',
				},
			);
		}
		const own = await ownCache(config, root, env);
		const { rules, temporary } = await sandboxRules({ launch, workspace, root, own, env });
		if (temporary.startsWith(own)) await mkdir(temporary, { recursive: true, mode: 0o700 });
		return {
			...launch,
			env: environmentInside(launch, config, { own, temporary, cache: dirname(ownDirectory("XDG_CACHE_HOME", env)) }),
			sandbox: commandOf(state.program, {
				rules,
				cwd: launch.cwd,
				filter: config.sandbox?.sockets ? undefined : socketFilter(),
			}),
		};
	}
}

async function ownCache(config: ServerConfig, root: string, env: Variables): Promise<string> {
	const own = dataDirectory(config, { root, trusted: false }, env);
	try {
		await mkdir(own, { recursive: true, mode: 0o700 });
		return own;
	} catch (cause) {
		throw new LspError(
			"LSP_SERVER_START_FAILED",
			`${own}, the one directory that ${config.id} may write to, cannot be made (${(cause as NodeJS.ErrnoException).code}).`,
			aboutServer(config),
			{ cause },
		);
	}
}

function environmentInside(
	{ env }: LaunchCommand,
	{ sandbox }: ServerConfig,
	{ own, temporary, cache }: { readonly own: string; readonly temporary: string; readonly cache: string },
): LaunchCommand["env"] {
	const below = (base: string, names: Readonly<Record<string, string>> = {}) =>
		Object.fromEntries(Object.entries(names).map(([name, path]) => [name, join(base, path)]));
	const { XDG_RUNTIME_DIR: _, ...inherited } = env;
	return {
		...below(cache, sandbox?.reads),
		...inherited,
		XDG_CACHE_HOME: own,
		TMPDIR: temporary,
		TMP: temporary,
		TEMP: temporary,
		...below(own, sandbox?.writes),
		...sandbox?.environment,
	};
}

function commandOf(program: string, options: BubblewrapOptions): SandboxCommand {
	if (program !== macProgram) return bubblewrap(program, options);
	return { file: program, args: ["-p", sandboxProfile(options.rules)], inputs: [], ownProcessIds: false };
}

function tryOut(program: string): Promise<string | undefined> {
	const filter = socketFilter();
	if (program !== macProgram && !filter) return Promise.resolve(`none for this processor (${process.arch})`);
	const command = commandOf(program, { rules: [], cwd: "/", filter });
	const inside = program === macProgram ? ["/usr/bin/true"] : [program, "--version"];
	return new Promise((resolve) => {
		const child = spawn(command.file, [...command.args, ...inside], {
			stdio: ["ignore", "ignore", "pipe", ...inputPipes(command)],
			timeout: trialMs,
			killSignal: "SIGKILL",
		});
		handInputs(child, command);
		let output = "";
		child.stderr?.setEncoding("utf8").on("data", (text: string) => {
			output = (output + text).slice(0, 500);
		});
		child.once("error", (error) => resolve(error.message));
		child.once("close", (code, signal) => {
			const [first = ""] = output.trim().split("\n");
			resolve(code === 0 ? undefined : first || `${program} ended with ${signal ?? `code ${code}`}`);
		});
	});
}
