import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { attempt } from "../../util/attempt.ts";
import { at, type Format, Mistake } from "./format.ts";
import type { BlockEntry, Entry } from "./host.ts";

/** It stays with its table when an agent rewrites the file. */
const mark = "# pi-lsp: the tables of this server were written by `pi-lsp init`";

export const tomlFormat: Format = {
	read: (text) => void parsed(text),
	lacks: (text, entries) => blocksOf(entries).some((entry) => !isDeepStrictEqual(tableAt(text, entry), wanted(entry))),
	isChanged: (text, entry, { after }) =>
		blocksOf([entry]).some((block) => {
			const value = tableAt(text, block);
			const isAs = (other: unknown) => isDeepStrictEqual(value, other);
			return (
				value !== undefined && !isAs(wanted(block)) && !isAs(after === undefined ? undefined : tableAt(after, block))
			);
		}),
	put(text, entries) {
		return blocksOf(entries).reduce((left, entry) => {
			if (tableAt(left, entry) !== undefined) return left;
			const eol = eolOf(left);
			const gap = left.trim() === "" ? "" : left.endsWith("\n") ? eol : eol + eol;
			const next = left + gap + [mark, ...entry.lines, ""].join(eol);
			requireTable(next, entry);
			return next;
		}, text);
	},
	take(text, entries, { before, after }) {
		return blocksOf(entries).reduce((left, entry) => {
			if (tableAt(left, entry) === undefined || (before !== undefined && tableAt(before, entry) !== undefined))
				return left;
			const isOurs = left.includes(mark) || (after !== undefined && tableAt(after, entry) !== undefined);
			return isOurs ? withoutTable(left, entry) : left;
		}, text);
	},
	commands: (text, entry) =>
		blocksOf([entry]).flatMap((block) => {
			const table = tableAt(text, block);
			return table === undefined ? [] : [table];
		}),
	isEmpty: (text) => text.trim() === "",
	isSame: (one, other) => isDeepStrictEqual(parsed(one), parsed(other)),
};

function blocksOf(entries: readonly Entry[]): BlockEntry[] {
	return entries.filter((entry) => entry.kind === "block");
}

function wanted({ lines, table }: BlockEntry): unknown {
	return at(parse(lines.join("\n")), table);
}

function tableAt(text: string, { table }: BlockEntry): unknown {
	return at(parsed(text), table);
}

/** Subtables go too; an agent's tables between or behind stay. */
function withoutTable(text: string, entry: BlockEntry): string {
	const kept: string[] = [];
	let isOurs = false;
	let pending: string[] = [];
	let first = 0;
	const lines = text.split(/(?<=\n)/);
	for (const [index, line] of lines.entries()) {
		if (line.trim() === mark) {
			if (kept.length > 1 && kept.at(-1)?.trim() === "") kept.pop();
			continue;
		}
		const header = tableIn(line);
		if (header !== undefined) {
			if (!isOurs) first = index + 1;
			isOurs = at(header, entry.table) !== undefined;
			if (!isOurs) kept.push(...pending);
			pending = [];
		}
		if (!isOurs) kept.push(line);
		else if (/^\s*(?:#|$)/.test(line)) pending.push(line);
		else pending = [];
	}
	const left = [...kept, ...pending].join("");
	requireOnlyWithout(text, left, entry, first);
	return left;
}

function tableIn(line: string): unknown {
	if (!line.trimStart().startsWith("[")) return undefined;
	return attempt(() => parse(line));
}

/** Throws a Mistake if more would go. */
function requireOnlyWithout(text: string, left: string, { table }: BlockEntry, line: number): void {
	const value = parsed(text);
	const holders = table.map((_, depth) => at(value, table.slice(0, depth)) as Record<string, unknown>);
	for (const [depth, name] of [...table.entries()].reverse()) {
		const holder = holders[depth];
		const inner = holder?.[name];
		const isLast = depth === table.length - 1;
		if (holder && (isLast || Object.keys(inner as object).length === 0)) delete holder[name];
	}
	if (!isDeepStrictEqual(value, parsed(left)))
		throw new Mistake(`${table.join(".")} is not in tables of its own`, line);
}

function eolOf(text: string): string {
	return text.includes("\r\n") ? "\r\n" : "\n";
}

function parsed(text: string): unknown {
	try {
		return parse(text);
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		const [first = ""] = error.message.split("\n");
		throw new Mistake(first.replace(/^Invalid TOML document: /, ""), error.line, error.column);
	}
}

function requireTable(text: string, { table }: BlockEntry): void {
	try {
		parse(text);
	} catch {
		const [outer = ""] = table;
		const line = text.split("\n").findIndex((each) => each.trimStart().startsWith(outer)) + 1;
		throw new Mistake(`${outer} is written in a way that takes no further table`, Math.max(1, line));
	}
}
