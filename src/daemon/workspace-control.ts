import { resolve } from "node:path";
import { LspError } from "../contract/errors.ts";
import { FileChangeType } from "../contract/protocol-kinds.ts";
import { documentOnDisk } from "../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { workspaceOf } from "../project/root.ts";
import { displayPath, inWorkspace, locate } from "../routing/locate.ts";
import { realPathOf, statOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { toUri } from "../util/positions.ts";
import type { OperationCall } from "./operation-context.ts";

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

export function workspaceControl(call: OperationCall) {
	const { service, env, signal } = call;
	const directory = async () => (await call.context()).cwd;
	const runningServers = async () => {
		const workspace = await workspaceOf(await directory());
		return service.pool.servers().filter(({ root }) => isInside(root, workspace) || isInside(workspace, root));
	};
	const changeFolders = async (folder: string, change: (server: LanguageServer, path: string) => boolean) => {
		const path = await existingDirectory(folder, await directory());
		const changed = (await runningServers()).filter((server) => change(server, path));
		return [...new Set(changed.map(({ config }) => config.id))];
	};
	return {
		/** Rejects with LSP_INVALID_INPUT if a file holds another text. */
		async open(files: readonly string[], text?: string): Promise<OpenFile[]> {
			const settings = await call.settings();
			const opened = await Promise.all(
				files.map(async (file) => {
					const { path, display, workspace, routes } = await locate(file, settings);
					return Promise.all(
						routes.map((route) =>
							service.pool.use(route, { workspace, env, signal }, async (server) => {
								server.documents.askedAbout(path);
								const document = await documentOnDisk(server, path, route.languageId);
								if (text !== undefined && document.text !== text) throw anotherText(display);
								return { path: display, server: server.config.id };
							}),
						),
					);
				}),
			);
			return opened.flat();
		},
		async close(files: readonly string[]) {
			const cwd = await directory();
			const paths = await Promise.all(
				files.map(async (file) => (await realPathOf(resolve(cwd, file))) ?? resolve(cwd, file)),
			);
			const closed: OpenFile[] = [];
			for (const server of await runningServers())
				for (const path of paths) {
					if (!server.documents.get(path)) continue;
					await server.documents.exclusively(path, async () => server.documents.close(path));
					closed.push({ path: displayPath(path, cwd), server: server.config.id });
				}
			return closed;
		},
		async opened(): Promise<OpenFile[]> {
			const cwd = await directory();
			return (await runningServers()).flatMap((server) =>
				server.documents.askedPaths().map((path) => ({ path: displayPath(path, cwd), server: server.config.id })),
			);
		},
		async changed(changes: readonly FileChange[]) {
			const cwd = await directory();
			const within = { directory: cwd, workspace: await workspaceOf(cwd) };
			const resolved = await Promise.all(
				changes.map(async ({ path, kind }) => ({ path: await inWorkspace(path, within), kind })),
			);
			let notified = 0;
			for (const server of await runningServers()) {
				const below = resolved.filter(({ path }) => isInside(path, server.root));
				if (below.length === 0) continue;
				for (const { path } of below) server.documents.changed(path);
				server.notify("workspace/didChangeWatchedFiles", {
					changes: below.map(({ path, kind }) => ({ uri: toUri(path), type: changeTypes[kind] })),
				});
				notified++;
			}
			return notified;
		},
		folders: {
			async list() {
				const cwd = await directory();
				return (await runningServers()).map(({ config, folders }) => ({
					server: config.id,
					folders: folders.map((folder) => displayDirectory(folder, cwd)),
				}));
			},
			add: (folder: string) => changeFolders(folder, (server, path) => server.addFolder(path)),
			remove: (folder: string) => changeFolders(folder, (server, path) => server.removeFolder(path)),
		},
	};
}

function anotherText(file: string): LspError {
	return new LspError(
		"LSP_INVALID_INPUT",
		`open: text is not what stands in ${file}, and questions are about the disk.`,
		{
			suggestion: "Write the file first; {{preview}} says what an edit would break without writing it.",
		},
	);
}

/** Rejects with LSP_OUTSIDE_WORKSPACE or LSP_FILE_NOT_FOUND. */
export async function existingDirectory(given: string, cwd: string): Promise<string> {
	const path = await inWorkspace(given, { directory: cwd, workspace: await workspaceOf(cwd) });
	if ((await statOf(path))?.isDirectory()) return path;
	throw new LspError("LSP_FILE_NOT_FOUND", `There is no directory ${displayDirectory(path, cwd)}.`, {
		file_path: path,
	});
}

export function displayDirectory(directory: string, cwd: string): string {
	return directory === cwd ? "." : displayPath(directory, cwd);
}
