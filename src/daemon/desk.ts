import { resolve } from "node:path";
import { documentOnDisk } from "../diagnostics/prove.ts";
import { surveyLanguages } from "../doctor/languages.ts";
import { asLspError, type ErrorValue, LspError } from "../errors.ts";
import { toUri } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { walk } from "../watch/walk.ts";
import type { Settings } from "../workspace/config.ts";
import { displayPath, locate, type Route } from "../workspace/locate.ts";
import { matchesName } from "../workspace/match.ts";
import { workspaceOf } from "../workspace/root.ts";
import type { Asker } from "./asking.ts";

/** What became of a server that was to be started. */
export interface Started {
	readonly server: string;
	readonly root: string;
	readonly version?: string;
	/** Milliseconds until it had shaken hands; near 0 for one that ran already. */
	readonly ms: number;
	readonly error?: ErrorValue;
}

/** A file in a server. */
export interface OpenFile {
	readonly path: string;
	readonly server: string;
}

/** LSP's FileChangeType, by name. */
export const changeTypes = { created: 1, changed: 2, deleted: 3 } as const;
export type FileChange = { readonly path: string; readonly kind: keyof typeof changeTypes };

/** How many languages of a workspace are started when none is named. */
const mostLanguages = 4;
const mostFiles = 2000;

/** What a caller has done to servers and to their view of the disk, without a question. */
export interface Desk {
	/** Starts the servers of a directory's languages, or of one language (its id as doctor tells it). */
	start(directory: string | undefined, language: string | undefined): Promise<Started[]>;
	/** Opens files in their servers, which are started if need be. */
	open(files: readonly string[]): Promise<OpenFile[]>;
	/** Closes files in every server that has them open; what was not open is left out. */
	close(files: readonly string[]): Promise<OpenFile[]>;
	/** The files that are open in the servers of the caller's workspace. */
	opened(): Promise<OpenFile[]>;
	/** The files of the workspace that a server judges, near ones first, and how many are left out. */
	sources(): Promise<{ readonly files: string[]; readonly more: number }>;
	/** Tells the servers of files that somebody has changed; returns how many servers were told. */
	changed(changes: readonly FileChange[]): Promise<number>;
	folders: {
		/** Directories that the running servers of the workspace count as theirs, by server. */
		list(): Promise<{ readonly server: string; readonly folders: readonly string[] }[]>;
		add(directory: string): Promise<readonly string[]>;
		remove(directory: string): Promise<readonly string[]>;
	};
}

