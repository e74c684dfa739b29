import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { File, Incomplete, incompleteFor } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const Output = t.object({
	servers: t.objects({
		server: t.text(),
		version: t.optional.text(),
		encoding: t.text("The units of its columns"),
		supported: t.texts("Operations"),
		unsupported: t.texts("Operations that it does not answer"),
		offers: t.texts("By the names of the protocol"),
		options: t.optional(
			Type.Record(t.text(), t.anyObject(), {
				description: "What the server says of some of these",
			}),
		),
	}),
	...Incomplete,
});

export type Capabilities = ValueOf<typeof Output>;

export const capabilities = defineOperation({
	name: "capabilities",
	title: "Capabilities of servers",
	description:
		"For each language server of a file, or without one for those that run in the workspace: the operations that it supports, those that it does not, and the names of everything that it offers.",
	effect: "read",
	aliases: [agentLsp.capabilities],
	input: t.object({ file: t.optional(File) }),
	output: Output,
	positional: ["file"],
	example: {
		input: { file: "src/app.ts" },
		output: {
			servers: [
				{
					server: "typescript",
					version: "7.0.2",
					encoding: "utf-16",
					supported: ["hover", "definition"],
					unsupported: ["types"],
					offers: ["definition", "hover"],
				},
			],
		},
	},
	async run({ file }, on) {
		const { servers, unanswered } = await on.servers.capabilities(file);
		return { servers, ...incompleteFor(unanswered) };
	},
	render: ({ servers }) =>
		servers
			.flatMap(({ server, version, supported, unsupported, offers }) => [
				[server, version].filter(Boolean).join(" "),
				`  supports: ${supported.join(", ") || "nothing"}`,
				...(unsupported.length > 0 ? [`  does not support: ${unsupported.join(", ")}`] : []),
				`  offers: ${offers.join(", ") || "nothing"}`,
			])
			.join("\n"),
});
