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
					"HOST:PORT or the path of a socket where another process runs the language's server: it is used from now on, until the next start without this",
			}),
		),
		timeout: Type.Optional(
			Type.Integer({
				minimum: 1,
				maximum: 3_600_000,
				description: "Milliseconds to wait until they have read the project (default: only until they have started)",
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
				ready: Type.Optional(
					Type.Boolean({ description: "With `timeout`: it has read the project, as far as it says" }),
				),
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
	run: async ({ directory, language, connect, timeout: readyMs }, on) => ({
		servers: await on.servers.start(directory, { language, connect, readyMs }),
	}),
	render: ({ servers }) =>
		servers
			.map(({ server, root, version, ms, ready, error }) => {
				const place = `${oneLine([server, version].filter(Boolean).join(" "))} in ${oneLine(root)}`;
				if (error) return `${place}: ${error.code}: ${oneLine(error.message)}`;
				return ready === false
					? `${place}: started after ${Math.round(ms)} ms, still reading the project`
					: `${place}: ready after ${Math.round(ms)} ms`;
			})
			.join("\n"),
	exitCode: ({ servers }) => (servers.some(({ error }) => error) ? 3 : 0),
});
