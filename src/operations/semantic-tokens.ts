import type { SemanticTokens, SemanticTokensLegend } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { File, Incomplete, Lines, page } from "./common/inputs.ts";
import { lineRangeOf } from "./common/line-range.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const whole = "textDocument/semanticTokens/full";
const part = "textDocument/semanticTokens/range";
const defaultLimit = 300;
const tokenSize = 5;

const Output = t.object({
	tokens: t.objects({
		line: t.integer(),
		column: t.integer(),
		text: t.text(),
		type: t.text(),
		modifiers: t.texts(),
	}),
	total: t.integer(),
	...Incomplete,
});

export type SemanticTokenList = ValueOf<typeof Output>;

export const semanticTokens = defineOperation({
	name: "semantic_tokens",
	title: "Semantic tokens",
	description:
		"Each word of some lines with what the compiler takes it for: parameter, property, type, macro, and whether it is read-only, static, deprecated. For source whose words are ambiguous.",
	effect: "read",
	aliases: [agentLsp.semanticTokens],
	requests: [whole, part],
	input: t.object({ file: File, ...Lines, ...page(defaultLimit, "tokens") }),
	output: Output,
	positional: ["file", "line", "end_line"],
	example: {
		input: { file: "src/app.ts", line: 3 },
		output: {
			tokens: [
				{ line: 3, column: 7, text: "loud", type: "variable", modifiers: ["declaration", "readonly"] },
				{ line: 3, column: 14, text: "greet", type: "function", modifiers: [] },
			],
			total: 2,
		},
	},
	async run({ file, limit = defaultLimit, offset = 0, ...range }, on) {
		return on.ask({ file, isEmpty: ({ total }) => total === 0 }, async (query) => {
			const { first, last } = lineRangeOf(range, query.lines.length);
			const legend = legendOf(query);
			const answer = query.server.offers(part)
				? await query.request<SemanticTokens | null>(part, undefined, { range: query.lineRange(first, last) })
				: await query.request<SemanticTokens | null>(whole);
			const tokens = decodeTokens(query, answer?.data ?? [], legend).filter(
				({ line }) => line >= first && line <= last,
			);
			return { tokens: tokens.slice(offset, offset + limit), total: tokens.length };
		});
	},
	render({ tokens, total }, { offset = 0 }) {
		if (total === 0) return "The server says nothing of these lines' words.";
		const lines = new Map<number, string[]>();
		for (const { line, text, type, modifiers } of tokens)
			lines.set(line, [...(lines.get(line) ?? []), `${text} ${[type, ...modifiers].join(".")}`]);
		const rest = total - offset - tokens.length;
		return [
			count(total, "token", "tokens"),
			...[...lines].map(([line, words]) => `${line}: ${oneLine(words.join(", "))}`),
			...(rest > 0 ? [`... and ${rest} more from offset ${offset + tokens.length} on`] : []),
		].join("\n");
	},
	next({ tokens, total }, given) {
		const offset = (given.offset ?? 0) + tokens.length;
		if (tokens.length === 0 || offset >= total) return undefined;
		return { operation: "semantic_tokens", input: { ...given, offset }, why: `The other ${total - offset}` };
	},
});

/** Throws LSP_UNSUPPORTED_REQUEST. */
function legendOf({ server: { capabilities, registrations, config } }: FileQuery): SemanticTokensLegend {
	const registered = [...registrations.values()].find(({ method }) => method === "textDocument/semanticTokens");
	const options = (capabilities.semanticTokensProvider ?? registered?.registerOptions) as
		| { readonly legend?: Partial<SemanticTokensLegend> }
		| undefined;
	const { tokenTypes, tokenModifiers } = options?.legend ?? {};
	if (Array.isArray(tokenTypes) && Array.isArray(tokenModifiers)) return { tokenTypes, tokenModifiers };
	throw new LspError("LSP_UNSUPPORTED_REQUEST", `${config.id} does not answer ${whole}.`, { method: whole });
}

function decodeTokens(query: FileQuery, data: readonly number[], { tokenTypes, tokenModifiers }: SemanticTokensLegend) {
	const tokens = [];
	let line = 0;
	let character = 0;
	for (let at = 0; at + tokenSize <= data.length; at += tokenSize) {
		const [down = 0, along = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + tokenSize);
		line += down;
		character = down === 0 ? character + along : along;
		const start = query.toSpot({ line, character });
		const end = query.toSpot({ line, character: character + length });
		tokens.push({
			...start,
			text: (query.lines[start.line - 1] ?? "").slice(start.column - 1, end.column - 1),
			type: tokenTypes[type] ?? "unknown",
			modifiers: tokenModifiers.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1),
		});
	}
	return tokens;
}
