import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { startedText } from "../render/status/started.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

export const start = defineOperation({
	name: "start",
	title: "Start servers",
	description:
		"Starts the language servers of a directory's languages before they are needed, and says how long each took. Every question starts what it needs by itself.",
	effect: "control",
	alone: true,
	input: Type.Object({
		directory: Type.Optional(Type.String({ description: "Inside the workspace (default: the working directory)" })),
		language: Type.Optional(Type.String({ description: "Only the servers of this language, e.g. python" })),
		connect: Type.Optional(
			Type.String({
				description:
					"HOST:PORT or the path of a socket where somebody else runs the language's server: it is used from now on, until the next start without this",
			}),
		),
	}),
	output: Type.Object({
		servers: Type.Array(
			Type.Object({
				server: Type.String(),
				root: Type.String(),
				version: Type.Optional(Type.String()),
				ms: Type.Number({ description: "Until it had started; near 0 if it ran already" }),
				error: Type.Optional(
					Type.Object({
						code: Type.String(),
						message: Type.String(),
						details: Type.Unsafe<object>({ type: "object" }),
					}),
				),
			}),
		),
	}),
	aliases: [agentLsp.start],
	positional: ["directory", "language"],
	example: {
		input: { directory: "." },
		output: { servers: [{ server: "typescript", root: ".", version: "7.0.2", ms: 61 }] },
	},
	run: async ({ directory, language, connect }, on) => ({
		servers: await on.servers.start(directory, { language, connect }),
	}),
	render: ({ servers }) => startedText(servers),
	exitCode: ({ servers }) => (servers.some(({ error }) => error) ? 3 : 0),
});
