import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { oneLine } from "../render/escape.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const Output = t.object({
	changed: t.optional.texts("The servers that took the change"),
	servers: t.objects({ server: t.text(), folders: t.texts() }),
});

export type Folders = ValueOf<typeof Output>;

export const folders = defineOperation({
	name: "folders",
	title: "Workspace folders",
	description:
		"The directories that each running language server counts as its workspace. `add` and `remove` change that for servers that take it after their start (gopls, pyright): one server then answers across several packages.",
	effect: "control",
	input: t.object({
		action: t.optional.oneOf(["list", "add", "remove"], "What to do (default: list)"),
		directory: t.optional.text("A directory inside the workspace, for add and remove"),
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
