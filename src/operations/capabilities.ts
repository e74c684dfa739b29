import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import type { ValueOf } from "../contract/schema.ts";
import { File, Incomplete, incompleteFor } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const Output = Type.Object({
	servers: Type.Array(
		Type.Object({
			server: Type.String(),
			version: Type.Optional(Type.String()),
			encoding: Type.String({ description: "The units of its columns" }),
			supported: Type.Array(Type.String(), { description: "Operations" }),
			unsupported: Type.Array(Type.String(), { description: "Operations that it does not answer" }),
			offers: Type.Array(Type.String(), { description: "By the names of the protocol" }),
			options: Type.Optional(
				Type.Record(Type.String(), Type.Unsafe<object>({ type: "object" }), {
					description: "What the server says of some of these",
				}),
			),
		}),
	),
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
	input: Type.Object({ file: Type.Optional(File) }),
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
