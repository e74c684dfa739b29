import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { daemonsOf, socketOf } from "../daemon/daemon.ts";
import type { Entry, Script } from "../fakes/script.ts";
import { type FoundProcess, processesOf } from "../support/processes.ts";
import { CLI } from "../support/repository.ts";
import { type CommandOptions, type CommandResult, runCommand } from "../support/run-command.ts";
import type { Workspace } from "../support/workspace.ts";
import { Caller } from "./caller.ts";
import { must, shown } from "./row.ts";

const SERVER = fileURLToPath(new URL("touchy-server.mjs", import.meta.url));

/** Which of the built-in servers a fake one stands in for; their root is the world's workspace. */
export type FakeName = "gopls" | "clangd" | "pyright-langserver" | "vscode-json-language-server";

/** A fake server on the PATH of a world. */
export interface FakeServer {
	/** Sets its script; a server that already runs keeps the earlier one. */
	script(script: Script): void;
	entries(): Entry[];
	received(method: string): NonNullable<Entry["got"]>[];
	starts(): number;
	/** The process ids of the running ones. */
	alive(): FoundProcess[];
	forget(): void;
}

/** A private world for one fault: a workspace, a PATH with only fakes, and a secret that must not leak. */
export class World {
	readonly ws: Workspace;
	readonly root: string;
	readonly env: Readonly<Record<string, string>>;
	/** The environment without the secret: for a daemon that is started by hand and so not given a part of it only. */
	readonly daemonEnv: Readonly<Record<string, string>>;
	readonly canary = `canary-${randomBytes(12).toString("hex")}`;
	/** The records of the common oracle meanwhile. */
	readonly violations: string[] = [];
	/** Clean-ups that run at the end in any case, the last first. */
	readonly cleanups: (() => void)[] = [];
	readonly #callers: Caller[] = [];
	readonly #bin: string;

	constructor(ws: Workspace) {
		this.ws = ws;
		this.root = ws.root;
		this.#bin = join(ws.base, "bin");
		mkdirSync(this.#bin);
		// gopls needs these programs too.
		writeFileSync(join(this.#bin, "go"), "#!/bin/sh\n", { mode: 0o755 });
		const path = [this.#bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
		this.daemonEnv = { ...ws.env, PATH: path };
		this.env = {
			...this.daemonEnv,
			LSPT_CANARY_TOKEN: this.canary,
			GITHUB_TOKEN: this.canary,
			AWS_SECRET_ACCESS_KEY: this.canary,
			GOPATH_API_KEY: this.canary,
		};
		this.write("go.mod", "module sample\n");
		this.write("a.go", "package a // WRONG\n");
		this.write("b.go", "package a\n");
		// The healthy neighbour: it gets a request after every fault.
		this.write("probe.json", `{ "a": "WRONG" }\n`);
		this.fake("vscode-json-language-server", {});
	}

	get base(): string {
		return this.ws.base;
	}

	write(file: string, text: string): string {
		this.ws.write(file, text);
		return join(this.root, file);
	}

	/** Puts a fake server on the PATH. */
	fake(name: FakeName, script: Script, { node = [] }: { readonly node?: readonly string[] } = {}): FakeServer {
		const record = join(this.base, `${name}.record`);
		const file = join(this.base, `${name}.script.json`);
		// clangd pushes: a server that offers pulls is pulled.
		const offers = name === "clangd" ? { diagnosticProvider: null } : {};
		const put = ({ capabilities, ...content }: Script) =>
			writeFileSync(file, JSON.stringify({ record, ...content, capabilities: { ...offers, ...capabilities } }));
		put(script);
		this.program(name, `#!/bin/sh\nexec "${process.execPath}" ${node.join(" ")} "${SERVER}" "${file}"\n`);
		const entries = (): Entry[] =>
			existsSync(record)
				? readFileSync(record, "utf8")
						.split("\n")
						.filter((line) => line.endsWith("}"))
						.map((line) => JSON.parse(line) as Entry)
				: [];
		return {
			script: put,
			entries,
			received: (method) => entries().flatMap(({ got }) => (got?.method === method ? [got] : [])),
			starts: () => entries().filter(({ did }) => did === "start").length,
			alive: () => processesOf(this.ws.runId).filter(({ argv }) => argv.includes(file)),
			forget: () => rmSync(record, { force: true }),
		};
	}

	/** Puts a program on the PATH. */
	program(name: string, content: string, mode = 0o755): string {
		const file = join(this.#bin, name);
		rmSync(file, { force: true });
		writeFileSync(file, content);
		chmodSync(file, mode);
		return file;
	}

	cli(args: readonly string[], options: Partial<CommandOptions> = {}): Promise<CommandResult> {
		return runCommand(process.execPath, [CLI, ...args], { cwd: this.root, env: this.env, ...options });
	}

	/** Checks a file by the command line. */
	async report(file: string, options: Partial<CommandOptions> = {}, timeoutMs = 20_000): Promise<CheckReport> {
		const { stdout, stderr } = await this.cli(["check", file, "--json", "--timeout", String(timeoutMs)], options);
		const report = JSON.parse(stdout || "{}") as CheckReport;
		if (!report.files) throw new Error(`no report: ${shown(stdout + stderr)}`);
		this.judge(report, file);
		return report;
	}

	/** Connects to the daemon, and starts it if need be. */
	async connect(
		over: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
	): Promise<Caller> {
		if (!this.socket()) {
			const { code, stderr } = await this.cli(["daemon", "start"]);
			must(code === 0, `the daemon did not start: ${stderr}`);
		}
		const caller = await Caller.connect({
			socket: this.socket() ?? "",
			cwd: this.root,
			env: this.env,
			odd: (what) => void this.violations.push(what),
			...over,
		});
		this.#callers.push(caller);
		return caller;
	}

	/** Ends the processes and connections that a row has left open, the last first. */
	cleanUp(): void {
		for (const caller of this.#callers.splice(0)) caller.close();
		for (const cleanup of this.cleanups.splice(0).reverse()) cleanup();
	}

	/** Oracle O2: no answer may call a file clean that contains the word WRONG, which the honest fake reports. */
	judge(report: CheckReport, file: string): void {
		const [own] = report.files;
		if (own?.state !== "fresh" || own.diagnostics.length > 0) return;
		const path = join(this.root, file);
		if (existsSync(path) && readFileSync(path, "utf8").includes("WRONG"))
			this.violations.push(`O2: ${file} was called clean, and it is not`);
	}

	socket(): string | undefined {
		return socketOf(this.ws);
	}

	daemons(): FoundProcess[] {
		return daemonsOf(this.ws);
	}

	/** The process id of the one daemon. */
	daemon(): number {
		const [daemon, ...more] = this.daemons();
		if (!daemon || more.length > 0) throw new Error(`O3: ${this.daemons().length} daemons run`);
		return daemon.pid;
	}

	logFile(): string {
		return join(this.base, "state/pi-lsp/daemon.log");
	}

	log(): string {
		return existsSync(this.logFile()) ? readFileSync(this.logFile(), "utf8") : "";
	}
}

/** The parameters of a hover in the healthy file. */
export function hoverOf(world: World): object {
	return { cwd: world.root, sandbox: "off", input: { file: "a.go", line: 1, column: 1 } };
}
