import type { InlayHint } from "vscode-languageserver-protocol";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { File, Incomplete, Lines } from "./common/inputs.ts";
import { lineRangeOf } from "./common/line-range.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/inlayHint";
const kinds = ["type", "parameter", "other"] as const;

const Output = t.object({
	hints: t.objects({
		line: t.integer(),
		column: t.integer("In front of it the hint would stand"),
		label: t.text(),
		kind: t.oneOf(kinds, "What it tells"),
		paddingLeft: t.optional.flag("With a space before it"),
		paddingRight: t.optional.flag("With a space behind it"),
		text: t.optional.text("The line, with all of its hints in «»; at its first one"),
	}),
	...Incomplete,
});

export type InlayHints = ValueOf<typeof Output>;

export const inlayHints = defineOperation({
	name: "inlay_hints",
	title: "Inferred types and parameter names",
	description:
		"What an editor writes between the words of the source: types that are inferred and written nowhere, names of parameters at calls. Lines without a hint are left out.",
	effect: "read",
	aliases: [agentLsp.inlayHints],
	requests: [method],
	input: t.object({ file: File, ...Lines }),
	output: Output,
	positional: ["file", "line", "end_line"],
	example: {
		input: { file: "src/app.ts", line: 3 },
		output: {
			hints: [
				{ line: 3, column: 11, label: ": string", kind: "type", text: 'const loud«: string» = greet(«name:»"you");' },
				{ line: 3, column: 20, label: "name:", kind: "parameter" },
			],
		},
	},
	async run({ file, ...range }, on) {
		return on.ask({ file, isEmpty: ({ hints }) => hints.length === 0 }, async (query) => {
			const { first, last } = lineRangeOf(range, query.lines.length);
			const found = await query.request<InlayHint[] | null>(method, undefined, {
				range: query.lineRange(first, last),
			});
			const hints = (found ?? [])
				.map(({ position, label, kind, paddingLeft, paddingRight }) => {
					const text = typeof label === "string" ? label : label.map(({ value }) => value).join("");
					return {
						...query.toSpot(position),
						label: text.trim(),
						kind: kinds[(kind ?? 3) - 1] ?? "other",
						...(paddingLeft ? { paddingLeft } : {}),
						...(paddingRight ? { paddingRight } : {}),
					};
				})
				.filter(({ line }) => line >= first && line <= last)
				.sort((a, b) => a.line - b.line || a.column - b.column);
			return {
				hints: hints.map((hint, index) =>
					hints[index - 1]?.line === hint.line
						? hint
						: {
								...hint,
								text: withHints(
									query.lines[hint.line - 1] ?? "",
									hints.filter(({ line }) => line === hint.line),
								),
							},
				),
			};
		});
	},
	render({ hints }) {
		if (hints.length === 0) return "No hints: nothing is inferred there that the source does not say.";
		const lines = hints.flatMap(({ line, text }) => (text === undefined ? [] : [`${line}: ${oneLine(text)}`]));
		return [count(hints.length, "hint", "hints"), ...lines].join("\n");
	},
});

function withHints(source: string, hints: readonly { readonly column: number; readonly label: string }[]): string {
	let text = "";
	let from = 0;
	for (const { column, label } of hints) {
		const at = Math.max(column - 1, from);
		text += `${source.slice(from, at)}«${label}»`;
		from = at;
	}
	return (text + source.slice(from)).trim();
}
