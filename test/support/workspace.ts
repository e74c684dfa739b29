import { randomUUID } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { expectNoProcesses, RUN_MARK } from "./processes.ts";
import { CLI } from "./repository.ts";
import { type CommandOptions, type CommandResult, runCommand } from "./run-command.ts";

/** A fresh project with private user directories, from which nothing of this machine's user is visible. */
export interface Workspace {
	/** The project's directory, in which pi and the command line run. */
	readonly root: string;
	/** The directory that holds the project and the private directories; it is removed at the end. */
	readonly base: string;
	/** The mark of every process that is started for this workspace. */
	readonly runId: string;
	/** The whole environment of every process here: built, not inherited. */
	readonly env: Readonly<Record<string, string>>;
	/** The absolute path of a file of the project. */
	path(...parts: string[]): string;
	read(file: string): string;
	write(file: string, text: string): void;
	/** Runs `pi-lsp` from the bundle. */
	cli(args: readonly string[], options?: Partial<CommandOptions>): Promise<CommandResult>;
	/** Records a text, which is printed if the test fails. */
	record(account: string | (() => string)): void;
}

/** The files of a project: path to content. */
export type Files = Readonly<Record<string, string>>;

/** A TypeScript project without a version of TypeScript, so that the bundled one judges it. */
export const TYPESCRIPT_PROJECT: Files = {
	"package.json": `{ "name": "sample", "version": "1.0.0", "type": "module", "private": true }\n`,
	"tsconfig.json": JSON.stringify({
		compilerOptions: { strict: true, module: "nodenext", types: [], noEmit: true, allowImportingTsExtensions: true },
		include: ["src"],
	}),
};

/**
 * Runs a test in a fresh workspace. At the end the daemon is asked to stop, and the test fails if a process is left;
 * the error of a failing test contains all recorded texts.
 */
export async function withWorkspace<T>(files: Files, body: (ws: Workspace) => Promise<T>): Promise<T> {
	const { workspace, accounts } = createWorkspace(files);
	try {
		const value = await body(workspace);
		await stopDaemon(workspace);
		await expectNoProcesses(workspace.runId);
		return value;
	} catch (error) {
		await stopDaemon(workspace).catch(() => undefined);
		const leftover = await expectNoProcesses(workspace.runId).then(
			() => undefined,
			(left: unknown) => left,
		);
		throw withDetails(error, leftover, accounts, daemonLog(workspace));
	} finally {
		rmSync(workspace.base, { recursive: true, force: true, maxRetries: 3 });
	}
}

function createWorkspace(files: Files): { workspace: Workspace; accounts: (string | (() => string))[] } {
	// A socket's path holds 107 bytes at most, so the base is short whatever TMPDIR is.
	const base = realpathSync(mkdtempSync("/tmp/pl-"));
	const root = join(base, "ws");
	const runId = randomUUID();
	const home = join(base, "home");
	const env: Record<string, string> = {
		PATH: plainPath(),
		HOME: home,
		LANG: "C.UTF-8",
		TERM: "dumb",
		XDG_RUNTIME_DIR: join(base, "run"),
		XDG_STATE_HOME: join(base, "state"),
		XDG_CONFIG_HOME: join(base, "config"),
		XDG_CACHE_HOME: join(base, "cache"),
		// Fake servers record their actions, and are stopped by their process ids.
		PI_LSP_SANDBOX: "off",
		[RUN_MARK]: runId,
	};
	for (const directory of [root, home, env.XDG_RUNTIME_DIR, env.XDG_STATE_HOME, env.XDG_CONFIG_HOME]) {
		if (directory !== undefined) mkdirSync(directory, { mode: 0o700 });
	}
	const accounts: (string | (() => string))[] = [];
	const workspace: Workspace = {
		root,
		base,
		runId,
		env,
		path: (...parts) => join(root, ...parts),
		read: (file) => readFileSync(join(root, file), "utf8"),
		write(file, text) {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), text);
		},
		async cli(args, options = {}) {
			const result = await runCommand(process.execPath, [CLI, ...args], { cwd: root, env, ...options });
			accounts.push(`$ pi-lsp ${args.join(" ")}\n${result.stdout}${result.stderr}exit ${result.code}`);
			return result;
		},
		record: (account) => void accounts.push(account),
	};
	for (const [file, text] of Object.entries(files)) workspace.write(file, text);
	return { workspace, accounts };
}

/** `npm test` puts this repository's tools on the PATH; a user of the package has none of them. */
function plainPath(): string {
	const inherited = (process.env.PATH ?? "/usr/bin:/bin").split(delimiter);
	const plain = inherited.filter((entry) => entry !== "" && !entry.includes("node_modules"));
	return [...new Set([dirname(process.execPath), ...plain])].join(delimiter);
}

async function stopDaemon(workspace: Workspace): Promise<void> {
	// A daemon has its socket there.
	const run = String(workspace.env.XDG_RUNTIME_DIR);
	if (!existsSync(CLI) || !existsSync(run) || readdirSync(run).length === 0) return;
	await runCommand(process.execPath, [CLI, "stop", "--yes"], {
		cwd: workspace.root,
		env: workspace.env,
		timeoutMs: 15_000,
	});
}

function daemonLog(workspace: Workspace): string | undefined {
	const file = join(workspace.base, "state/pi-lsp/daemon.log");
	return existsSync(file) ? `daemon.log:\n${readFileSync(file, "utf8").slice(-4_000)}` : undefined;
}

function withDetails(
	error: unknown,
	leftover: unknown,
	accounts: readonly (string | (() => string))[],
	log: string | undefined,
): unknown {
	if (!(error instanceof Error)) return error;
	const details = accounts.map((account) => (typeof account === "string" ? account : account()));
	if (leftover instanceof Error && leftover !== error) details.push(leftover.message);
	if (log !== undefined) details.push(log);
	if (details.length > 0) error.message += `\n\n${details.join("\n\n")}\n`;
	return error;
}
