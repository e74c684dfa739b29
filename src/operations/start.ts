import { defineOperation } from "../contract/operation.ts";
import { t } from "../contract/schema.ts";
import { oneLine } from "../render/escape.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

export const start = defineOperation({
	name: "start",
	title: "Start servers",
	description:
		"Starts the language servers of a directory's languages before they are needed, and says how long each took. Every question starts what it needs by itself.",
	effect: "control",
	startsDaemon: true,
	input: t.object({
		directory: t.optional.text("Inside the workspace (default: the working directory)"),
		language: t.optional.text("Only the servers of this language, e.g. python"),
		connect: t.optional.text(
			"HOST:PORT or the path of a socket where another process runs the language's server: it is used from now on, until the next start without this",
		),
		timeout: t.optional.positive(
			"Milliseconds to wait until they have read the project (default: only until they have started)",
			{ maximum: 3_600_000 },
		),
	}),
	output: t.object({
		servers: t.objects({
			server: t.text(),
			root: t.text(),
			version: t.optional.text(),
			ms: t.number("Until it had started; near 0 if it ran already"),
			ready: t.optional.flag("With `timeout`: it has read the project, as far as it says"),
			error: t.optional.object({ code: t.text(), message: t.text(), details: t.anyObject() }),
		}),
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
