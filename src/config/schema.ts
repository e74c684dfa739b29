// Unlike `Type`, the namespace lets a bundle drop unused types.
import * as Type from "bundled-typebox";
import { severities } from "../contract/check-report.ts";
import { sandboxModes } from "../contract/doctor-report.ts";

/** Left out of `schema.json`. */
interface Policy {
	/** A repository's value needs trust: it says what is run. */
	readonly launch?: boolean;
	/** As `launch`: a known server's files, root, or what its answers count for. */
	readonly answers?: boolean;
	/** Only in the user's own file. */
	readonly user?: boolean;
	/** The aliased field, and the factor between their units. */
	readonly as?: string;
	readonly factor?: number;
}

export type Field = Type.TSchema & Policy & { readonly description: string; readonly expected?: string };
export type Fields = Readonly<Record<string, Field>>;

export function field(schema: Type.TSchema, description: string, policy: Policy = {}): Field {
	return { ...schema, description, ...policy };
}

export const profiles = ["core", "read", "all", "sah", "llxprt", "agent-lsp", "none"] as const;
export type Profile = (typeof profiles)[number];

const watchSettings = ["auto", "native", "portable", "poll"] as const;
export type WatchSetting = (typeof watchSettings)[number];

const maxItems = 1000;

Type.TypeRegistry.Set<Type.TSchema>("OneOf", (schema, value) => schema.enum.includes(value));
export function oneOf(...values: readonly string[]): Type.TSchema {
	return Type.Unsafe({ [Type.Kind]: "OneOf", enum: values, expected: `one of ${values.join(", ")}` });
}

function positive(maximum: number): Type.TSchema {
	return Type.Number({ exclusiveMinimum: 0, maximum, expected: "a number above 0" });
}

export const trueOrFalse = Type.Boolean({ expected: "true or false" });
/** A zero byte would end a string of the system. */
const pattern = "^[^\\0]*$";
export const text = Type.String({ pattern, expected: "a text" });
export const texts = Type.Array(text, { maxItems, expected: "a list of texts" });
/** The user's file has no directory for relative ones. */
const ownDirectories = Type.Array(
	Type.String({ pattern: "^(?:/|~(?:/|$)|[A-Za-z]:[\\\\/])[^\\0]*$", expected: "an absolute path" }),
	{
		maxItems,
		expected: "a list of absolute paths",
	},
);
export const textsByName = Type.Object(
	{},
	{ additionalProperties: text, maxProperties: maxItems, expected: "an object of texts" },
);
export const object = Type.Object({}, { expected: "an object" });
const program = Type.String({ pattern, minLength: 1, expected: "a program" });
const command = Type.Union([program, Type.Array(text, { minItems: 1, maxItems })], {
	expected: "a program, or a list of it and its arguments",
});
const languages = Type.Union([text, textsByName], { expected: "a text, or an object of texts" });
const candidate = Type.Object(
	{ command: program, args: Type.Optional(texts) },
	{ expected: "an object with a `command`" },
);
const candidates = Type.Array(candidate, { maxItems, expected: "a list of programs" });

const day = 86_400_000;
const milliseconds = positive(day);
const minutes = positive(24 * 60);
export const seconds = positive(3600);

