import { type Examination, ExaminationSchema } from "../contract/doctor-report.ts";
import { defineOperation } from "../contract/operation.ts";
import { t } from "../contract/schema.ts";
import { examinationText } from "../render/status/doctor.ts";

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
			allow: "a person who trusts this repository runs `pi-lsp trust add`",
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
	title: "Diagnose languages and servers",
	description:
		"The languages of the workspace, and of each server that would answer whether it is there, what it supports and what is wrong with it. With a file its servers are started and tried out: how fast they tell an error, and whether that agrees with what is declared of them.",
	effect: "control",
	startsDaemon: true,
	input: t.object({ file: t.optional.text("A file whose servers are started and tried out") }),
	output: ExaminationSchema,
	positional: ["file"],
	example: { input: {}, output: example },
	run: ({ file }, on) => (file === undefined ? on.servers.examineDirectory() : on.servers.examine(file)),
	render: examinationText,
	exitCode: ({ servers }) =>
		servers.some(({ condition, probe }) => condition === "broken" || (probe && probe.differs.length > 0)) ? 1 : 0,
});
