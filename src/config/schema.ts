import { severities } from "../contract/check-report.ts";
import { sandboxModes } from "../contract/doctor-report.ts";
import type { JsonPath } from "./json-reader.ts";

/** What a field holds. */
type Kind =
	| { readonly kind: "truth" | "text" | "texts" | "named texts" | "object" | "anything" | "servers" }
	| { readonly kind: "command" | "languages" | "candidates" | "section" }
	| { readonly kind: "number"; readonly most: number }
	| { readonly kind: "one of"; readonly values: readonly string[] };

/** One field of a configuration file: what it holds and what it is for. */
export type Field = Kind & {
	readonly doc: string;
	/** True if it says what is run, or what that is told to run: a repository's needs trust. */
	readonly launch?: boolean;
	/**
	 * True if it says which files a server answers for, where its root is, or what its answers count for: for a server that is
	 * known without the repository's file, a repository's needs trust.
	 */
	readonly answers?: boolean;
	/** True if only the user's own file may have it. */
	readonly user?: boolean;
	/** The field that it is another name of, and what a value becomes. */
	readonly as?: string;
	readonly factor?: number;
};

/** Which tools an agent is offered: the few that pay for themselves, all, those of another product, none. */
export const profiles = ["core", "all", "sah", "llxprt", "agent-lsp", "none"] as const;
export type Profile = (typeof profiles)[number];

export type Fields = Readonly<Record<string, Field>>;

const day = 86_400_000;
const milliseconds = { kind: "number", most: day } as const;
const minutes = { kind: "number", most: 24 * 60 } as const;

/** The fields of one server; all but a new server's `command` may be left out. */
export const serverFields: Fields = {
	id: {
		kind: "text",
		doc: "Its name. That of a built-in server changes that one, field by field; any other adds one.",
	},
	enabled: { kind: "truth", doc: "False: it is not used." },
	match: { kind: "texts", answers: true, doc: "File name extensions without the dot." },
	extensions: { kind: "texts", answers: true, as: "match", doc: "The same as `match`." },
	names: { kind: "texts", answers: true, doc: "Whole file names." },
	patterns: {
		kind: "texts",
		answers: true,
		doc: "File names with `*`; with a slash, the end of the path; with `!`, not these.",
	},
	shebangs: { kind: "texts", answers: true, doc: "Interpreters in the first line of files that have no known name." },
	languageId: { kind: "languages", answers: true, doc: "The documents' language, or one by extension." },
	language_id: { kind: "languages", answers: true, as: "languageId", doc: "The same as `languageId`." },
	rootMarkers: { kind: "texts", answers: true, doc: "Files that mark a project's root." },
	rootRule: {
		kind: "one of",
		values: ["nearest", "topmost"],
		answers: true,
		doc: "Which directory with a marker is the root.",
	},
	looseFiles: { kind: "truth", answers: true, doc: "True: it also works on files outside of a project." },
	role: {
		kind: "one of",
		values: ["language", "linter", "framework"],
		answers: true,
		doc: "`linter`, `framework`: asked beside the language's own server.",
	},
	strategy: {
		kind: "one of",
		values: ["pull", "tsserver", "versioned-push", "push", "flycheck"],
		answers: true,
		doc: "How its diagnostics are known to be complete.",
	},
	diagnoses: { kind: "truth", answers: true, doc: "False: it reports no diagnostics." },
	idleMinutes: { ...minutes, doc: "Minutes without a question after which it is stopped." },
	initializeSeconds: { kind: "number", most: 3600, doc: "Seconds that its start may take." },
	wedgedSeconds: { kind: "number", most: 3600, doc: "Seconds of silence after which it counts as wedged." },
	command: {
		kind: "command",
		launch: true,
		doc: "Its program, or a list of it and its arguments: a name on PATH, an absolute path, or one that begins with `./` (beside this file) or `~/`.",
	},
	args: { kind: "texts", launch: true, doc: "What it is started with." },
	environment: { kind: "named texts", launch: true, doc: "Variables that it gets on top of what it inherits." },
	env: { kind: "named texts", launch: true, as: "environment", doc: "The same as `environment`." },
	cwd: { kind: "text", launch: true, doc: "Where it is started, relative to the project's root." },
	connect: { kind: "text", launch: true, doc: "Where somebody else runs it: HOST:PORT, or the path of a socket." },
	paths: {
		kind: "named texts",
		launch: true,
		doc: "With `connect`: where this machine's directories are on its side.",
	},
	candidates: { kind: "candidates", launch: true, doc: "Programs to take where `command` is not installed." },
	initializationOptions: { kind: "anything", launch: true, doc: "What it is told when it starts." },
	settings: { kind: "object", launch: true, doc: "What it is told when it asks for its settings, by section." },
};

