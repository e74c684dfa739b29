import type { DocumentHighlight } from "vscode-languageserver-protocol";
import { t, type ValueOf } from "../contract/schema.ts";
import { count } from "../render/count.ts";
import { oneLine } from "../render/escape.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/documentHighlight";
const kinds = ["text", "read", "write"] as const;

const Output = t.object({
	highlights: t.objects({
		line: t.integer(),
		column: t.integer(),
		endLine: t.optional.integer(),
		endColumn: t.optional.integer(),
		kind: t.oneOf(kinds, "What happens to it there"),
		text: t.text(),
	}),
});

export type Highlights = ValueOf<typeof Output>;

export const highlights = definePointed({
	name: "highlights",
	title: "Uses in this file",
	description:
		"Every use of a symbol in its own file, with what is read and what is written where the server knows. Cheaper than references, and it waits for no project.",
	aliases: [agentLsp.highlights],
	requests: [method],
	output: Output.properties,
	options: { isEmpty: ({ highlights: found }) => found.length === 0 },
	example: {
		input: { file: "src/app.ts", symbol: "loud" },
		output: {
			highlights: [
				{ line: 3, column: 7, kind: "write", text: 'const loud = greet("you");' },
				{ line: 4, column: 13, kind: "read", text: "console.log(loud);" },
			],
		},
	},
	async answer(query, pointer) {
		const found = (await query.request<DocumentHighlight[] | null>(method, pointer)) ?? [];
		const uses = found.map(({ range, kind = 1 }) => {
			const { line, column } = query.toSpot(range.start);
			const end = query.toSpot(range.end);
			return {
				line,
				column,
				endLine: end.line,
				endColumn: end.column,
				kind: kinds[kind - 1] ?? "text",
				text: (query.lines[line - 1] ?? "").trim().slice(0, 200),
			};
		});
		return { highlights: uses.sort((a, b) => a.line - b.line || a.column - b.column) };
	},
	render({ highlights: found }) {
		if (found.length === 0) return "No uses found.";
		const writes = found.filter(({ kind }) => kind === "write").length;
		const lines = new Map<number, { readonly text: string; readonly written: boolean }>();
		for (const { line, kind, text } of found)
			lines.set(line, { text, written: kind === "write" || lines.get(line)?.written === true });
		return [
			`${count(found.length, "use", "uses")}${writes > 0 ? `, ${count(writes, "write", "writes")} (marked =)` : ""}`,
			...[...lines].map(([line, { text, written }]) => `${written ? "=" : " "} ${line}: ${oneLine(text)}`),
		].join("\n");
	},
	next: ({ highlights: found }, { file, symbol }) =>
		found.length === 0 || symbol === undefined
			? undefined
			: { operation: "references", input: { file, symbol }, why: "In the whole project" },
});
