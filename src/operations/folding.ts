import type { FoldingRange } from "vscode-languageserver-protocol";
import { defineOperation } from "../contract/operation.ts";
import { t } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { File, Incomplete, Lines } from "./common/inputs.ts";
import { lineRangeOf } from "./common/line-range.ts";

const method = "textDocument/foldingRange";

export const folding = defineOperation({
	name: "folding",
	title: "Blocks of a file",
	description:
		"The pieces that an editor folds: bodies, comments, imports, regions, with their first lines. It shows which lines belong together in a file without symbols, such as a configuration.",
	effect: "read",
	requests: [method],
	input: t.object({ file: File, ...Lines }),
	output: t.object({
		ranges: t.objects({
			line: t.integer(),
			endLine: t.integer(),
			kind: t.optional.text("comment, imports, region, or the server's own word"),
			text: t.text("Its first line"),
		}),
		...Incomplete,
	}),
	positional: ["file", "line", "end_line"],
	example: {
		input: { file: "src/greet.ts" },
		output: {
			ranges: [{ line: 1, endLine: 3, text: "export function greet(name: string): string {" }],
		},
	},
	async run({ file, ...range }, on) {
		return on.ask({ file, isEmpty: ({ ranges }) => ranges.length === 0 }, async (query) => {
			const { first, last } = lineRangeOf(range, query.lines.length);
			const found = (await query.request<FoldingRange[] | null>(method)) ?? [];
			const ranges = found.map(({ startLine, endLine, kind }) => {
				const line = query.toSpot({ line: startLine, character: 0 }).line;
				return {
					line,
					endLine: query.toSpot({ line: endLine, character: 0 }).line,
					...(kind ? { kind } : {}),
					text: (query.lines[line - 1] ?? "").trim().slice(0, 200),
				};
			});
			return {
				ranges: ranges
					.filter(({ line, endLine }) => endLine > line && endLine >= first && line <= last)
					.sort((a, b) => a.line - b.line || b.endLine - a.endLine),
			};
		});
	},
	render({ ranges }) {
		if (ranges.length === 0) return "Nothing to fold.";
		const open: number[] = [];
		return [
			count(ranges.length, "block", "blocks"),
			...ranges.map(({ line, endLine, kind, text }) => {
				while ((open.at(-1) ?? endLine) < endLine || (open.at(-1) ?? line) < line) open.pop();
				const indent = "  ".repeat(open.length);
				open.push(endLine);
				return `${indent}${line}-${endLine}${kind ? ` ${kind}` : ""}: ${oneLine(text)}`;
			}),
		].join("\n");
	},
});
