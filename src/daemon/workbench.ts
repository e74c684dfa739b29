import { readFile } from "node:fs/promises";
import type { Position } from "vscode-languageserver-protocol";
import { Ledger } from "../diagnostics/ledger.ts";
import { withDisk } from "../diagnostics/prove.ts";
import { examineFile, examineWorkspace } from "../doctor/examine.ts";
import { LspError } from "../errors.ts";
import type { Examination } from "../examination.ts";
import { type CheckReport, mergeReports } from "../findings.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import { toSpot } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { deadline } from "../util/abort.ts";
import type { ServerMetrics } from "../util/metrics.ts";
import type { Settings } from "../workspace/config.ts";
import { findPosition, type Pointer } from "../workspace/find-position.ts";
import { textAt } from "../workspace/git.ts";
import { displayPath, locate } from "../workspace/locate.ts";
import { type FoundPlaces, type PlaceList, type PlacesOptions, toPlaces } from "../workspace/places.ts";
import type { EnvironmentSource } from "../workspace/pool.ts";
import { unproven, withWithheld } from "./edits.ts";
import { type Hub, realDirectory } from "./hub.ts";
import type { CallerParams } from "./protocol.ts";

/** A file that a server can be asked about, its text in step with the disk. */
export interface Asked {
	readonly server: LanguageServer;
	readonly document: OpenDocument;
	/** Sends a request about the file, at the place that the caller means if `pointer` is given. */
	request<Result>(method: string, pointer?: Pointer, params?: object): Promise<Result>;
	/** A server's locations as this caller reads them. */
	places(found: FoundPlaces, options?: PlacesOptions): Promise<PlaceList>;
	/** The 1-based line of a position. */
	lineOf(position: Position): number;
}

export interface CheckOptions {
	readonly scope: "file" | "affected";
	/** Milliseconds; without it the settings' budget for a warm or a cold server. */
	readonly timeout?: number | undefined;
	/** A git revision whose text of each file is the baseline, instead of the state that was proven last. */
	readonly base?: string | undefined;
}

/** What an operation is lent: the world as one caller sees it. */
export interface Workbench {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** A path as this caller reads it. */
	display(path: string): string;
	settings(): Promise<Settings>;
	/** Runs `work` with the server of a file, whose text it then has as it is on disk. Rejects as `locate` and the pool do. */
	ask<T>(file: string, work: (asked: Asked) => Promise<T>): Promise<T>;
	/** Proves files, all in parallel. A file that cannot be proven has a state that says why. */
	check(files: readonly string[], options: CheckOptions): Promise<CheckReport>;
	/** The workspace's languages and servers, or one file's servers, which are started and tried out. */
	examine(file?: string): Promise<Examination>;
	servers(): ReturnType<Hub["servers"]>;
	metrics(): Record<string, ServerMetrics>;
	/** Stops servers, to be started afresh by the next request; all without an id. Returns how many. */
	restart(id?: string): Promise<number>;
	process(): {
		readonly pid: number;
		readonly upMs: number;
		readonly memoryBytes: number;
		readonly cpuMs: number;
	};
}

const defaultAskMs = 30_000;
const maxCheckMs = 3_600_000;

/** The workbench of one call. */
export async function workbenchFor(
	hub: Hub,
	{ cwd, trust }: CallerParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<Workbench> {
	const directory = await realDirectory(cwd);
	const settings = async () => {
		const found = await hub.settings({ cwd: directory, trust });
		if (!found.enabled) throw new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0 or the configuration).");
		return found;
	};
	return {
		cwd: directory,
		signal,
		settings,
		display: (path) => displayPath(path, directory),
		async ask(file, work) {
			const located = await locate(file, directory, await settings());
			const [route] = located.routes;
			if (!route) throw new LspError("LSP_UNSUPPORTED_FILE", `No language server answers for ${located.display}.`);
			const limit = deadline(
				defaultAskMs,
				() => new LspError("LSP_SERVER_TIMEOUT", `${route.config.id} did not answer within ${defaultAskMs / 1000} s.`),
				signal,
			);
			try {
				const question = (server: LanguageServer) =>
					server.turns.read(async () => {
						await server.catchUp(limit.signal, located.path);
						return server.documents.hold(located.path, async () => {
							// The path's turn ends when the text is in step: questions about one file run side by side.
							const document = await server.documents.exclusively(located.path, () =>
								withDisk(server, located.path, route.languageId, async (opened) => opened),
							);
							return work(asking(server, document, located.workspace, directory, limit.signal));
						});
					});
				return await hub.pool.use(route, located.workspace, env, limit.signal, question, { path: located.path });
			} finally {
				limit.end();
			}
		},
		async check(files, options) {
			const found = await settings();
			// One file that is a mistake of the caller ends the whole check, the others' included.
			const all = deadline(maxCheckMs, () => new LspError("LSP_SERVER_TIMEOUT", "the check took too long"), signal);
			const reports = await Promise.all(
				files.map((file) => checkOne(hub, file, directory, found, options, env, all.signal)),
			).finally(() => all.end(true));
			return mergeReports(reports);
		},
		async examine(file) {
			const patient = { pool: hub.pool, settings: await settings(), cwd: directory, env, signal };
			return file === undefined ? examineWorkspace(patient) : examineFile(patient, file);
		},
		servers: () => hub.servers(),
		metrics: () => hub.metrics.all(),
		restart: (id) => hub.pool.stop((server) => id === undefined || server.id === id),
		process: () => ({
			pid: process.pid,
			upMs: Date.now() - hub.startedAt,
			memoryBytes: process.memoryUsage.rss(),
			cpuMs: cpuMs(),
		}),
	};
}

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return Math.round((user + system) / 1000);
}

/** The questions that go through one door: capability first, so that nothing is sent that a server does not know. */
function asking(
	server: LanguageServer,
	document: OpenDocument,
	workspace: string,
	cwd: string,
	signal: AbortSignal,
): Asked {
	return {
		server,
		document,
		async request(method, pointer, params) {
			const capability = `${method.slice(method.indexOf("/") + 1)}Provider` as keyof LanguageServer["capabilities"];
			if (!server.offers(method, capability))
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} does not answer ${method}.`, { method });
			const position = pointer && (await findPosition(server, document, pointer, signal));
			const about = { textDocument: { uri: document.uri }, ...(position ? { position } : {}), ...params };
			return server.request(method, about, signal);
		},
		places: (found, options) => toPlaces(server, workspace, found, (path) => displayPath(path, cwd), options),
		lineOf: (position) => toSpot(position, [], "utf-16").line,
	};
}

async function checkOne(
	hub: Hub,
	file: string,
	cwd: string,
	settings: Settings,
	{ scope, timeout, base }: CheckOptions,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<CheckReport> {
	try {
		const located = await locate(file, cwd, settings);
		const warm = located.routes.every((route) => hub.pool.running(route));
		const budget = timeout ?? (warm ? settings.warmMs : settings.coldMs);
		const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
		try {
			const context = { cwd, env, signal: limit.signal, ledger: new Ledger(), call: base };
			if (base !== undefined) {
				const [before, now] = await Promise.all([textAt(base, located.path), readFile(located.path, "utf8")]);
				void hub.checker.baseline(located, before, now, context);
			}
			return withWithheld(await hub.checker.check(located, scope, context), located);
		} finally {
			limit.end();
		}
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		return unproven(file, thrown);
	}
}
