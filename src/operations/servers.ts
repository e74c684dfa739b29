import { Type } from "@sinclair/typebox";
import { conditions, LanguageSchema } from "../contract/doctor-report.ts";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { didYouMean } from "../render/nearest-names.ts";
import { statusText } from "../render/status/status.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const Server = Type.Object({
	id: Type.String(),
	root: Type.String(),
	state: oneOf(
		["starting", "active", "stopping", "broken", "disabled", "unavailable"],
		"What it is doing, or why it does nothing",
	),
	strategy: Type.Optional(Type.String()),
	pid: Type.Optional(Type.Integer()),
	version: Type.Optional(Type.String()),
	memoryBytes: Type.Optional(Type.Number({ description: "With its child processes" })),
	cpuMs: Type.Optional(Type.Number({ description: "Processor time, with its child processes" })),
	upMs: Type.Optional(Type.Number()),
	ready: Type.Optional(Type.Boolean({ description: "It has read the project, as far as it says" })),
	documents: Type.Optional(Type.Integer()),
	learnedMs: Type.Optional(Type.Number({ description: "How long it has to be silent before it counts as done" })),
	busy: Type.Optional(Type.String()),
	percentage: Type.Optional(Type.Integer({ description: "How much of that is done" })),
	says: Type.Optional(Type.String({ description: "Its last message about something that is wrong" })),
	error: Type.Optional(Type.String()),
	watch: Type.Optional(
		Type.Object(
			{
				state: oneOf(
					["starting", "ready", "degraded", "off"],
					"Degraded: every question compares the tree with the disk. Off: the server asked for nothing, or watching is switched off",
				),
				directories: Type.Integer(),
				source: Type.Optional(
					oneOf(["portable", "poll"], "What notices changes, if it is not the system's own events"),
				),
				reason: Type.Optional(Type.String()),
			},
			{ description: "How the files of its project are watched" },
		),
	),
	replaced: Type.Optional(Type.String({ description: "Why it is about to be stopped" })),
	environmentMismatch: Type.Optional(
		Type.Array(Type.String(), {
			description:
				"Variables in which it differs from another server of the same project: callers with different environments do not share one",
		}),
	),
});

const Metrics = Type.Object({
	language: Type.String(),
	starts: Type.Integer(),
	failedStarts: Type.Integer(),
	crashes: Type.Integer(),
	checks: Type.Integer(),
	timeouts: Type.Integer(),
	diagnostics: Type.Integer(),
	checkMs: Type.Object({ median: Type.Number(), p95: Type.Number() }),
});

const StatusOutput = Type.Object({
	daemon: Type.Object({
		pid: Type.Integer(),
		upMs: Type.Number(),
		memoryBytes: Type.Number(),
		cpuMs: Type.Optional(Type.Number()),
		checks: Type.Optional(
			Type.Array(
				Type.Object({
					directory: Type.String(),
					files: Type.Integer(),
					done: Type.Integer({ description: "Of the files" }),
				}),
				{ description: "Checks that run" },
			),
		),
	}),
	servers: Type.Array(Server),
	metrics: Type.Optional(
		Type.Record(Type.String(), Metrics, { description: "Counted since the daemon began, by server" }),
	),
	problems: Type.Array(Type.String()),
});

export type ServerStatus = ValueOf<typeof Server>;
export type Status = ValueOf<typeof StatusOutput>;

export const status = defineOperation({
	name: "status",
	title: "State of the daemon and its servers",
	description: "The daemon and its language servers: what runs, since when, and what went wrong.",
	effect: "control",
	live: true,
	input: Type.Object({}),
	output: StatusOutput,
	example: {
		input: {},
		output: {
			daemon: { pid: 4242, upMs: 61_000, memoryBytes: 58_000_000 },
			servers: [
				{
					id: "typescript",
					root: "/project",
					state: "active",
					strategy: "pull",
					pid: 4250,
					version: "7.0.2",
					memoryBytes: 95_000_000,
					upMs: 60_000,
					ready: true,
					documents: 3,
				},
			],
			problems: [],
		},
	},
	async run(_input, on) {
		const { disabled, problems, directory } = await on.settings();
		const off = [...disabled].map((id) => ({ id, root: directory, state: "disabled" as const }));
		return {
			daemon: on.daemon.process(),
			servers: [...on.servers.list(), ...off],
			metrics: on.daemon.metrics(),
			problems: [...problems],
		};
	},
	render: statusText,
});

