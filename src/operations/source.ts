import { t, type ValueOf } from "../contract/schema.ts";
import { oneLine } from "../render/escape.ts";
import { definePointed } from "./common/pointed.ts";
import { sourceLines } from "./common/source-lines.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const defaultLimit = 300;
const maxCharacters = 40_000;

const Output = t.object({
	symbol: t.optional.text("Its dotted path; absent where nothing is declared"),
	kind: t.optional.text(),
	path: t.text(),
	line: t.optional.integer("Its first line; `source` begins `offset` lines below"),
	endLine: t.optional.integer(),
	source: t.text(),
	omitted: t.optional.integer("Lines of it that come after `source`"),
	characters: t.optional.integer("The length of the file"),
});

export type Source = ValueOf<typeof Output>;

export const source = definePointed({
	name: "source",
	title: "Text of a symbol",
	description:
		"The source text of a declaration, found by its name or by a position in it: cheaper than reading the file. What the file only uses is shown where it is defined, unless that is a library.",
	core: true,
	aliases: [agentLsp.source],
	requests: ["textDocument/documentSymbol"],
	input: {
		doc: t.optional.flag("Also the comment above it"),
		limit: t.optional.positive(`At most this many lines (default ${defaultLimit})`),
		offset: t.optional.integer("Leave out so many of its first lines", { minimum: 0 }),
	},
	output: Output.properties,
	example: {
		input: { file: "src/greet.ts", symbol: "greet" },
		output: {
			symbol: "greet",
			kind: "function",
			path: "src/greet.ts",
			line: 1,
			endLine: 3,
			source: "export function greet(name: string): string {\n\treturn name;\n}",
		},
	},
	async answer(query, pointer, { doc = false, limit = defaultLimit, offset = 0 }) {
		const target = await query.declaration(pointer);
		const [first] = target?.group ?? [];
		if (!target || !first) return { path: query.displayPath(query.document.path), source: "" };
		const { line, endLine, lines } = sourceLines(target.group, target.lines, { doc });
		const rest = lines.slice(offset);
		const shown = limitCharacters(rest.slice(0, limit));
		const omitted = rest.length - shown.length;
		return {
			symbol: first.path,
			kind: first.kind,
			path: target.path,
			line,
			endLine,
			source: shown.join("\n"),
			...(omitted > 0 ? { omitted } : {}),
			characters: target.lines.join("\n").length,
		};
	},
	render({ symbol, kind, path, line = 1, endLine = line, source: text, omitted = 0 }, { offset = 0 }) {
		if (symbol === undefined) return `Nothing is declared there in ${oneLine(path)}, or it is a library's.`;
		const lines = line === endLine ? `${line}` : `${line}-${endLine}`;
		const from = offset > 0 ? `, from line ${line + offset}` : "";
		return [
			`${kind} ${oneLine(symbol)}  ${oneLine(path)}:${lines}${from}`,
			text,
			...(omitted > 0 ? [`... and ${omitted} more lines.`] : []),
		].join("\n");
	},
	next({ symbol, path, line = 1, endLine = 1, omitted = 0 }, { offset = 0, ...input }) {
		if (omitted === 0 || symbol === undefined) return undefined;
		const shown = endLine - line + 1 - omitted;
		const { doc, limit } = input;
		const same = { ...(doc === undefined ? {} : { doc }), ...(limit === undefined ? {} : { limit }) };
		const more = { file: path, symbol, ...same, offset: Math.max(shown, offset + 1) };
		return { operation: "source", input: more, why: `The other ${omitted} lines` };
	},
});

function limitCharacters(lines: readonly string[]): string[] {
	let left = maxCharacters;
	const end = lines.findIndex((line) => {
		left -= line.length + 1;
		return left < 0;
	});
	const shown = lines.slice(0, end < 0 ? lines.length : Math.max(end, 1));
	return shown.map((line) => (line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line));
}
