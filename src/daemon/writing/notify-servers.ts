import picomatch from "picomatch";
import type { FileOperationRegistrationOptions } from "vscode-languageserver-protocol";
import { FileChangeType } from "../../contract/protocol-kinds.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { pause } from "../../util/abort.ts";
import { isInside } from "../../util/paths.ts";
import { toUri } from "../../util/positions.ts";
import type { Change } from "../../writer/change.ts";
import type { Service } from "../service.ts";

export async function notifyServers(service: Service, change: Change): Promise<void> {
	const { moves, files, root } = change;
	const paths = [...moves.flatMap(({ from, to }) => [from, to]), ...files.map(({ path }) => path)];
	service.changedOnDisk(paths);
	const servers = service.pool.servers().filter((server) => isInside(server.root, root) || isInside(root, server.root));
	await Promise.all(servers.map((server) => notifyServer(server, change).catch(() => {})));
}

async function notifyServer(server: LanguageServer, { moves, files }: Change): Promise<void> {
	const { documents } = server;
	const isGone = (path: string) =>
		moves.some(({ from }) => isInside(path, from)) || files.some((file) => file.path === path && !file.after);
	for (const path of documents.paths())
		if (isGone(path)) await documents.exclusively(path, async () => documents.close(path));
	for (const { path } of files) documents.changed(path);
	await outOfItsSecond(server, files);
	await documents.refresh();
	const events = [
		...moves.flatMap(({ from, to }) => [event(from, "Deleted"), event(to, "Created")]),
		...files.map(({ path, before, after }) => event(path, !before ? "Created" : !after ? "Deleted" : "Changed")),
	];
	server.notify("workspace/didChangeWatchedFiles", { changes: events });
	const wanted = fileOperationFilters(server, "didRename");
	const renamed = moves.filter(({ from }) => wanted.some((options) => matchesFilters(options, from)));
	if (renamed.length > 0) {
		const uris = renamed.map(({ from, to }) => ({ oldUri: toUri(from), newUri: toUri(to) }));
		server.notify("workspace/didRenameFiles", { files: uris });
	}
}

/** clangd keeps the old header if the new one has its size and second. */
async function outOfItsSecond({ config }: LanguageServer, files: Change["files"]): Promise<void> {
	const isAlike = files.some(({ before, after }) => before && before.length === after?.length);
	if (config.pushes?.staleHeaders && isAlike) await pause(1000 - (Date.now() % 1000) + 5);
}

function event(path: string, kind: keyof typeof FileChangeType) {
	return { uri: toUri(path), type: FileChangeType[kind] };
}

type FileOperation = "willRename" | "didRename";

export function fileOperationFilters(
	server: LanguageServer,
	what: FileOperation,
): readonly FileOperationRegistrationOptions[] {
	const offered = server.capabilities.workspace?.fileOperations?.[what];
	const registered = [...server.registrations.values()]
		.filter(({ method }) => method === `workspace/${what}Files`)
		.map(({ registerOptions }) => registerOptions as FileOperationRegistrationOptions | undefined);
	return [offered, ...registered].filter((options) =>
		Array.isArray(options?.filters),
	) as FileOperationRegistrationOptions[];
}

export function matchesFilters({ filters }: FileOperationRegistrationOptions, path: string): boolean {
	return filters.some(({ pattern }) =>
		picomatch(pattern.glob, { dot: true, nocase: pattern.options?.ignoreCase === true })(path.replace(/^\//, "")),
	);
}
