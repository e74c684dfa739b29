import { basename, dirname, extname, join, resolve } from "node:path";
import type { FileOperationRegistrationOptions, WorkspaceEdit } from "vscode-languageserver-protocol";
import { asLspError, LspError } from "../../contract/errors.ts";
import { workspaceOf } from "../../project/root.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { askFirst, projectMs } from "../../query/run.ts";
import { displayPath } from "../../routing/locate.ts";
import { realPathOf, statOf } from "../../util/files.ts";
import { toUri } from "../../util/positions.ts";
import type { OperationCall } from "../operation-context.ts";
import { filesBelow } from "./files-below.ts";
import { fileOperationFilters, matchesFilters } from "./notify-servers.ts";

const method = "workspace/willRenameFiles";

export interface PlannedMove {
	readonly from: string;
	readonly to: string;
	readonly cwd: string;
	readonly workspace: string;
	readonly answers: readonly { readonly asked: FileQuery; readonly edit: WorkspaceEdit }[];
	readonly notes: readonly string[];
}

export async function planMove(call: OperationCall, from: string, to: string): Promise<PlannedMove> {
	const { service, params, signal, env } = call;
	const { directory: cwd } = await call.settings();
	const workspace = await workspaceOf(cwd);
	const place = resolve(cwd, from);
	// Moves a link, not its target.
	const source = join((await realPathOf(dirname(place))) ?? dirname(place), basename(place));
	const info = await statOf(source);
	if (!info) throw new LspError("LSP_FILE_NOT_FOUND", `${from} does not exist.`, { file_path: source });
	const target = await targetOf(resolve(cwd, to), source);
	const about = { from: source, to: target, cwd, workspace };
	const files = [{ oldUri: toUri(source), newUri: toUri(target) }];
	const answers = new Map<object, PlannedMove["answers"][number]>();
	const failures = new Set<string>();
	let isOffered = false;
	for (const sample of await samplesOf(source, workspace))
		try {
			const { located, settings } = await service.locate(sample, params);
			const answer = async (asked: FileQuery) => {
				const { server } = asked;
				if (answers.has(server)) return {};
				if (!concerns(fileOperationFilters(server, "willRename"), source, info.isDirectory()))
					throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} has no say in it.`);
				const ask = () => server.request<WorkspaceEdit | null>(method, { files }, asked.signal);
				let edit = await ask();
				if (server.readiness.busy !== undefined) {
					await server.readiness.settled(projectMs, asked.signal);
					edit = await ask();
				}
				const { busy } = server.readiness;
				if (busy !== undefined)
					throw new LspError(
						"LSP_FILE_NOT_INDEXED",
						`${server.config.id} is still busy (${busy}) and might miss imports.`,
					);
				answers.set(server, { asked, edit: edit ?? {} });
				return {};
			};
			await askFirst({ service, cwd: settings.directory, env, signal }, { located, answer, options: { whole: true } });
			isOffered = true;
		} catch (thrown) {
			const error = asLspError(thrown);
			if (!["LSP_UNSUPPORTED_REQUEST", "LSP_UNSUPPORTED_FILE", "LSP_NO_PROJECT_ROOT"].includes(error.code)) throw error;
			failures.add(displayPath(sample, cwd));
		}
	const notes =
		isOffered || failures.size === 0
			? []
			: [`No server adapts what names ${displayPath(source, cwd)}: look for its uses.`];
	return { ...about, answers: [...answers.values()], notes };
}

async function targetOf(to: string, source: string): Promise<string> {
	const info = await statOf(to);
	const other = await statOf(source);
	const isItself = info?.ino === other?.ino && info?.dev === other?.dev;
	return info?.isDirectory() && !isItself ? join(to, basename(source)) : to;
}

async function samplesOf(source: string, workspace: string): Promise<string[]> {
	const byExtension = new Map<string, string>();
	for (const file of await filesBelow(source, workspace))
		if (!byExtension.has(extname(file))) byExtension.set(extname(file), file);
	return [...byExtension.values()];
}

/** TypeScript 7 answers for directories, though its filter names files. */
function concerns(options: readonly FileOperationRegistrationOptions[], path: string, isDirectory: boolean): boolean {
	return isDirectory ? options.length > 0 : options.some((each) => matchesFilters(each, path));
}
