import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type CheckReport, mergeReports } from "../../src/contract/check-report.ts";
import {
	type CheckCommandResult,
	type CheckEditResult,
	type LateResult,
	paramsFromEnvironment,
} from "../../src/contract/protocol.ts";
import { createInProcess } from "../../src/daemon/in-process.ts";
import { notified } from "../../src/daemon/serve.ts";
import type { Service } from "../../src/daemon/service.ts";
import { summaryOf } from "../../src/process/environment.ts";
import { RUN_MARK } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const budget = 30_000;

/** A real project with the real TypeScript 7 server, run by this very process. */
export interface Project {
	readonly ws: Workspace;
	readonly service: Service;
	/** Runs `pi-lsp check`: the current errors of files, without a baseline. */
	check(files: readonly string[], options?: { readonly scope?: "file" | "affected" }): Promise<CheckReport>;
	/**
	 * Does what pi's hook does around a tool call that replaces the text of a file; returns all that the agent reads:
	 * in its result, and later.
	 */
	edit(file: string, text: string, scope?: "file" | "affected", session?: string): Promise<CheckReport>;
	/**
	 * Does the same for a command that changes files, or deletes those whose text is null, which were not read before;
	 * with `heardLate` the daemon is notified of the changes first.
	 */
	command(files: Readonly<Record<string, string | null>>, how?: { readonly heardLate?: boolean }): Promise<CheckReport>;
	/** Does the same without the later reports. */
	editAlone(file: string, text: string, session?: string): Promise<CheckReport>;
	/** The reports after the answers so far, each once. */
	late(session?: string): Promise<CheckReport[]>;
	/** Calls an operation as a face does. */
	call<Result>(operation: string, input: object): Promise<Result>;
}

export function withProject<T>(files: Files, body: (project: Project) => Promise<T>): Promise<T> {
	return withWorkspace({ ...TYPESCRIPT_PROJECT, ...files }, async (ws) => {
		const { XDG_CONFIG_HOME, XDG_STATE_HOME } = ws.env;
		const names = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", RUN_MARK];
		const own = Object.fromEntries(names.map((name) => [name, process.env[name]]));
		Object.assign(process.env, { XDG_CONFIG_HOME, XDG_STATE_HOME, [RUN_MARK]: ws.runId });
		const caller = createInProcess();
		try {
			return await body(projectOf(ws, caller));
		} finally {
			await caller.close();
			for (const [name, value] of Object.entries(own)) {
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
			}
		}
	});
}

function projectOf(ws: Workspace, caller: ReturnType<typeof createInProcess>): Project {
	/** What clients send with each call and notification. */
	const asCaller = { ...paramsFromEnvironment(process.env), environment: summaryOf(process.env), cwd: ws.root };
	const { cwd } = asCaller;
	let calls = 0;
	const delivered = new Map<string, string[]>();
	const confirm = (session: string) => ({ confirmed: delivered.get(session)?.splice(0) ?? [] });
	const call = <Result>(operation: string, input: object) => caller.call<Result>(operation, { cwd, input });
	const late = async (session = "s") => {
		const reports: CheckReport[] = [];
		for (let more = true; more; ) {
			const answer = await caller.call<LateResult>("late", { session, wait: 100, ...confirm(session) });
			delivered.set(
				session,
				answer.results.map(({ id }) => id),
			);
			reports.push(...answer.results.map(({ report }) => report));
			more = answer.more || answer.results.length > 0;
		}
		return reports;
	};
	const edit = async (file: string, text: string, scope: "file" | "affected", session: string) => {
		const about = { ...asCaller, session, call: `call-${++calls}`, file };
		notified(caller.service, "baseline", { ...about, text: textOf(ws, file), next: text }, async () => process.env);
		ws.write(file, text);
		const params = { ...about, scope, budget, ...confirm(session) };
		return (await caller.call<CheckEditResult>("check_edit", params)).report;
	};
	return {
		ws,
		service: caller.service,
		call,
		check: (names, { scope = "file" } = {}) => call("check", { files: names, scope, timeout: budget }),
		async command(files, { heardLate = false } = {}) {
			// A project registers its watched files a moment after its first answer.
			await until("the project is watched", async () => {
				const { servers } = await call<{ servers: { watch?: { state: string } }[] }>("status", {});
				const states = servers.map(({ watch }) => watch?.state);
				return states.every((state) => state === "ready") ? met(true) : notYet(String(states));
			});
			const about = { ...asCaller, session: "s", call: `call-${++calls}` };
			const at = Date.now();
			const hear = () => notified(caller.service, "command", { ...about, at }, async () => process.env);
			if (!heardLate) hear();
			for (const [file, text] of Object.entries(files))
				if (text === null) rmSync(ws.path(file));
				else ws.write(file, text);
			// A busy daemon is notified of the change before it reads that a command has begun.
			if (heardLate) {
				await caller.service.watches.changedSince(cwd, at);
				await new Promise((resolve) => setTimeout(resolve, 5));
				hear();
			}
			const { report } = await caller.call<CheckCommandResult>("check_command", {
				...about,
				...confirm("s"),
				known: [],
			});
			return mergeReports([...(await late("s")).reverse(), report]);
		},
		late,
		async edit(file, text, scope = "affected", session = "s") {
			const report = await edit(file, text, scope, session);
			// The last report about a file counts.
			return mergeReports([...(await late(session)).reverse(), report]);
		},
		editAlone: (file, text, session = "s") => edit(file, text, "affected", session),
	};
}

function textOf(ws: Workspace, file: string): string | null {
	try {
		return ws.read(file);
	} catch {
		return null;
	}
}

/** The errors of a report as `src/a.ts 3:5 2322`, in order; `new` and `old` are added if they are known. */
export function errorsOf(report: CheckReport, { judged = false } = {}): string[] {
	return report.files
		.flatMap(({ path, diagnostics }) =>
			diagnostics
				.filter(({ severity }) => severity === "error")
				.map(({ line, column, code, new: isNew }) => {
					const word = isNew === undefined ? "" : isNew ? " new" : " old";
					return `${path} ${line}:${column} ${code}${judged ? word : ""}`;
				}),
		)
		.sort();
}

/** The files of a report other than the requested ones. */
export function affectedIn(report: CheckReport): string[] {
	return report.files.filter(({ role }) => role === "affected").map(({ path }) => path);
}

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
const compiler = join(
	dirname(require.resolve(platform, { paths: [dirname(require.resolve("typescript/package.json"))] })),
	"lib/tsc",
);

/** The oracle: the errors of all files, as the compiler prints them. */
export async function compilerErrors(ws: Workspace): Promise<string[]> {
	const { stdout } = await run(compiler, ["--noEmit", "--pretty", "false", "-p", "."], { cwd: ws.root }).catch(
		(error: { stdout: string }) => error,
	);
	const found = stdout.matchAll(/^(\S.*?)\((\d+),(\d+)\): error TS(\d+):/gm);
	return [...found].map(([, path, line, column, code]) => `${path} ${line}:${column} ${code}`).sort();
}
