import { isDeepStrictEqual } from "node:util";
import { JsonMistake, readJson } from "../../config/json-reader.ts";
import { type Format, Mistake } from "./format.ts";
import type { Entry, HookEntry, MemberEntry, PropertyEntry } from "./host.ts";
import { WrongContainer, withItem, without, withProperty } from "./json-text.ts";

type JsonEntry = HookEntry | PropertyEntry | MemberEntry;
type Path = readonly (string | number)[];

/** Entries in a JSON file, with comments or without. */
export const jsonFormat: Format = {
	read(text, entries) {
		if (text.trim() === "") return;
		const { repeated, lineOf } = parsed(text);
		const twice = repeated.find((path) =>
			ofJson(entries).some(({ at }) => path.every((part, index) => part === at[index])),
		);
		if (twice) throw new Mistake(`${twice.join(".")} comes twice`, lineOf(twice));
	},
	lacks: (text, entries) => ofJson(entries).some((entry) => !has(valueIn(text), entry)),
	put: (text, entries) => ofJson(entries).reduce(put, text),
	take(text, entries, before) {
		const old = before === undefined ? undefined : valueIn(before);
		return ofJson(entries).reduce((left, entry) => take(left, entry, old), text);
	},
	isEmpty: (text) => isDeepStrictEqual(valueIn(text), {}),
	isSame: (one, other) => isDeepStrictEqual(valueIn(one), valueIn(other)),
};

function ofJson(entries: readonly Entry[]): JsonEntry[] {
	return entries.filter((entry) => entry.kind !== "block" && entry.kind !== "whole");
}

function parsed(text: string) {
	try {
		return readJson(text);
	} catch (error) {
		if (error instanceof JsonMistake) throw new Mistake(error.message, error.line, error.column);
		throw error;
	}
}

function valueIn(text: string): unknown {
	return text.trim() === "" ? {} : parsed(text).value;
}

function at(value: unknown, path: Path): unknown {
	return path.reduce<unknown>((outer, name) => {
		const isThere = typeof outer === "object" && outer !== null && Object.hasOwn(outer, name);
		return isThere ? (outer as Record<string | number, unknown>)[name] : undefined;
	}, value);
}

function listAt(value: unknown, path: Path): readonly unknown[] {
	const found = at(value, path);
	return Array.isArray(found) ? found : [];
}

function has(value: unknown, entry: JsonEntry): boolean {
	if (entry.kind === "property") return isDeepStrictEqual(at(value, entry.at), entry.value);
	const wanted = entry.kind === "hook" ? entry.group : entry.value;
	return listAt(value, entry.at).some((item) => isDeepStrictEqual(item, wanted));
}

/** What is there already in other words stays. */
function put(text: string, entry: JsonEntry): string {
	const value = valueIn(text);
	try {
		if (entry.kind === "property")
			return at(value, entry.at) === undefined ? withProperty(text, entry.at, entry.value) : text;
		const list = listAt(value, entry.at);
		if (entry.kind === "member") return list.includes(entry.value) ? text : withItem(text, entry.at, entry.value);
		const isThere = list.some((group) => listAt(group, ["hooks"]).some((handler) => isOurs(handler, entry)));
		return isThere ? text : withItem(text, entry.at, entry.group);
	} catch (error) {
		if (!(error instanceof WrongContainer)) throw error;
		const name = error.path.join(".") || "the file";
		throw new Mistake(`${name} is not what ${entry.at.join(".")} could stand in`, parsed(text).lineOf(error.path));
	}
}

/** But for what the text before had. */
function take(text: string, entry: JsonEntry, before: unknown): string {
	if (entry.kind === "property") {
		const isOurs = at(valueIn(text), entry.at) !== undefined && at(before, entry.at) === undefined;
		return isOurs ? emptied(without(text, entry.at), entry.at.slice(0, -1), before) : text;
	}
	if (entry.kind === "member") {
		const index = listAt(valueIn(text), entry.at).indexOf(entry.value);
		if (index < 0 || listAt(before, entry.at).includes(entry.value)) return text;
		return emptied(without(text, [...entry.at, index]), entry.at, before);
	}
	// An older version may have written other events.
	const events = entry.at.slice(0, -1);
	const names = Object.keys((at(valueIn(text), events) as object | undefined) ?? {});
	return names.reduce((left, name) => withoutHooks(left, [...events, name], entry, before), text);
}

function withoutHooks(text: string, list: readonly string[], entry: HookEntry, before: unknown): string {
	const groups = listAt(valueIn(text), list);
	const old = listAt(before, list);
	let left = text;
	for (let index = groups.length - 1; index >= 0; index--) {
		const handlers = listAt(groups[index], ["hooks"]);
		const isOld = old.some((group) => isDeepStrictEqual(group, groups[index]));
		if (isOld || !handlers.some((handler) => isOurs(handler, entry))) continue;
		if (handlers.every((handler) => isOurs(handler, entry))) left = without(left, [...list, index]);
		else
			for (let place = handlers.length - 1; place >= 0; place--)
				if (isOurs(handlers[place], entry)) left = without(left, [...list, index, "hooks", place]);
	}
	return left === text ? text : emptied(left, list, before);
}

/** Whatever version of pi-lsp wrote it, wherever that was. */
function isOurs(handler: unknown, { group }: HookEntry): boolean {
	const name = / hook ([\w-]+)/.exec(group.hooks[0]?.command ?? "")?.[1] ?? "";
	const command = at(handler, ["command"]);
	return typeof command === "string" && new RegExp(`(?:pi-lsp|cli\\.cjs)['"]? hook ${name}(?: |$)`).test(command);
}

/** Takes out what holds nothing any more and was not there before. */
function emptied(text: string, path: readonly string[], before: unknown): string {
	let left = text;
	for (let depth = path.length; depth > 0; depth--) {
		const holder = path.slice(0, depth);
		const value = at(valueIn(left), holder);
		const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
		if (!isEmpty || at(before, holder) !== undefined) break;
		left = without(left, holder);
	}
	return left;
}