/** The fields of a configuration file. */
export const settingFields: Fields = {
	$schema: { kind: "text", doc: "Where this schema is, for editors." },
	lsp: { kind: "section", doc: "False: everything is off. An object: the fields of this file once more." },
	mode: {
		kind: "one of",
		values: ["edit", "turn", "off"],
		doc: "When pi checks: after each edit, once a turn, never.",
	},
	severity: { kind: "one of", values: severities, doc: "What is told: what matters at least as much as this." },
	servers: { kind: "servers", doc: "Servers by id, or a list of them." },
	disable: { kind: "texts", doc: "Ids of servers that are not used." },
	disabledLanguages: { kind: "texts", doc: "Languages, by their language id, for which no server is used." },
	disabled_languages: { kind: "texts", as: "disabledLanguages", doc: "The same as `disabledLanguages`." },
	serverPaths: { kind: "named texts", launch: true, doc: "Programs of servers, by id or by language." },
	server_paths: { kind: "named texts", launch: true, as: "serverPaths", doc: "The same as `serverPaths`." },
	warmMs: { ...milliseconds, doc: "Milliseconds that an edit waits for a server that runs." },
	coldMs: { ...milliseconds, doc: "Milliseconds that an edit waits for a server that has to be started." },
	graceMs: {
		...milliseconds,
		doc: "Milliseconds that an edit's result may wait for other files after its own file is proven.",
	},
	lateMs: { ...milliseconds, doc: "Milliseconds that the end of a turn waits for what is still being checked." },
	unproven: {
		kind: "one of",
		values: ["say", "silent"],
		doc: "Whether an edit's result says in one line that its file could not be checked.",
	},
	idleMinutes: { ...minutes, doc: "Minutes without a question after which a server is stopped." },
	idle_timeout_seconds: {
		...minutes,
		most: day / 1000,
		as: "idleMinutes",
		factor: 1 / 60,
		doc: "The same as `idleMinutes`, in seconds.",
	},
	maxFileBytes: { kind: "number", most: 2 ** 30, doc: "Files with more bytes are not checked." },
	maxServers: { kind: "number", most: 1000, user: true, doc: "How many servers run at once." },
	max_servers: { kind: "number", most: 1000, user: true, as: "maxServers", doc: "The same as `maxServers`." },
	editScope: { kind: "one of", values: ["file", "affected"], doc: "Whether an edit names other files that it broke." },
	mutatingTools: { kind: "texts", doc: "Names of further tools that change the file in their `path`." },
	profile: { kind: "one of", values: profiles, doc: "Which tools the model is offered." },
	navigationTools: { kind: "truth", doc: "False: no tools for the model; edits are checked all the same." },
	sandbox: {
		kind: "one of",
		values: sandboxModes,
		user: true,
		doc: "Whether servers of trees that are not trusted run in a sandbox: where it works, only so, never.",
	},
	connectAllowed: {
		kind: "texts",
		user: true,
		doc: "Addresses to which `connect` may lead without asking a person: HOST:PORT, or the path of a socket.",
	},
	trustedRoots: {
		kind: "texts",
		user: true,
		doc: "Directories in and below which everything that a repository brings may be run.",
	},
};

/** Something wrong with a value: where in it, and in words. */
export interface Mistake {
	readonly at: JsonPath;
	readonly message: string;
}

/** What is wrong with a field's value; nothing if it is right. */
export function mistakesIn(field: Field, value: unknown): Mistake[] {
	const wrong = (expected: string): Mistake[] => [{ at: [], message: `must be ${expected}, not ${nameOf(value)}` }];
	switch (field.kind) {
		case "truth":
			return typeof value === "boolean" ? [] : wrong("true or false");
		case "text":
			return isText(value) ? [] : wrong("a text");
		case "texts":
			return textsIn(value);
		case "named texts":
			return isObject(value) ? textsBelow(value) : wrong("an object of texts");
		case "object":
			return isObject(value) ? [] : wrong("an object");
		case "section":
			return typeof value === "boolean" || isObject(value) ? [] : wrong("true, false or an object");
		case "command":
			if (isText(value) && value !== "") return [];
			return Array.isArray(value) && value[0] ? textsIn(value) : wrong("a program, or a list of it and its arguments");
		case "languages":
			if (isText(value)) return [];
			return isObject(value) ? textsBelow(value) : wrong("a text, or an object of texts");
		case "candidates":
			if (!Array.isArray(value) || value.length > maxItems) return wrong("a list of programs");
			return value.flatMap((item, index) => candidateMistakes(item, index));
		case "number":
			if (typeof value !== "number" || !(value > 0)) return wrong("a number above 0");
			return value <= field.most ? [] : [{ at: [], message: `must be at most ${field.most}, not ${value}` }];
		case "one of":
			if (typeof value === "string" && field.values.includes(value)) return [];
			return wrong(`one of ${field.values.join(", ")}`);
		case "servers":
			return isObject(value) || Array.isArray(value) ? [] : wrong("an object by id, or a list");
		case "anything":
			return [];
	}
}

function candidateMistakes(value: unknown, index: number): Mistake[] {
	if (!isObject(value) || !isText(value.command) || value.command === "")
		return [{ at: [index], message: "must be an object with a `command`" }];
	const args = value.args === undefined ? [] : textsIn(value.args);
	return args.map(({ at, message }) => ({ at: [index, "args", ...at], message }));
}

/** Longer lists would be gone through for every file that is asked about. */
const maxItems = 1000;

function textsIn(value: unknown): Mistake[] {
	if (!Array.isArray(value)) return [{ at: [], message: `must be a list of texts, not ${nameOf(value)}` }];
	if (value.length > maxItems) return [{ at: [], message: `must be a list of at most ${maxItems} texts` }];
	return value.flatMap((item, index) =>
		isText(item) ? [] : [{ at: [index], message: `must be a text, not ${nameOf(item)}` }],
	);
}

function textsBelow(value: object): Mistake[] {
	if (Object.keys(value).length > maxItems) return [{ at: [], message: `must have at most ${maxItems} fields` }];
	return Object.entries(value).flatMap(([name, item]) =>
		isText(item) ? [] : [{ at: [name], message: `must be a text, not ${nameOf(item)}` }],
	);
}

/** A zero byte ends a text for the system that starts programs. */
function isText(value: unknown): value is string {
	return typeof value === "string" && !value.includes("\0");
}

/** True for a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "string") return value.includes("\0") ? "a text with a zero byte" : quoted(value);
	return typeof value === "object" ? "an object" : String(value);
}

/** A text out of a configuration file, for a message on one line. */
export function quoted(text: string): string {
	const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
	// What turns the direction of writing, or is a line end to a reader other than JSON.
	return shown.replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, "");
}
