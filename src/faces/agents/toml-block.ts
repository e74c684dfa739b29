import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { type Format, Mistake } from "./format.ts";
import type { BlockEntry, Entry } from "./host.ts";

const begin = "# pi-lsp: what stands from here to the end was written by `pi-lsp init`";
const end = "# pi-lsp: end";

/** Lines between two comments at the end of a TOML file. */
export const tomlFormat: Format = {
	read: (text) => void parsed(text),
	lacks: (text, entries) => blocksOf(entries).some((entry) => !text.includes(written(entry, eolOf(text)))),
	put(text, entries) {
		return blocksOf(entries).reduce((left, entry) => {
			if (valueAt(parsed(left), entry.table) !== undefined) return left;
			const eol = eolOf(left);
			const gap = left.trim() === "" ? "" : left.endsWith("\n") ? eol : eol + eol;
			const next = left + gap + written(entry, eol) + eol;
			requireTable(next, entry);
			return next;
		}, text);
	},
	take(text) {
		const from = text.indexOf(begin);
		const to = from < 0 ? -1 : text.indexOf(end, from);
		if (to < 0) return text;
		const lineEnd = text.indexOf("\n", to);
		const before = text.slice(0, from);
		// The blank line in front of it is ours too.
		return before.replace(/(?<=\n)\r?\n$/, "") + (lineEnd < 0 ? "" : text.slice(lineEnd + 1));
	},
	isEmpty: (text) => text.trim() === "",
	isSame: (one, other) => isDeepStrictEqual(parsed(one), parsed(other)),
};

function blocksOf(entries: readonly Entry[]): BlockEntry[] {
	return entries.filter((entry) => entry.kind === "block");
}

function written({ lines }: BlockEntry, eol: string): string {
	return [begin, ...lines, end].join(eol);
}

function eolOf(text: string): string {
	return text.includes("\r\n") ? "\r\n" : "\n";
}

function parsed(text: string): unknown {
	try {
		return parse(text);
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		// The rest of its message shows the lines.
		const [first = ""] = error.message.split("\n");
		throw new Mistake(first.replace(/^Invalid TOML document: /, ""), error.line, error.column);
	}
}

/** A table that is written in one line takes no further one. */
function requireTable(text: string, { table }: BlockEntry): void {
	try {
		parse(text);
	} catch {
		const [outer = ""] = table;
		const line = text.split("\n").findIndex((each) => each.trimStart().startsWith(outer)) + 1;
		throw new Mistake(`${outer} is written in a way that takes no further table`, Math.max(1, line));
	}
}

function valueAt(value: unknown, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(outer, name) =>
			typeof outer === "object" && outer !== null && Object.hasOwn(outer, name)
				? (outer as Record<string, unknown>)[name]
				: undefined,
		value,
	);
}