/** Only a new server's `command` is required. */
export const serverFields: Fields = {
	id: field(text, "Its name. That of a built-in server changes that one, field by field; any other adds one."),
	enabled: field(trueOrFalse, "False: it is not used."),
	match: field(texts, "File name extensions without the dot.", { answers: true }),
	extensions: field(texts, "The same as `match`.", { answers: true, as: "match" }),
	names: field(texts, "Whole file names.", { answers: true }),
	patterns: field(texts, "File names with `*`; with a slash, the end of the path; with `!`, not these.", {
		answers: true,
	}),
	shebangs: field(texts, "Interpreters in the first line of files that have no known name.", { answers: true }),
	languageId: field(languages, "The documents' language, or one by extension.", { answers: true }),
	language_id: field(languages, "The same as `languageId`.", { answers: true, as: "languageId" }),
	rootMarkers: field(texts, "Files that mark a project's root, with `*`.", { answers: true }),
	root_markers: field(texts, "The same as `rootMarkers`.", { answers: true, as: "rootMarkers" }),
	rootRule: field(
		oneOf("nearest", "topmost"),
		"Which directory with a marker is the root: the closest to the file (the default), or the highest in the workspace.",
		{ answers: true },
	),
	looseFiles: field(trueOrFalse, "True: it also works on files outside of a project.", { answers: true }),
	role: field(
		oneOf("language", "linter", "framework"),
		"`linter`, `framework`: asked in addition to the language's own server (`language`, the default), where the project uses it.",
		{ answers: true },
	),
	strategy: field(
		oneOf("pull", "tsserver", "versioned-push", "push", "flycheck"),
		"How its diagnostics are known to be complete. Without it that is found out from what the server offers.",
		{ answers: true },
	),
	diagnoses: field(trueOrFalse, "False: it reports no diagnostics.", { answers: true }),
	idleMinutes: field(minutes, "Minutes without a question after which it is stopped."),
	initializeSeconds: field(seconds, "Seconds that its start may take (300)."),
	wedgedSeconds: field(
		seconds,
		"Seconds without a byte after which it counts as hung, once three requests have timed out (30).",
	),
	command: field(
		command,
		"Its program, or a list of it and its arguments: a name on PATH, an absolute path, or one that begins with `./` (next to this file) or `~/`.",
		{ launch: true },
	),
	args: field(texts, "What it is started with.", { launch: true }),
	environment: field(textsByName, "Variables that it gets on top of what it inherits.", { launch: true }),
	env: field(textsByName, "The same as `environment`.", { launch: true, as: "environment" }),
	cwd: field(text, "Where it is started, relative to the project's root.", { launch: true }),
	connect: field(
		text,
		"Where another process runs it: HOST:PORT, or the path of a socket. At the end only the connection is closed.",
		{ launch: true },
	),
	paths: field(
		textsByName,
		"With `connect`: where this machine's directories are on its side (`/local` to `/remote`).",
		{ launch: true },
	),
	prerequisites: field(texts, "Programs that it needs on PATH.", { launch: true }),
	requires: field(texts, "The same as `prerequisites`.", { launch: true, as: "prerequisites" }),
	install: field(text, "The command that installs it, which messages name; it is never run.", { launch: true }),
	install_hint: field(text, "The same as `install`.", { launch: true, as: "install" }),
	candidates: field(candidates, "Programs to take where `command` is not installed.", { launch: true }),
	initializationOptions: field(Type.Any(), "What it is sent when it starts.", { launch: true }),
	settings: field(object, "What it is sent when it asks for its settings, by section.", { launch: true }),
};

