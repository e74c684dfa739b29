import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import type { Folders } from "../folders.ts";
import type { KnownServers } from "../servers.ts";
import { file, language, profile } from "./agent-lsp.ts";
import { inputFrom } from "./input-from.ts";

export const start = defineAlias({
	profile,
	name: "start_lsp",
	description: "Starts the language servers of a directory. Every question starts what it needs by itself.",
	input: t.object({
		root_dir: t.text("Absolute path to the workspace root"),
		language_id: t.optional.text("Only the servers of this language"),
		connect: t.optional.text("host:port of a language server that another process runs"),
		ready_timeout_seconds: t.optional.positive("How long to wait until they have read the project", { maximum: 3600 }),
	}),
	toInput: ({ ready_timeout_seconds: seconds, ...given }) => ({
		...inputFrom({ directory: "root_dir", language: "language_id", connect: "connect" })(given),
		...(seconds === undefined ? {} : { timeout: seconds * 1000 }),
	}),
});

export const restart = defineAlias({
	profile,
	name: "restart_lsp_server",
	description: "Stops the language servers; the next question starts them afresh.",
	input: t.object({ root_dir: t.optional.text("Taken and not needed: a question names its own project") }),
	toInput: inputFrom({}),
});

export const open = defineAlias({
	profile,
	name: "open_document",
	description: "Opens a file in its language servers. Every question does that by itself.",
	input: t.object({
		...file,
		...language,
		text: t.optional.text("What stands in the file; another text is refused"),
	}),
	toInput: ({ file_path: path, text }) => ({ files: [path], ...(text === undefined ? {} : { text }) }),
});

export const close = defineAlias({
	profile,
	name: "close_document",
	description: "Closes a file in every language server that has it open.",
	input: t.object(file),
	toInput: ({ file_path: path }) => ({ files: [path] }),
});

const directory = { path: t.text("Absolute path of the directory") };

export const addFolder = defineAlias({
	profile,
	name: "add_workspace_folder",
	description: "Adds a directory to the workspace of the language servers that take it.",
	input: t.object(directory),
	toInput: ({ path }) => ({ action: "add" as const, directory: path }),
	toOutput: (folders: Folders, { path }, context) => ({ added: path, ...toFolders(folders, context, [path]) }),
});

export const removeFolder = defineAlias({
	profile,
	name: "remove_workspace_folder",
	description: "Removes a directory from the workspace of the language servers.",
	input: t.object(directory),
	toInput: ({ path }) => ({ action: "remove" as const, directory: path }),
	toOutput: (folders: Folders, { path }, context) => ({ removed: path, ...toFolders(folders, context) }),
});

export const listFolders = defineAlias({
	profile,
	name: "list_workspace_folders",
	description: "The directories that the language servers count as their workspace.",
	input: t.object({}),
	toInput: inputFrom({}, { action: "list" as const }),
	toOutput: (folders: Folders, _given, context) => toFolders(folders, context),
});

function toFolders({ servers }: Folders, { absolute, uri }: AliasContext, more: readonly string[] = []) {
	const folders = new Set([...servers.flatMap(({ folders: own }) => own.map(absolute)), ...more]);
	return { workspace_folders: [...folders].map((name) => ({ uri: uri(name), name })) };
}

/** By FileChangeType, from 1. */
const changeKinds = ["created", "changed", "deleted"] as const;

export const filesChanged = defineAlias({
	profile,
	name: "did_change_watched_files",
	description: "Tells the language servers of files that changed on disk. They are watched already.",
	input: t.object({
		changes: t.list(
			t.object({
				uri: t.text("file:/// URI"),
				type: t.positive("1 created, 2 changed, 3 deleted", { maximum: 3 }),
			}),
			undefined,
			{ minItems: 1 },
		),
	}),
	toInput: ({ changes: given }, { path }) =>
		changeKinds.flatMap((kind, index) => {
			const files = given.filter(({ type }) => type === index + 1).map(({ uri }) => path(uri));
			return files.length > 0 ? [{ kind, files }] : [];
		}),
});

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

export const logLevel = defineAlias({
	profile,
	name: "set_log_level",
	description: "What the log holds: debug every message of the protocol, anything else starts, ends and faults.",
	input: t.object({ level: t.oneOf(levels, "From the most to the least") }),
	toInput: ({ level }) => ({ level: level === "debug" ? ("frames" as const) : ("events" as const) }),
});

export const servers = defineAlias({
	profile,
	name: "detect_lsp_servers",
	description: "The languages of the workspace, and which of their language servers are installed.",
	input: t.object({ workspace_dir: t.text("Absolute path to the workspace root to scan") }),
	toInput: inputFrom({ directory: "workspace_dir" }),
	toOutput({ languages, servers: found }: KnownServers, { workspace_dir: directory }) {
		const installed = languages.flatMap(({ id: spoken, servers: ids }) =>
			ids.flatMap((id) => {
				const server = found.find((each) => each.id === id);
				if (server?.command === undefined) return [];
				const words = server.command.split(" ");
				const program = server.namedBy === undefined ? id : words.join(",");
				return [{ language: spoken, server: id, path: words[0], config_entry: `${spoken}:${program}` }];
			}),
		);
		return {
			workspace_dir: directory,
			workspace_languages: languages.map(({ id }) => id),
			installed_servers: installed,
			suggested_config: installed
				.filter(({ server }, index) => installed.findIndex((other) => other.server === server) === index)
				.map(({ config_entry: entry }) => entry),
			not_installed: languages
				.filter(({ id }) => !installed.some(({ language: spoken }) => spoken === id))
				.map(({ id: spoken, servers: ids }) => ({
					language: spoken,
					server: ids[0] ?? null,
					install_hint: found.find(({ id }) => id === ids[0])?.install ?? null,
				})),
		};
	},
});