export function deskOf(asker: Asker, settings: () => Promise<Settings>): Desk {
	const { hub, cwd, env, signal } = asker;
	const shown = (directory: string) => (directory === cwd ? "." : displayPath(directory, cwd));
	const real = async (path: string) => {
		const absolute = resolve(cwd, path);
		return (await realPathOf(absolute)) ?? absolute;
	};
	const running = async () => {
		const workspace = await workspaceOf(cwd);
		return hub.pool.servers().filter(({ root }) => isInside(root, workspace) || isInside(workspace, root));
	};
	const inWorkspace = async (path: string) => {
		const [directory, workspace] = await Promise.all([real(path), workspaceOf(cwd)]);
		if (isInside(directory, workspace)) return directory;
		throw new LspError("LSP_OUTSIDE_WORKSPACE", `${path} is outside the workspace ${workspace}.`, {
			file_path: directory,
		});
	};
	const startRoute = async (route: Route, workspace: string): Promise<Started> => {
		const begun = performance.now();
		const about = { server: route.config.id, root: shown(route.root) };
		const since = () => Math.round(performance.now() - begun);
		try {
			const version = await hub.pool.use(route, workspace, env, signal, async (server) => server.version);
			return { ...about, ...(version ? { version } : {}), ms: since() };
		} catch (thrown) {
			signal.throwIfAborted();
			return { ...about, ms: since(), error: asLspError(thrown).toJSON() };
		}
	};
	return {
		async start(directory = ".", language) {
			const [from, found] = await Promise.all([inWorkspace(directory), settings()]);
			const { languages } = await surveyLanguages(from, found.servers, signal);
			const chosen = languages.filter(({ id }) => language === undefined || id === language);
			if (chosen.length === 0)
				throw new LspError(
					"LSP_UNSUPPORTED_FILE",
					language === undefined
						? `There is no file in ${directory} that a server knows.`
						: `There is no ${language} file in ${directory}: ${languages.map(({ id }) => id).join(", ") || "no language"} is there.`,
				);
			const samples = chosen.slice(0, mostLanguages).flatMap(({ samples: places }) => [...places.values()].slice(0, 1));
			const located = await Promise.allSettled(samples.map((file) => locate(file, cwd, found)));
			const routes = located.flatMap((result) =>
				result.status === "fulfilled"
					? result.value.routes.map((route) => ({ route, workspace: result.value.workspace }))
					: [],
			);
			const refused = located.find((result) => result.status === "rejected");
			if (routes.length === 0 && refused) throw refused.reason;
			const once = new Map(routes.map((each) => [`${each.route.config.id} ${each.route.root}`, each]));
			return Promise.all([...once.values()].map(({ route, workspace }) => startRoute(route, workspace)));
		},
		async open(files) {
			const found = await settings();
			const opened = await Promise.all(
				files.map(async (file) => {
					const { path, display, workspace, routes } = await locate(file, cwd, found);
					return Promise.all(
						routes.map((route) =>
							hub.pool.use(route, workspace, env, signal, async (server) => {
								await documentOnDisk(server, path, route.languageId);
								return { path: display, server: server.config.id };
							}),
						),
					);
				}),
			);
			return opened.flat();
		},
		async close(files) {
			const [servers, paths] = await Promise.all([running(), Promise.all(files.map(real))]);
			const closed: OpenFile[] = [];
			for (const server of servers)
				for (const path of paths) {
					if (!server.documents.get(path)) continue;
					await server.documents.exclusively(path, async () => server.documents.close(path));
					closed.push({ path: displayPath(path, cwd), server: server.config.id });
				}
			return closed;
		},
		async opened() {
			const servers = await running();
			return servers.flatMap((server) =>
				server.documents.paths().map((path) => ({ path: displayPath(path, cwd), server: server.config.id })),
			);
		},
		async sources() {
			const [workspace, { servers, disabled }] = await Promise.all([workspaceOf(cwd), settings()]);
			const judges = servers.filter(
				({ id, role = "language", diagnoses = true }) => role === "language" && diagnoses && !disabled.has(id),
			);
			const files: string[] = [];
			let more = 0;
			for await (const { files: some } of walk(workspace)) {
				signal.throwIfAborted();
				for (const path of some) {
					if (!judges.some((config) => matchesName(config, path))) continue;
					if (files.length < mostFiles) files.push(displayPath(path, cwd));
					else more++;
				}
			}
			return { files, more };
		},
		async changed(changes) {
			const named = await Promise.all(changes.map(async ({ path, kind }) => ({ path: await inWorkspace(path), kind })));
			let told = 0;
			for (const server of await running()) {
				const own = named.filter(({ path }) => isInside(path, server.root));
				if (own.length === 0) continue;
				for (const { path } of own) server.documents.changed(path);
				server.notify("workspace/didChangeWatchedFiles", {
					changes: own.map(({ path, kind }) => ({ uri: toUri(path), type: changeTypes[kind] })),
				});
				told++;
			}
			return told;
		},
		folders: {
			async list() {
				return (await running()).map((server) => ({
					server: server.config.id,
					folders: server.folders.map(shown),
				}));
			},
			async add(directory) {
				const path = await inWorkspace(directory);
				return named((await running()).filter((server) => server.addFolder(path)));
			},
			async remove(directory) {
				const path = await inWorkspace(directory);
				return named((await running()).filter((server) => server.removeFolder(path)));
			},
		},
	};
}

function named(servers: readonly LanguageServer[]): string[] {
	return [...new Set(servers.map(({ config }) => config.id))];
}
