import { Type } from "@sinclair/typebox";
import { conditions, type Examination, sandboxModes } from "../contract/doctor-report.ts";
import { defineOperation } from "../contract/operation.ts";
import { examinationText } from "../render/status/doctor.ts";
import { oneOf } from "./common/inputs.ts";

const Milliseconds = Type.Optional(Type.Number());

const Probe = Type.Object(
	{
		offersPull: Type.Boolean(),
		pullMs: Milliseconds,
		pushMs: Type.Optional(Type.Number({ description: "From a change to what is published of it" })),
		pushVersioned: Type.Optional(Type.Boolean()),
		pushesUnchanged: Type.Optional(Type.Boolean({ description: "It publishes again for the same text" })),
		errorSeenMs: Type.Optional(Type.Number({ description: "Until an introduced syntax error is told" })),
		errorGoneMs: Type.Optional(Type.Number({ description: "Until it is gone after the true text was put back" })),
		detected: Type.Optional(Type.String({ description: "The strategy that fits what it did" })),
		differs: Type.Array(Type.String(), { description: "What differs from what is declared of it" }),
		failed: Type.Optional(Type.String()),
	},
	{ description: "What the server did when it was tried out" },
);

const Server = Type.Object({
	id: Type.String(),
	role: oneOf(["language", "linter", "framework"], "The language's own server, or a second opinion"),
	root: Type.Optional(Type.String()),
	condition: oneOf(conditions, "Whether it can be used"),
	command: Type.Optional(Type.String()),
	version: Type.Optional(Type.String()),
	strategy: Type.Optional(Type.String()),
	detected: Type.Optional(Type.Boolean({ description: "The strategy was found out, and is not declared" })),
	operations: Type.Optional(Type.Array(Type.String())),
	capabilities: Type.Optional(Type.Array(Type.String())),
	sandboxed: Type.Optional(Type.Boolean({ description: "It runs in a sandbox" })),
	restricted: Type.Optional(Type.Boolean({ description: "It does less, since the repository is not trusted" })),
	install: Type.Optional(Type.String({ description: "The command that installs it" })),
	installable: Type.Optional(Type.Boolean({ description: "`pi-lsp install ID` can do it" })),
	allow: Type.Optional(Type.String({ description: "What lets it run" })),
	error: Type.Optional(Type.String()),
	stderr: Type.Optional(Type.String()),
	probe: Type.Optional(Probe),
});

const example: Examination = {
	workspace: "/project",
	node: "v20.19.0",
	trusted: false,
	sandbox: { mode: "auto", program: "/usr/bin/bwrap" },
	files: 57,
	more: false,
	languages: [
		{ id: "typescript", files: 42, servers: ["typescript", "eslint"] },
		{ id: "python", files: 9, servers: ["pyright"] },
	],
	servers: [
		{
			id: "typescript",
			role: "language",
			root: "/project",
			condition: "running",
			command: "tsc --lsp --stdio",
			version: "7.0.2",
			strategy: "pull",
			detected: false,
			sandboxed: true,
			operations: ["check", "diagnostics", "hover", "definition", "references", "symbols"],
		},
		{
			id: "eslint",
			role: "linter",
			root: "/project",
			condition: "untrusted",
			error: "it runs what the repository brings",
			allow: "run `pi-lsp trust add` if you trust this repository",
		},
		{
			id: "pyright",
			role: "language",
			root: "/project",
			condition: "missing",
			strategy: "pull",
			install: "npm install -g pyright",
			installable: true,
			error: "pyright-langserver not found.",
		},
	],
	prerequisites: [{ name: "npm", path: "/usr/bin/npm", neededBy: ["pyright"] }],
	problems: [],
};

export const doctor = defineOperation({
	name: "doctor",
	title: "What is there, what is missing, what is broken",
	description:
		"The languages of the workspace, and of each server that would answer whether it is there, what it supports and what is wrong with it. With a file its servers are started and tried out: how fast they tell an error, and whether that agrees with what is declared of them.",
	effect: "control",
	alone: true,
	input: Type.Object({
		file: Type.Optional(Type.String({ description: "A file whose servers are started and tried out" })),
	}),
	output: Type.Object({
		workspace: Type.String(),
		file: Type.Optional(Type.String()),
		node: Type.String(),
		trusted: Type.Boolean(),
		sandbox: Type.Object(
			{
				mode: oneOf(sandboxModes, "What the configuration says"),
				program: Type.Optional(Type.String({ description: "What makes it, where it works" })),
				reason: Type.Optional(Type.String({ description: "Why there is none" })),
			},
			{ description: "The sandbox around servers of trees that are not trusted" },
		),
		files: Type.Integer({ description: "How many were looked at" }),
		more: Type.Boolean({ description: "There are more" }),
		languages: Type.Array(
			Type.Object({ id: Type.String(), files: Type.Integer(), servers: Type.Array(Type.String()) }),
		),
		servers: Type.Array(Server),
		prerequisites: Type.Array(
			Type.Object({ name: Type.String(), path: Type.Optional(Type.String()), neededBy: Type.Array(Type.String()) }),
		),
		problems: Type.Array(Type.String()),
	}),
	positional: ["file"],
	example: { input: {}, output: example },
	run: ({ file }, on) => on.servers.examine(file),
	render: examinationText,
	exitCode: ({ servers }) =>
		servers.some(({ condition, probe }) => condition === "broken" || (probe && probe.differs.length > 0)) ? 1 : 0,
});
