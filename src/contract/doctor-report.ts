import { t, type ValueOf } from "./schema.ts";

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

const Milliseconds = t.optional.number();

/** In ms from the notification with the text. */
const ProbeSchema = t.object("What the server did when it was tried out", {
	offersPull: t.flag(),
	pullMs: Milliseconds,
	pushMs: t.optional.number("From a change to what is published of it"),
	pushVersioned: t.optional.flag(),
	pushesUnchanged: t.optional.flag("It publishes again for the same text"),
	errorSeenMs: t.optional.number("Until an introduced syntax error is reported"),
	errorGoneMs: t.optional.number("Until it is gone after the true text was put back"),
	detected: t.optional.text("The strategy that fits what it did"),
	differs: t.texts("What differs from what is declared of it"),
	failed: t.optional.text(),
});

const ServerSchema = t.object({
	id: t.text(),
	role: t.oneOf(["language", "linter", "framework"], "The language's own server, or a second opinion"),
	/** Absent if no project has the files. */
	root: t.optional.text(),
	condition: t.oneOf(conditions, "Whether it can be used"),
	command: t.optional.text(),
	namedBy: t.optional.text("Whose configuration names its program"),
	version: t.optional.text(),
	/** Of the running server, else declared. */
	strategy: t.optional.text(),
	detected: t.optional.flag("The strategy was found out, and is not declared"),
	operations: t.optional.texts(),
	capabilities: t.optional.texts(),
	sandboxed: t.optional.flag("It runs in a sandbox"),
	restricted: t.optional.flag("It does less, since the repository is not trusted"),
	install: t.optional.text("The command that installs it"),
	installable: t.optional.flag("`pi-lsp install ID` can do it"),
	allow: t.optional.text("What lets it run"),
	error: t.optional.text(),
	says: t.optional.text("Its last message about something that is wrong"),
	/** Of standard output if the server did not start. */
	stderr: t.optional.text(),
	probe: t.optional(ProbeSchema),
});

const SandboxSchema = t.object("The sandbox around servers of trees that are not trusted", {
	mode: t.oneOf(sandboxModes, "What the configuration says"),
	program: t.optional.text("What makes it, where it works"),
	reason: t.optional.text("Why there is none"),
});

export const LanguageSchema = t.object({ id: t.text(), files: t.integer(), servers: t.texts() });

/** Without `path` it is not on PATH. */
const PrerequisiteSchema = t.object({ name: t.text(), path: t.optional.text(), neededBy: t.texts() });

export const ExaminationSchema = t.object({
	workspace: t.text(),
	file: t.optional.text(),
	node: t.text(),
	trusted: t.flag(),
	sandbox: SandboxSchema,
	heldBack: t.optional.texts("Variables of the caller that no server gets"),
	files: t.integer("How many were looked at"),
	more: t.flag("There are more"),
	languages: t.list(LanguageSchema),
	servers: t.list(ServerSchema),
	prerequisites: t.list(PrerequisiteSchema),
	problems: t.texts(),
});

export type Probe = ValueOf<typeof ProbeSchema>;
export type ServerExamination = ValueOf<typeof ServerSchema>;
export type SandboxExamination = ValueOf<typeof SandboxSchema>;
export type LanguageCount = ValueOf<typeof LanguageSchema>;
export type Prerequisite = ValueOf<typeof PrerequisiteSchema>;
export type Examination = ValueOf<typeof ExaminationSchema>;
