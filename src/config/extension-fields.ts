// Unlike `Type`, the namespace lets a bundle drop unused types.

import { basename, dirname, resolve } from "node:path";
import * as Type from "bundled-typebox";
import {
	answerable,
	type Extension,
	type ExtensionAnswers,
	type ExtensionField,
	type ExtensionPrompt,
	type ExtensionResource,
	type ExtensionTool,
} from "../contract/extension.ts";
import { didYouMean } from "../render/nearest-names.ts";
import { isObject } from "../util/objects.ts";
import type { JsonPath } from "./json-reader.ts";
import {
	type Fields,
	field,
	object,
	oneOf,
	seconds,
	serverFields,
	settingFields,
	text,
	texts,
	textsByName,
	trueOrFalse,
} from "./schema.ts";
import { type Report, readFields } from "./servers.ts";

const own = Type.String({ pattern: "^\\./[^\\0]+$", expected: "a file of the package that begins with `./`" });

/** Of the field `pi-lsp` in a package.json. */
export const extensionFields: Fields = {
	servers: settingFields.servers as Fields[string],
	languages: settingFields.languages as Fields[string],
	module: field(own, "What carries its tools out: a module that exports them."),
	tools: field(object, "Tools by name."),
	resources: field(object, "Resources by name."),
	prompts: field(object, "Prompts by name."),
	answers: field(object, "Operations that it answers for its files."),
};

const toolFields: Fields = {
	title: field(text, "A few words."),
	description: field(text, "What it answers, for a model."),
	effect: field(oneOf("read", "write"), "Whether it changes files."),
	core: field(trueOrFalse, "True: a tool of its own under profile core."),
	input: field(object, "What it takes, by name."),
	positional: field(texts, "What words without an option mean at a shell."),
	timeout: field(seconds, "Seconds after which it is ended.", { factor: 1000 }),
};

const inputFields: Fields = {
	type: field(oneOf("string", "integer", "number", "boolean", "list"), "A list has texts."),
	description: field(text, "What it means."),
	values: field(texts, "All that it may be."),
	optional: field(trueOrFalse, "True: it may be left out."),
};

const resourceFields: Fields = {
	title: field(text, "A few words."),
	description: field(text, "What it holds."),
	tool: field(text, "The tool whose answer it is."),
};

const promptFields: Fields = {
	title: field(text, "A few words."),
	description: field(text, "What it is for."),
	file: field(own, "Its text."),
	arguments: field(textsByName, "What each of its words means."),
};

const answerFields: Fields = {
	match: serverFields.match as Fields[string],
	names: serverFields.names as Fields[string],
	patterns: serverFields.patterns as Fields[string],
	timeout: toolFields.timeout as Fields[string],
};

