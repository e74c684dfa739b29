import { isDeepStrictEqual } from "node:util";
import { JsonMistake, readJson } from "../../config/json-reader.ts";
import { at, type Format, Mistake, type Past, type Path } from "./format.ts";
import { type Entry, type HookEntry, isOfSkill, type MemberEntry, type PropertyEntry } from "./host.ts";
import { isBlank, WrongContainer, withItem, without, withProperty } from "./json-text.ts";

type JsonEntry = HookEntry | PropertyEntry | MemberEntry;

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
	isChanged: (text, entry, past) => ofJson([entry]).some((each) => isChanged(valueIn(text), each, valuesOf(past))),
	take(text, entries, past, changed) {
		const values = valuesOf(past);
		return ofJson(entries).reduce((left, entry) => take(left, entry, values, changed), text);
	},
	commands: (text, entry, past) => ofJson([entry]).flatMap((each) => commandsAt(valueIn(text), each, valuesOf(past))),
	isEmpty: (text) => text.trim() === "" || isBlank(text, []),
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

interface Values {
	readonly before: unknown;
	readonly after: unknown;
}

function valuesOf({ before, after }: Past): Values {
	return {
		before: before === undefined ? undefined : valueIn(before),
		after: after === undefined ? undefined : valueIn(after),
	};
}

function listAt(value: unknown, path: Path): readonly unknown[] {
	const found = at(value, path);
	return Array.isArray(found) ? found : [];
}

function has(value: unknown, entry: JsonEntry): boolean {
	if (entry.kind === "property") {
		const found = at(value, entry.at);
		return entry.isShared ? found !== undefined : isDeepStrictEqual(found, entry.value);
	}
	const wanted = entry.kind === "hook" ? entry.group : entry.value;
	return isIn(wanted, listAt(value, entry.at));
}

function isChanged(value: unknown, entry: JsonEntry, past: Values): boolean {
	if (has(value, entry) || entry.kind === "member") return false;
	if (entry.kind === "property") {
		const found = at(value, entry.at);
		return found !== undefined && !isDeepStrictEqual(found, at(past.after, entry.at));
	}
	const ours = listAt(value, entry.at).filter((group) => handlersOf(group).some((each) => isOurs(each, entry, past)));
	return ours.length > 0 && !ours.some((group) => isIn(group, listAt(past.after, entry.at)));
}

function commandsAt(value: unknown, entry: JsonEntry, past: Values): readonly unknown[] {
	if (entry.kind === "member") return [];
	if (entry.kind === "property") {
		const found = at(value, entry.at);
		return entry.part === "hooks" ? commandsWithin(found) : found === undefined ? [] : [found];
	}
	const handlers = listAt(value, entry.at).flatMap(handlersOf);
	return handlers.filter((handler) => isOurs(handler, entry, past)).map(commandOf);
}

function isIn(item: unknown, list: readonly unknown[]): boolean {
	return list.some((each) => isDeepStrictEqual(each, item));
}

function handlersOf(group: unknown): readonly unknown[] {
	const grouped = listAt(group, ["hooks"]);
	return grouped.length === 0 && commandOf(group) !== undefined ? [group] : grouped;
}

function commandsWithin(value: unknown): readonly string[] {
	if (typeof value !== "object" || value === null) return [];
	const own = commandOf(value);
	return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(commandsWithin)];
}

function put(text: string, entry: JsonEntry): string {
	const value = valueIn(text);
	try {
		if (entry.kind === "property")
			return at(value, entry.at) === undefined ? withProperty(text, entry.at, entry.value) : text;
		const list = listAt(value, entry.at);
		if (entry.kind === "member") return list.includes(entry.value) ? text : withItem(text, entry.at, entry.value);
		const isThere = list.some((group) => handlersOf(group).some((handler) => isOurs(handler, entry)));
		return isThere ? text : withItem(text, entry.at, entry.group);
	} catch (error) {
		if (!(error instanceof WrongContainer)) throw error;
		const name = error.path.join(".") || "the file";
		throw new Mistake(`${name} is not what ${entry.at.join(".")} could stand in`, parsed(text).lineOf(error.path));
	}
}

function take(text: string, entry: JsonEntry, past: Values, changed: "goes" | "stays"): string {
	const { before } = past;
	if (entry.kind === "property") {
		if (entry.isShared && past.after === undefined) return text;
		const isOurs = at(valueIn(text), entry.at) !== undefined && at(before, entry.at) === undefined;
		return isOurs ? emptied(without(text, entry.at), entry.at.slice(0, -1), before) : text;
	}
	if (entry.kind === "member") {
		const index = listAt(valueIn(text), entry.at).indexOf(entry.value);
		if (index < 0 || listAt(before, entry.at).includes(entry.value)) return text;
		return emptied(without(text, [...entry.at, index]), entry.at, before);
	}
	const events = entry.at.slice(0, -1);
	return Object.keys(objectAt(valueIn(text), events)).reduce((left, name) => {
		const list = [...events, name];
		const stays = (group: unknown) =>
			isIn(group, listAt(before, list)) || (changed === "stays" && !isIn(group, listAt(past.after, list)));
		const taken = withoutHooks(left, list, { stays, isOur: (handler) => isOurs(handler, entry, past) });
		return taken === left ? left : emptied(taken, list, before);
	}, text);
}

function withoutHooks(
	text: string,
	list: readonly string[],
	{ stays, isOur }: { stays(group: unknown): boolean; isOur(handler: unknown): boolean },
): string {
	const groups = listAt(valueIn(text), list);
	let left = text;
	for (let index = groups.length - 1; index >= 0; index--) {
		const handlers = handlersOf(groups[index]);
		if (stays(groups[index]) || !handlers.some(isOur)) continue;
		if (handlers.every(isOur)) left = without(left, [...list, index]);
		else
			for (let place = handlers.length - 1; place >= 0; place--)
				if (isOur(handlers[place])) left = without(left, [...list, index, "hooks", place]);
	}
	return left;
}

function objectAt(value: unknown, path: Path): object {
	const found = at(value, path);
	return typeof found === "object" && found !== null ? found : {};
}

function isOurs(handler: unknown, entry: HookEntry, past?: Values): boolean {
	const command = commandOf(handler);
	if (command === undefined) return false;
	if (handlersOf(entry.group).map(commandOf).includes(command)) return true;
	if (isOfSkill(command) !== isOfSkill(entry.host)) return false;
	const installed = `(?:^|[\\\\/'"\\s])pi-lsp(?:[\\\\/]dist[\\\\/]cli\\.cjs)?['"]? hook ${entry.host}(?: |$)`;
	if (new RegExp(installed).test(command)) return true;
	const events = entry.at.slice(0, -1);
	return commandsIn(past?.after, events).has(command) && !commandsIn(past?.before, events).has(command);
}

function commandOf(handler: unknown): string | undefined {
	const command = at(handler, ["command"]);
	return typeof command === "string" ? command : undefined;
}

function commandsIn(value: unknown, events: Path): ReadonlySet<string | undefined> {
	const groups = Object.values(objectAt(value, events)).flatMap((list) => (Array.isArray(list) ? list : []));
	return new Set(groups.flatMap(handlersOf).map(commandOf));
}

/** New, empty containers without comments go. */
function emptied(text: string, path: readonly string[], before: unknown): string {
	let left = text;
	for (let depth = path.length; depth > 0; depth--) {
		const holder = path.slice(0, depth);
		if (!isBlank(left, holder) || at(before, holder) !== undefined) break;
		left = without(left, holder);
	}
	return left;
}
