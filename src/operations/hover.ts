import type { Hover } from "vscode-languageserver-protocol";
import { hoverMarkdown } from "../contract/hover-markdown.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { plainLinks } from "../render/answers/links.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

/** Some servers answer a manual, or a type with thousands of members. */
const maxCharacters = 8000;

const method = "textDocument/hover";

const Output = t.object({ text: t.text("Markdown; empty if the server has nothing to say") });

export type HoverText = ValueOf<typeof Output>;

export const hover = definePointed({
	name: "hover",
	title: "Type and documentation",
	description:
		"The type and the documentation of a symbol. Cheaper than reading the file that defines it; inferred types stand nowhere else.",
	core: true,
	requests: [method],
	aliases: [sah.hover, llxprt.hover, agentLsp.hover],
	output: Output.properties,
	options: { isEmpty: ({ text }) => text === "" },
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: { text: "```typescript\n(alias) function greet(name: string): string\n```\nSays hello." },
	},
	answer: async (query, pointer) => ({ text: await hoverAt(query, pointer) }),
	render: ({ text }) => text || "The server has nothing to say about this place.",
});

/** Markdown; empty without a hover. */
export async function hoverAt(query: FileQuery, pointer: Pointer): Promise<string> {
	return textOf(await query.request<Hover | null>(method, pointer), (uri) => query.displayUri(uri));
}

function textOf(hover: Hover | null, displayUri: (uri: string) => string): string {
	// pyright indents a docstring with `&nbsp;`.
	const text = plainLinks(hoverMarkdown(hover), displayUri).replaceAll("&nbsp;", " ");
	if (text.length <= maxCharacters) return text;
	return `${text.slice(0, maxCharacters)}\n... and ${text.length - maxCharacters} more characters`;
}
