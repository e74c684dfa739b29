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
	/** `pi-lsp check`: what is wrong in files now, with no baseline handed over. */
	check(files: readonly string[], options?: { readonly scope?: "file" | "affected" }): Promise<CheckReport>;
	/**
	 * What pi's hook does around a tool call that replaces the text of a file, with all that the agent reads of it: in its
	 * result, and what is told later.
	 */
	edit(file: string, text: string, scope?: "file" | "affected", session?: string): Promise<CheckReport>;
	/**
	 * The same for a command that changes files, or deletes those whose text is null, and nobody reads before it;
	 * `heardLate`: the daemon hears of the changes first.
	 */
	command(files: Readonly<Record<string, string | null>>, how?: { readonly heardLate?: boolean }): Promise<CheckReport>;
	/** The same without what is told later. */
	editAlone(file: string, text: string, session?: string): Promise<CheckReport>;
	/** What was found behind the answers so far, each told once. */
	late(session?: string): Promise<CheckReport[]>;
	/** An operation, as a face calls it. */
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
			// A project registers what it wants to hear of a moment after its first answer.
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
			// A busy daemon has heard of the change before it reads that a command has begun.
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
			// What was told last of a file holds.
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

/** `src/a.ts 3:5 2322` for each error of a report, in order; `new` and `old` are added where that is known. */
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

/** The files of a report other than those that were asked about. */
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

/** The judge: the same, of all files, as the compiler prints it. */
export async function compilerErrors(ws: Workspace): Promise<string[]> {
	const { stdout } = await run(compiler, ["--noEmit", "--pretty", "false", "-p", "."], { cwd: ws.root }).catch(
		(error: { stdout: string }) => error,
	);
	const found = stdout.matchAll(/^(\S.*?)\((\d+),(\d+)\): error TS(\d+):/gm);
	return [...found].map(([, path, line, column, code]) => `${path} ${line}:${column} ${code}`).sort();
}