export const settingFields: Fields = {
	$schema: field(text, "Where the schema is, for editors."),
	lsp: field(
		Type.Union([trueOrFalse, object], { expected: "true, false or an object" }),
		"False: everything is off. An object: the fields of this file once more.",
	),
	mode: field(
		oneOf("edit", "turn", "off"),
		"When pi checks: after every edit (`edit`), once, when the turn ends (`turn`), never (`off`).",
	),
	preflight: field(
		oneOf("off", "warn", "block"),
		"What pi does with the text of an `edit` or `write` before it is written. `warn`: it is proven while pi writes it, and the edit's check has the answer already. `block`: an edit that would bring the first syntax error into a file is refused too, with its line, if the server knows in time (of TypeScript, Python, Go, C and C++).",
	),
	preflightMs: field(
		milliseconds,
		"Milliseconds that an edit may be held, and its text be proven, before it is written; then it is let go.",
	),
	severity: field(oneOf(...severities), "The least that is reported, in edits, `check` and `diagnostics` alike."),
	servers: field(
		Type.Union([object, Type.Array(Type.Any())], { expected: "an object by id, or a list" }),
		"Servers by id, or a list: what differs of a known server, or a new one (a new one needs `command`, or `connect`). `false` instead of an object switches one off.",
	),
	languages: field(object, "Servers by language; an entry has the fields of one of `servers`."),
	disable: field(texts, "Ids of servers that are not used."),
	disabledLanguages: field(texts, "Languages, by their language id, for which no server is used."),
	disabled_languages: field(texts, "The same as `disabledLanguages`.", { as: "disabledLanguages" }),
	serverPaths: field(textsByName, "Programs of servers, by id or by language.", { launch: true }),
	server_paths: field(textsByName, "The same as `serverPaths`.", { launch: true, as: "serverPaths" }),
	warmMs: field(milliseconds, "Milliseconds that an edit may wait for a server that runs."),
	coldMs: field(milliseconds, "Milliseconds that an edit may wait for a server that has to be started."),
	graceMs: field(
		milliseconds,
		"Milliseconds that an edit's result may wait for other files after its own file is proven.",
	),
	lateMs: field(milliseconds, "Milliseconds that the end of a turn may wait for what is still being checked."),
	unproven: field(
		oneOf("say", "silent"),
		"`say`: the result of an edit whose file could not be checked ends in one line that says why. `silent`: no such line.",
	),
	declarations: field(
		trueOrFalse,
		"False: an error about a call or a type does not say how that is declared, and where.",
	),
	fixHandles: field(
		trueOrFalse,
		'False: errors after an edit (three at most) do not offer the fix that their server prefers (`fix f3: Add import from "./a"`).',
	),
	nextStep: field(
		trueOrFalse,
		"False: while a skill holds the session, and where they are empty, answers do not end with the call that goes on.",
	),
	nudges: field(
		trueOrFalse,
		"False: in pi, a search of texts for a symbol's name does not show how often the symbol is used, and by which call those uses are found.",
	),
	idleMinutes: field(
		minutes,
		"Minutes without a question after which a server is stopped, where `servers` says nothing else. By default 5, and 30 for those that start slowly (of TypeScript, Python, Rust, Java, …).",
	),
	idle_timeout_seconds: field(positive(day / 1000), "The same as `idleMinutes`, in seconds.", {
		as: "idleMinutes",
		factor: 1 / 60,
	}),
	maxFileBytes: field(positive(2 ** 30), "Files with more bytes are not checked."),
	maxServers: field(positive(1000), "How many servers run at once. By default as many as fit the machine.", {
		user: true,
	}),
	max_servers: field(positive(1000), "The same as `maxServers`.", { user: true, as: "maxServers" }),
	editScope: field(
		oneOf("file", "affected"),
		"`affected`: an edit names other files that it broke. `file`: an `edit` says nothing about other files.",
	),
	mutatingTools: field(
		texts,
		"Names of more tools of pi that change the file in their `path` (known: `edit`, `write`, `apply_patch`, `multi_edit`).",
	),
	exclude: field(
		texts,
		"Files that `check` leaves out unless they are named: patterns as in .gitignore, relative to the workspace.",
	),
	profile: field(oneOf(...profiles), "Which tools the model is offered; docs/tools.md tells them apart."),
	navigationTools: field(trueOrFalse, "False: no tools for the model; edits are checked all the same."),
	sandbox: field(
		oneOf(...sandboxModes),
		"Servers of trees that are not trusted run in a sandbox: where one works (`auto`), only so (`require`), never (`off`).",
		{ user: true },
	),
	watch: field(
		oneOf(...watchSettings),
		"How changes on disk are noticed. `native`: by the system's own events. `portable`: by chokidar, on them. `poll`: by chokidar, which looks at every file again and again. `auto`: native on Linux, portable on macOS and Windows, poll on NFS, SMB, FUSE, 9p and VirtualBox file systems and where the events of a trial do not come. Answers are right with each: without native events of Linux a question compares the project with the disk first.",
		{ user: true },
	),
	connectAllowed: field(
		texts,
		"Addresses to which `start --connect` may lead without asking a person: HOST:PORT, or the path of a socket.",
		{ user: true },
	),
	consumerRoots: field(
		ownDirectories,
		"Directories (`~/` is yours) of checkouts that `cross_repo` searches for users of a library's symbol, where a call names none.",
		{ user: true },
	),
	extensions: field(
		ownDirectories,
		"Directories (`~/` is yours) of packages that add languages, whose servers come before those that are built in, and tools (docs/extending.md).",
		{ user: true },
	),
	auditPreview: field(
		trueOrFalse,
		"True: the audit log has the first 80 characters of the old and the new text of an edit, without what looks like a secret.",
		{ user: true },
	),
	trustedRoots: field(
		texts,
		"Directories (`~/` is yours): repositories in and below them may run what they bring, without a question.",
		{ user: true },
	),
};
