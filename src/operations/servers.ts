import { Type } from "@sinclair/typebox";
import { conditions, LanguageSchema } from "../contract/doctor-report.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { didYouMean } from "../render/nearest-names.ts";
import { statusText } from "../render/status/status.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const Server = t.object({
	id: t.text(),
	root: t.text(),
	state: t.oneOf(
		["starting", "active", "stopping", "broken", "disabled", "unavailable"],
		"What it is doing, or why it does nothing",
	),
	strategy: t.optional.text(),
	pid: t.optional.integer(),
	version: t.optional.text(),
	memoryBytes: t.optional.number("With its child processes"),
	cpuMs: t.optional.number("Processor time, with its child processes"),
	upMs: t.optional.number(),
	ready: t.optional.flag("It has read the project, as far as it says"),
	documents: t.optional.integer(),
	learnedMs: t.optional.number("How long it has to be silent before it counts as done"),
	busy: t.optional.text(),
	percentage: t.optional.integer("How much of that is done"),
	says: t.optional.text("Its last message about something that is wrong"),
	error: t.optional.text(),
	watch: t.optional.object("How the files of its project are watched", {
		state: t.oneOf(
			["starting", "ready", "degraded", "off"],
			"Degraded: every question compares the tree with the disk. Off: the server asked for nothing, or watching is switched off",
		),
		directories: t.integer(),
		source: t.optional.oneOf(["portable", "poll"], "What notices changes, if it is not the system's own events"),
		reason: t.optional.text(),
	}),
	replaced: t.optional.text("Why it is about to be stopped"),
	environmentMismatch: t.optional.texts(
		"Variables in which it differs from another server of the same project: callers with different environments do not share one",
	),
});

const Metrics = t.object({
	language: t.text(),
	starts: t.integer(),
	failedStarts: t.integer(),
	crashes: t.integer(),
	checks: t.integer(),
	timeouts: t.integer(),
	diagnostics: t.integer(),
	checkMs: t.object({ median: t.number(), p95: t.number() }),
});

const StatusOutput = t.object({
	daemon: t.object({
		pid: t.integer(),
		upMs: t.number(),
		memoryBytes: t.number(),
		cpuMs: t.optional.number(),
		checks: t.optional.objects("Checks that run", {
			directory: t.text(),
			files: t.integer(),
			done: t.integer("Of the files"),
		}),
	}),
	servers: t.list(Server),
	metrics: t.optional(Type.Record(t.text(), Metrics, { description: "Counted since the daemon began, by server" })),
	problems: t.texts(),
});

export type ServerStatus = ValueOf<typeof Server>;
export type Status = ValueOf<typeof StatusOutput>;

export const status = defineOperation({
	name: "status",
	title: "State of the daemon and its servers",
	description: "The daemon and its language servers: what runs, since when, and what went wrong.",
	effect: "control",
	live: true,
	input: t.object({}),
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
	input: t.object({ server: t.optional.text("Id of the server; all without it") }),
	output: t.object({ stopped: t.integer(), running: t.optional.texts("What runs, where no such server does") }),
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

const KnownServer = t.object({
	id: t.text(),
	condition: t.oneOf(conditions, "Whether it can be used"),
	version: t.optional.text(),
	strategy: t.optional.text(),
	command: t.optional.text("What is run"),
	namedBy: t.optional.text("Whose configuration names its program"),
	install: t.optional.text("The command that installs it"),
	allow: t.optional.text("What lets it run"),
	error: t.optional.text(),
});

const ServersOutput = t.object({ languages: t.list(LanguageSchema), servers: t.list(KnownServer) });

export type KnownServers = ValueOf<typeof ServersOutput>;

export const servers = defineOperation({
	name: "servers",
	title: "Languages and their servers",
	description:
		"The languages of the workspace by number of files, and for each the servers that would answer: running, installed, missing (with the command that installs it), not trusted, or broken. Nothing is started.",
	effect: "read",
	input: t.object({ directory: t.optional.text("Inside the workspace (default: all of it)") }),
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
