import { Type } from "@sinclair/typebox";
import { oneOf, type ValueOf } from "./schema.ts";

export const conditions = [
	"running",
	"installed",
	"missing",
	"untrusted",
	"broken",
	"no_project",
	"disabled",
	"unavailable",
] as const;
export type Condition = (typeof conditions)[number];

export const sandboxModes = ["auto", "require", "off"] as const;
export type SandboxMode = (typeof sandboxModes)[number];

const Milliseconds = Type.Optional(Type.Number());

/** In ms from the notification with the text. */
const ProbeSchema = Type.Object(
	{
		offersPull: Type.Boolean(),
		pullMs: Milliseconds,
		pushMs: Type.Optional(Type.Number({ description: "From a change to what is published of it" })),
		pushVersioned: Type.Optional(Type.Boolean()),
		pushesUnchanged: Type.Optional(Type.Boolean({ description: "It publishes again for the same text" })),
		errorSeenMs: Type.Optional(Type.Number({ description: "Until an introduced syntax error is reported" })),
		errorGoneMs: Type.Optional(Type.Number({ description: "Until it is gone after the true text was put back" })),
		detected: Type.Optional(Type.String({ description: "The strategy that fits what it did" })),
		differs: Type.Array(Type.String(), { description: "What differs from what is declared of it" }),
		failed: Type.Optional(Type.String()),
	},
	{ description: "What the server did when it was tried out" },
);

const ServerSchema = Type.Object({
	id: Type.String(),
	role: oneOf(["language", "linter", "framework"], "The language's own server, or a second opinion"),
	/** Absent if no project has the files. */
	root: Type.Optional(Type.String()),
	condition: oneOf(conditions, "Whether it can be used"),
	command: Type.Optional(Type.String()),
	namedBy: Type.Optional(Type.String({ description: "Whose configuration names its program" })),
	version: Type.Optional(Type.String()),
	/** Of the running server, else declared. */
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
	says: Type.Optional(Type.String({ description: "Its last message about something that is wrong" })),
	/** Of standard output if the server did not start. */
	stderr: Type.Optional(Type.String()),
	probe: Type.Optional(ProbeSchema),
});

const SandboxSchema = Type.Object(
	{
		mode: oneOf(sandboxModes, "What the configuration says"),
		program: Type.Optional(Type.String({ description: "What makes it, where it works" })),
		reason: Type.Optional(Type.String({ description: "Why there is none" })),
	},
	{ description: "The sandbox around servers of trees that are not trusted" },
);

export const LanguageSchema = Type.Object({
	id: Type.String(),
	files: Type.Integer(),
	servers: Type.Array(Type.String()),
});

/** Without `path` it is not on PATH. */
const PrerequisiteSchema = Type.Object({
	name: Type.String(),
	path: Type.Optional(Type.String()),
	neededBy: Type.Array(Type.String()),
});

export const ExaminationSchema = Type.Object({
	workspace: Type.String(),
	file: Type.Optional(Type.String()),
	node: Type.String(),
	trusted: Type.Boolean(),
	sandbox: SandboxSchema,
	heldBack: Type.Optional(Type.Array(Type.String(), { description: "Variables of the caller that no server gets" })),
	files: Type.Integer({ description: "How many were looked at" }),
	more: Type.Boolean({ description: "There are more" }),
	languages: Type.Array(LanguageSchema),
	servers: Type.Array(ServerSchema),
	prerequisites: Type.Array(PrerequisiteSchema),
	problems: Type.Array(Type.String()),
});

export type Probe = ValueOf<typeof ProbeSchema>;
export type ServerExamination = ValueOf<typeof ServerSchema>;
export type SandboxExamination = ValueOf<typeof SandboxSchema>;
export type LanguageCount = ValueOf<typeof LanguageSchema>;
export type Prerequisite = ValueOf<typeof PrerequisiteSchema>;
export type Examination = ValueOf<typeof ExaminationSchema>;
