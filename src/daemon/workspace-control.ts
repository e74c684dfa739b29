import { resolve } from "node:path";
import type { Settings } from "../config/read-settings.ts";
import type { Permits } from "../contract/protocol.ts";
import { FileChangeType } from "../contract/protocol-kinds.ts";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { matchesName } from "../project/file-match.ts";
import { workspaceOf } from "../project/root.ts";
import type { CallContext } from "../query/run.ts";
import { displayPath, inWorkspace, locate } from "../routing/locate.ts";
import { realPathOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { toUri } from "../util/positions.ts";
import { walk } from "../watch/walk.ts";
import { type Started, startServers } from "./start-servers.ts";

/** A file in a server. */
interface OpenFile {
	readonly path: string;
	readonly server: string;
}

const changeTypes = {
	created: FileChangeType.Created,
	changed: FileChangeType.Changed,
	deleted: FileChangeType.Deleted,
};
type FileChange = { readonly path: string; readonly kind: keyof typeof changeTypes };

const maxFiles = 2000;

/** What a caller has done to servers and to their view of the disk, without a question. */
export interface WorkspaceControl {
	/**
	 * Starts the servers of a directory's languages, or of one language (its id as doctor tells it). With `connect`, an address
	 * as in the configuration, the language's server is from now on the one that somebody runs there, for everybody in the
	 * workspace; without it what was connected to so is left. Rejects with LSP_INVALID_INPUT where `connect` could mean several,
	 * with LSP_NEEDS_PERSON where nobody has allowed the address.
	 */
	start(directory: string | undefined, language: string | undefined, connect?: string): Promise<Started[]>;
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

/** `settings` are those of the call; `settingsNow` are looked up anew. */
export function workspaceControlOf(
	asker: CallContext,
	settings: () => Promise<Settings>,
	settingsNow: () => Promise<Settings>,
	permits: Permits = {},
): WorkspaceControl {
	const { service, cwd, env, signal } = asker;
	const shown = (directory: string) => (directory === cwd ? "." : displayPath(directory, cwd));
	const real = async (path: string) => {
		const absolute = resolve(cwd, path);
		return (await realPathOf(absolute)) ?? absolute;
	};
	const running = async () => {
		const workspace = await workspaceOf(cwd);
		return service.pool.servers().filter(({ root }) => isInside(root, workspace) || isInside(workspace, root));
	};
	const own = async (path: string) => (await inWorkspace(path, cwd)).path;
	return {
		start: async (directory = ".", language, connect) =>
			startServers(asker, await own(directory), { language, connect, permits, settings, settingsNow, shown }),
		async open(files) {
			const found = await settings();
			const opened = await Promise.all(
				files.map(async (file) => {
					const { path, display, workspace, routes } = await locate(file, cwd, found);
					return Promise.all(
						routes.map((route) =>
							service.pool.use(route, { workspace, env, signal }, async (server) => {
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
					if (files.length < maxFiles) files.push(displayPath(path, cwd));
					else more++;
				}
			}
			return { files, more };
		},
		async changed(changes) {
			const named = await Promise.all(changes.map(async ({ path, kind }) => ({ path: await own(path), kind })));
			let told = 0;
			for (const server of await running()) {
				const below = named.filter(({ path }) => isInside(path, server.root));
				if (below.length === 0) continue;
				for (const { path } of below) server.documents.changed(path);
				server.notify("workspace/didChangeWatchedFiles", {
					changes: below.map(({ path, kind }) => ({ uri: toUri(path), type: changeTypes[kind] })),
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
				const path = await own(directory);
				return named((await running()).filter((server) => server.addFolder(path)));
			},
			async remove(directory) {
				const path = await own(directory);
				return named((await running()).filter((server) => server.removeFolder(path)));
			},
		},
	};
}

function named(servers: readonly LanguageServer[]): string[] {
	return [...new Set(servers.map(({ config }) => config.id))];
}