export const restart = defineOperation({
	name: "restart",
	title: "Restart servers",
	description: "Stops the workspace's language servers; the next question starts them afresh.",
	effect: "control",
	input: Type.Object({ server: Type.Optional(Type.String({ description: "Id of the server; all without it" })) }),
	output: Type.Object({
		stopped: Type.Integer(),
		running: Type.Optional(Type.Array(Type.String(), { description: "What runs, where no such server does" })),
	}),
	positional: ["server"],
	aliases: [agentLsp.restart],
	example: { input: { server: "typescript" }, output: { stopped: 1 } },
	async run({ server }, on) {
		const { stopped, running } = await on.servers.restart(server);
		return stopped > 0 || running.length === 0 ? { stopped } : { stopped, running };
	},
	render: ({ stopped, running = [] }, { server }) =>
		stopped === 0
			? noneRuns(server, running)
			: `Stopped ${count(stopped, "server", "servers")}; the next question starts them afresh.`,
});

function noneRuns(server: string | undefined, running: readonly string[]): string {
	if (server === undefined || running.length === 0) return "No language server is running.";
	const names = running.map(oneLine);
	return `No server ${oneLine(server)} is running; these are: ${names.join(", ")}.${didYouMean(server, names)}`;
}

const KnownServer = Type.Object({
	id: Type.String(),
	condition: oneOf(conditions, "Whether it can be used"),
	version: Type.Optional(Type.String()),
	strategy: Type.Optional(Type.String()),
	command: Type.Optional(Type.String({ description: "What is run" })),
	namedBy: Type.Optional(Type.String({ description: "Whose configuration names its program" })),
	install: Type.Optional(Type.String({ description: "The command that installs it" })),
	allow: Type.Optional(Type.String({ description: "What lets it run" })),
	error: Type.Optional(Type.String()),
});

const ServersOutput = Type.Object({ languages: Type.Array(LanguageSchema), servers: Type.Array(KnownServer) });

export type KnownServers = ValueOf<typeof ServersOutput>;

export const servers = defineOperation({
	name: "servers",
	title: "Languages and their servers",
	description:
		"The languages of the workspace by number of files, and for each the servers that would answer: running, installed, missing (with the command that installs it), not trusted, or broken. Nothing is started.",
	effect: "read",
	input: Type.Object({
		directory: Type.Optional(Type.String({ description: "Inside the workspace (default: all of it)" })),
	}),
	output: ServersOutput,
	aliases: [agentLsp.servers],
	example: {
		input: {},
		output: {
			languages: [{ id: "typescript", files: 42, servers: ["typescript"] }],
			servers: [{ id: "typescript", condition: "running", version: "7.0.2", strategy: "pull" }],
		},
	},
	async run({ directory }, on) {
		const { languages, servers: found } = await on.servers.examineDirectory(directory);
		return {
			languages,
			servers: found.map(({ id, condition, version, strategy, command, namedBy, install, allow, error }) => ({
				id,
				condition,
				...(version === undefined ? {} : { version }),
				...(strategy === undefined ? {} : { strategy }),
				...(command === undefined ? {} : { command }),
				...(namedBy === undefined ? {} : { namedBy }),
				...(install === undefined ? {} : { install }),
				...(allow === undefined ? {} : { allow }),
				...(error === undefined ? {} : { error }),
			})),
		};
	},
	render({ languages, servers: found }) {
		if (languages.length === 0) return "No file of this workspace is known to any server.";
		return [
			...languages.map(({ id, files, servers: ids }) => `${id}: ${count(files, "file", "files")} (${ids.join(", ")})`),
			...found.map(serverLine),
		].join("\n");
	},
});

function serverLine({
	id,
	condition,
	version,
	strategy,
	install,
	allow,
	error,
}: KnownServers["servers"][number]): string {
	const facts = [version, strategy].filter(Boolean).join(", ");
	const next = install ?? allow ?? (condition === "broken" ? error : undefined);
	return `  ${id}: ${condition}${facts ? ` (${facts})` : ""}${next ? `; ${oneLine(next)}` : ""}`;
}