const defaultTimeoutMs = 60_000;
const namePattern = /^(?!lsp-)[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;
const fieldPattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

type Values = Readonly<Record<string, unknown>>;

interface Package {
	readonly name: string;
	readonly directory: string;
	readonly fields: Values;
}

export function readAdditions(path: string, manifest: Values, fields: Values, report: Report): Extension {
	const directory = dirname(path);
	const name = typeof manifest.name === "string" ? manifest.name : basename(directory);
	const from = { name, directory, fields };
	const tools = entriesOf(from, "tools", toolFields, report).flatMap((each) => toolIn(each, from, report));
	const resources = entriesOf(from, "resources", resourceFields, report).flatMap((each) =>
		resourceIn(each, tools, report),
	);
	const prompts = entriesOf(from, "prompts", promptFields, report).flatMap((each) => promptIn(each, from, report));
	const answers = entriesOf(from, "answers", answerFields, report).flatMap((each) => answersIn(each, from, report));
	return { tools, resources, prompts, answers };
}

interface Entry {
	readonly name: string;
	readonly at: JsonPath;
	readonly values: Values;
}

function entriesOf({ fields }: Package, kind: string, known: Fields, report: Report): Entry[] {
	return Object.entries((fields[kind] ?? {}) as Values).flatMap(([name, value]) => {
		const at = ["pi-lsp", kind, name];
		if (kind === "answers" && !answerable.some((each) => each === name))
			report(at, `is none of the operations that packages may answer.${didYouMean(name, answerable)}`);
		else if (kind !== "answers" && !namePattern.test(name))
			report(at, "must be called by a language and a name, such as ini-sections");
		else if (!isObject(value)) report(at, "must be an object");
		else return [{ name, at, values: readFields(known, value, at, report) }];
		return [];
	});
}

function isMissing({ at, values }: Entry, names: readonly string[], report: Report): boolean {
	const missing = names.filter((name) => values[name] === undefined);
	for (const name of missing) report([...at, name], "is missing");
	return missing.length > 0;
}

function toolIn(entry: Entry, { name: from, directory, fields }: Package, report: Report): ExtensionTool[] {
	const { name, at, values } = entry;
	if (isMissing(entry, ["title", "description"], report)) return [];
	const input = inputOf(entry, report);
	if (fields.module === undefined) {
		report(at, 'needs "module" in "pi-lsp", which carries it out');
		return [];
	}
	const { title, description, effect = "read", core = false, positional = [], timeout = defaultTimeoutMs } = values;
	const unknown = (positional as string[]).find((each) => !Object.hasOwn(input, each));
	if (unknown !== undefined) {
		report([...at, "positional"], "must be names of its input");
		return [];
	}
	const about = { title, description, effect, core, positional, timeout };
	const module = resolve(directory, fields.module as string);
	return [
		{ ...(about as Omit<ExtensionTool, "name" | "input" | "package" | "module">), name, input, package: from, module },
	];
}

function inputOf({ at, values }: Entry, report: Report): Record<string, ExtensionField> {
	const input: Record<string, ExtensionField> = {};
	for (const [name, value] of Object.entries((values.input ?? {}) as Values)) {
		const here = [...at, "input", name];
		if (!fieldPattern.test(name)) report(here, "must be called by small letters, digits and _");
		else if (!isObject(value)) report(here, "must be an object");
		else {
			const read = readFields(inputFields, value, here, report);
			const { type = "string", description = name, optional = false, values: all } = read;
			const known = { type, description, optional, ...(all === undefined ? {} : { values: all }) };
			input[name] = known as ExtensionField;
		}
	}
	return input;
}

function resourceIn(entry: Entry, tools: readonly ExtensionTool[], report: Report): ExtensionResource[] {
	const { name, at, values } = entry;
	if (isMissing(entry, ["title", "description", "tool"], report)) return [];
	const { title, description, tool } = values as Omit<ExtensionResource, "name">;
	const found = tools.find((each) => each.name === tool && each.effect === "read");
	if (!found) {
		report([...at, "tool"], "must be a reading tool of this package");
		return [];
	}
	const other = Object.entries(found.input).find(([each, { optional }]) => each !== "file" && !optional);
	if (!other) return [{ name, title, description, tool }];
	report([...at, "tool"], `must be a tool that needs no more than a file, not ${other[0]}`);
	return [];
}

function answersIn({ name, at, values }: Entry, { name: from, directory, fields }: Package, report: Report) {
	const { match = [], names = [], patterns = [], timeout = defaultTimeoutMs } = values as Partial<ExtensionAnswers>;
	if (match.length + names.length + patterns.length === 0) report(at, 'needs "match", "names" or "patterns"');
	else if (fields.module === undefined) report(at, 'needs "module" in "pi-lsp", which carries it out');
	else {
		const extensions = match.map((each) => each.replace(/^\./, "").toLowerCase());
		const module = resolve(directory, fields.module as string);
		return [{ name, match: extensions, names, patterns, timeout, package: from, module }];
	}
	return [];
}

function promptIn(entry: Entry, { directory }: Package, report: Report): ExtensionPrompt[] {
	const { name, values } = entry;
	if (isMissing(entry, ["description", "file"], report)) return [];
	const { title = name, description, file, arguments: words = {} } = values as Omit<ExtensionPrompt, "name">;
	return [{ name, title, description, file: resolve(directory, file), arguments: words }];
}
