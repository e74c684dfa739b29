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
	id: field(
		text,
		"Its name. The id of a built-in server changes that server, field by field; any other id adds a server.",
	),
	enabled: field(trueOrFalse, "False: the server is not used."),
	match: field(texts, "File name extensions without the dot.", { answers: true }),
	extensions: field(texts, "The same as `match`.", { answers: true, as: "match" }),
	names: field(texts, "Whole file names.", { answers: true }),
	patterns: field(texts, "File names with `*`. With a slash: matches the end of the path. With `!`: excludes.", {
		answers: true,
	}),
	shebangs: field(texts, "Interpreters in the first line of files without a known name.", { answers: true }),
	languageId: field(languages, "The language id of its documents, or one for each extension.", { answers: true }),
	language_id: field(languages, "The same as `languageId`.", { answers: true, as: "languageId" }),
	rootMarkers: field(texts, "Files that mark a project's root; `*` is allowed.", { answers: true }),
	root_markers: field(texts, "The same as `rootMarkers`.", { answers: true, as: "rootMarkers" }),
	rootRule: field(
		oneOf("nearest", "topmost"),
		"Which directory with a marker is the root: the nearest to the file (default), or the topmost in the workspace.",
		{ answers: true },
	),
	looseFiles: field(trueOrFalse, "True: the server also works on files outside of a project.", { answers: true }),
	role: field(
		oneOf("language", "linter", "framework"),
		"`linter`, `framework`: used in addition to the language's own server (`language`, the default) if the project uses it.",
		{ answers: true },
	),
	strategy: field(
		oneOf("pull", "tsserver", "versioned-push", "push", "flycheck"),
		"How its diagnostics are known to be complete. By default detected from what the server offers.",
		{ answers: true },
	),
	diagnoses: field(trueOrFalse, "False: the server reports no diagnostics.", { answers: true }),
	idleMinutes: field(minutes, "Minutes without a query after which the server is stopped."),
	initializeSeconds: field(seconds, "Time limit of its start, in seconds (300)."),
	wedgedSeconds: field(
		seconds,
		"Seconds without output after which it counts as hung, once three requests have timed out (30).",
	),
	command: field(
		command,
		"Its program, or a list of the program and its arguments. The program is a name on PATH, an absolute path, or a path that begins with `./` (relative to this file) or `~/`.",
		{ launch: true },
	),
	args: field(texts, "Its arguments.", { launch: true }),
	environment: field(textsByName, "Environment variables in addition to the inherited ones.", { launch: true }),
	env: field(textsByName, "The same as `environment`.", { launch: true, as: "environment" }),
	cwd: field(text, "Its working directory, relative to the project's root.", { launch: true }),
	connect: field(
		text,
		"Address of a server that another process runs: HOST:PORT, or the path of a socket. At the end only the connection is closed.",
		{ launch: true },
	),
	paths: field(
		textsByName,
		"With `connect`: maps this machine's directories to the server's (`/local` to `/remote`).",
		{ launch: true },
	),
	prerequisites: field(texts, "Programs that must be on PATH.", { launch: true }),
	requires: field(texts, "The same as `prerequisites`.", { launch: true, as: "prerequisites" }),
	install: field(text, "The install command that messages show; it is never run.", { launch: true }),
	install_hint: field(text, "The same as `install`.", { launch: true, as: "install" }),
	candidates: field(candidates, "Alternatives if `command` is not installed.", { launch: true }),
	initializationOptions: field(Type.Any(), "Sent with `initialize`.", { launch: true }),
	settings: field(object, "Its settings, by section (`workspace/configuration`).", { launch: true }),
};

