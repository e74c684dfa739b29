import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { oneLine } from "../render/escape.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

export const start = defineOperation({
	name: "start",
	title: "Start servers",
	description:
		"Starts the language servers of a directory's languages before they are needed, and says how long each took. Every question starts what it needs by itself.",
	effect: "control",
	startsDaemon: true,
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
	render: ({ servers }) =>
		servers
			.map(({ server, root, version, ms, error }) => {
				const name = oneLine([server, version].filter(Boolean).join(" "));
				return error
					? `${name} in ${oneLine(root)}: ${error.code}: ${oneLine(error.message)}`
					: `${name} in ${oneLine(root)}: ready after ${Math.round(ms)} ms`;
			})
			.join("\n"),
	exitCode: ({ servers }) => (servers.some(({ error }) => error) ? 3 : 0),
});
