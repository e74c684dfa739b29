import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import { oneLine } from "../render/escape.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const Output = Type.Object({
	changed: Type.Optional(Type.Array(Type.String(), { description: "The servers that took the change" })),
	servers: Type.Array(Type.Object({ server: Type.String(), folders: Type.Array(Type.String()) })),
});

export type Folders = ValueOf<typeof Output>;

export const folders = defineOperation({
	name: "folders",
	title: "Workspace folders",
	description:
		"The directories that each running language server counts as its workspace. `add` and `remove` change that for servers that take it after their start (gopls, pyright): one server then answers across several packages.",
	effect: "control",
	input: Type.Object({
		action: Type.Optional(oneOf(["list", "add", "remove"], "What to do (default: list)")),
		directory: Type.Optional(Type.String({ description: "A directory inside the workspace, for add and remove" })),
	}),
	output: Output,
	aliases: [agentLsp.addFolder, agentLsp.removeFolder, agentLsp.listFolders],
	positional: ["action", "directory"],
	example: { input: { action: "list" }, output: { servers: [{ server: "gopls", folders: [".", "tools"] }] } },
	async run({ action = "list", directory }, on) {
		const { folders: known } = on.workspace;
		if (action === "list") return { servers: await known.list() };
		const changed = await known[action](directory ?? ".");
		return { changed, servers: await known.list() };
	},
	render({ changed, servers }) {
		const lines = servers.map(({ server, folders: own }) => `${server}: ${own.map(oneLine).join(", ")}`);
		const change =
			changed && (changed.length > 0 ? `Notified ${changed.join(", ")}.` : "No running server took the change.");
		return [...(change ? [change] : []), ...(lines.length > 0 ? lines : ["No server runs in this workspace."])].join(
			"\n",
		);
	},
});