export const settingFields: Fields = {
	$schema: field(text, "Path of the schema, for editors."),
	lsp: field(
		Type.Union([trueOrFalse, object], { expected: "true, false or an object" }),
		"False: everything is off. An object: the fields of this file, nested.",
	),
	mode: field(
		oneOf("edit", "turn", "off"),
		"When pi checks: after every edit (`edit`), once at the end of the turn (`turn`), never (`off`).",
	),
	preflight: field(
		oneOf("off", "warn", "block"),
		"What pi does with the text of an `edit` or `write` before it is written. `warn`: prove it while pi writes it, so that the edit's check already has the answer. `block`: also refuse an edit that would cause the first syntax error of a file, and show its line, if the server answers in time (TypeScript, Python, Go, C and C++).",
	),
	preflightMs: field(milliseconds, "Milliseconds that `preflight` may delay an edit; then the edit is written."),
	severity: field(oneOf(...severities), "The lowest severity that is reported, in edits, `check` and `diagnostics`."),
	servers: field(
		Type.Union([object, Type.Array(Type.Any())], { expected: "an object by id, or a list" }),
		"Servers by id, or a list. An entry changes fields of a known server, or adds a server, which needs `command` or `connect`. `false` instead of an object switches a server off.",
	),
	languages: field(object, "Servers by language; an entry has the same fields as in `servers`."),
	disable: field(texts, "Ids of servers that are not used."),
	disabledLanguages: field(texts, "Language ids for which no server is used."),
	disabled_languages: field(texts, "The same as `disabledLanguages`.", { as: "disabledLanguages" }),
	serverPaths: field(textsByName, "Programs of servers, by id or language.", { launch: true }),
	server_paths: field(textsByName, "The same as `serverPaths`.", { launch: true, as: "serverPaths" }),
	warmMs: field(milliseconds, "Milliseconds that an edit may wait for a running server."),
	coldMs: field(milliseconds, "Milliseconds that an edit may wait for a server that must be started."),
	graceMs: field(
		milliseconds,
		"Milliseconds that an edit's result may wait for affected files after its own file is proven.",
	),
	lateMs: field(milliseconds, "Milliseconds that the end of a turn may wait for checks that are still running."),
	unproven: field(
		oneOf("say", "silent"),
		"`say`: if a file could not be checked, the edit's result ends with one line that says why. `silent`: no such line.",
	),
	declarations: field(
		trueOrFalse,
		"False: an error about a call or a type does not show the declaration and its place.",
	),
	fixHandles: field(
		trueOrFalse,
		'False: errors after an edit (at most three) do not offer the fix that the server prefers (`fix f3: Add import from "./a"`).',
	),
	nextStep: field(
		trueOrFalse,
		"False: empty answers, and answers while a skill is active, do not end with the next call.",
	),
	nudges: field(
		trueOrFalse,
		"False: in pi, a text search for a symbol's name does not show the number of its uses and the call that lists them.",
	),
	idleMinutes: field(
		minutes,
		"Minutes without a query after which a server is stopped, unless `servers` has another value. By default 5, and 30 for servers that start slowly (TypeScript, Python, Rust, Java, …).",
	),
	idle_timeout_seconds: field(positive(day / 1000), "The same as `idleMinutes`, in seconds.", {
		as: "idleMinutes",
		factor: 1 / 60,
	}),
	maxFileBytes: field(positive(2 ** 30), "Larger files are not checked."),
	maxServers: field(positive(1000), "How many servers may run at once. By default as many as fit the machine.", {
		user: true,
	}),
	max_servers: field(positive(1000), "The same as `maxServers`.", { user: true, as: "maxServers" }),
	editScope: field(
		oneOf("file", "affected"),
		"`affected`: an edit's result lists affected files with new errors. `file`: the result of an `edit` does not mention other files.",
	),
	mutatingTools: field(
		texts,
		"More tools of pi that change the file in their `path` (known: `edit`, `write`, `apply_patch`, `multi_edit`).",
	),
	exclude: field(
		texts,
		"Files that `check` leaves out unless they are named. Patterns as in .gitignore, relative to the workspace.",
	),
	profile: field(oneOf(...profiles), "The tools that the model is offered (docs/tools.md)."),
	navigationTools: field(trueOrFalse, "False: no tools for the model; edits are still checked."),
	sandbox: field(
		oneOf(...sandboxModes),
		"Sandbox for servers of untrusted trees: if one works (`auto`), required (`require`), never (`off`).",
		{ user: true },
	),
	watch: field(
		oneOf(...watchSettings),
		"How changes on disk are detected. `native`: the system's events. `portable`: chokidar, on the system's events. `poll`: chokidar, which polls every file. `auto`: native on Linux, portable on macOS and Windows, poll on NFS, SMB, FUSE, 9p and VirtualBox file systems and where the event of a probe does not come. Answers are correct with each: without Linux's native events each query first compares the project with the disk.",
		{ user: true },
	),
	connectAllowed: field(
		texts,
		"Addresses that `start --connect` may use without asking a person: HOST:PORT, or the path of a socket.",
		{ user: true },
	),
	consumerRoots: field(
		ownDirectories,
		"Checkouts (`~/` is allowed) that `cross_repo` searches for users of a library's symbol if a call names none.",
		{ user: true },
	),
	extensions: field(
		ownDirectories,
		"Directories (`~/` is allowed) of packages that add tools, and servers, which precede the built-in ones (docs/extending.md).",
		{ user: true },
	),
	auditPreview: field(
		trueOrFalse,
		"True: the audit log has the first 80 characters of the old and the new text of an edit, without anything that looks like a secret.",
		{ user: true },
	),
	trustedRoots: field(
		texts,
		"Directories (`~/` is allowed). Repositories in or below them are trusted without a question.",
		{ user: true },
	),
};
