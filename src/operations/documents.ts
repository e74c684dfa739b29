import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const Files = t.texts("Paths of files, relative to the working directory", { minItems: 1 });

const FilesOutput = t.object({ files: t.objects({ path: t.text(), server: t.text("Its id") }) });

export const open = defineOperation({
	name: "open",
	title: "Open files in their servers",
	description:
		"Opens files in their language servers, which are started if need be, so that the first question about them is quick. Every question does that by itself; an unused file is closed again when others need the room.",
	effect: "control",
	startsDaemon: true,
	input: t.object({
		files: Files,
		text: t.optional.text(
			"What stands in each of them: another text is refused, since every question is about the disk",
			{ contentMediaType: "text/plain" },
		),
	}),
	output: FilesOutput,
	positional: ["files"],
	aliases: [agentLsp.open],
	example: {
		input: { files: ["src/app.ts"] },
		output: { files: [{ path: "src/app.ts", server: "typescript" }] },
	},
	run: async ({ files, text }, on) => ({ files: await on.workspace.open(files, text) }),
	render: (opened) => openFilesText(opened, "Opened", "Nothing was opened."),
});

export const close = defineOperation({
	name: "close",
	title: "Close files in their servers",
	description: "Closes files in every language server that has them open: what they hold is read from disk again.",
	effect: "control",
	input: t.object({ files: Files }),
	output: FilesOutput,
	positional: ["files"],
	aliases: [agentLsp.close],
	example: {
		input: { files: ["src/app.ts"] },
		output: { files: [{ path: "src/app.ts", server: "typescript" }] },
	},
	run: async ({ files }, on) => ({ files: await on.workspace.close(files) }),
	render: (closed) => openFilesText(closed, "Closed", "None of these files was open."),
});

export const filesChanged = defineOperation({
	name: "files_changed",
	title: "Notify servers of changed files",
	description:
		"Tells the language servers that files were created, changed or deleted by another program. They are watched already; this is for file systems that report no changes.",
	effect: "control",
	input: t.object({ kind: t.oneOf(["created", "changed", "deleted"], "What happened to them"), files: Files }),
	output: t.object({ servers: t.integer("How many were notified") }),
	positional: ["kind", "files"],
	aliases: [agentLsp.filesChanged],
	example: { input: { kind: "changed", files: ["src/generated.ts"] }, output: { servers: 1 } },
	run: async ({ kind, files }, on) => ({
		servers: await on.workspace.changed(files.map((path) => ({ path, kind }))),
	}),
	render: ({ servers }) =>
		servers === 0 ? "No running server is concerned." : `Notified ${count(servers, "server", "servers")}.`,
});

function openFilesText({ files }: ValueOf<typeof FilesOutput>, verb: string, none: string): string {
	if (files.length === 0) return none;
	const servers = new Map<string, string[]>();
	for (const { path, server } of files) servers.set(path, [...(servers.get(path) ?? []), server]);
	return [
		`${verb} ${count(servers.size, "file", "files")}:`,
		...[...servers].map(([path, ids]) => `  ${oneLine(path)} (${ids.join(", ")})`),
	].join("\n");
}
