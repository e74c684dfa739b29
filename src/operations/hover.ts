import { Type } from "@sinclair/typebox";
import type { Hover, MarkupContent } from "vscode-languageserver-protocol";
import { defineOperation } from "../operation.ts";
import { At } from "./inputs.ts";

export const hover = defineOperation({
	name: "hover",
	title: "Type and documentation",
	description:
		"The type and the documentation of a symbol, as an editor shows them under the mouse. Cheaper than reading the file that defines it; inferred types stand nowhere else.",
	effect: "read",
	core: true,
	input: Type.Object(At),
	output: Type.Object({ text: Type.String({ description: "Markdown; empty if the server has nothing to say" }) }),
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: { text: "```typescript\n(alias) function greet(name: string): string\n```\nSays hello." },
	},
	async run({ file, ...pointer }, on) {
		return on.ask(file, async (asked) => ({
			text: textOf(await asked.request<Hover | null>("textDocument/hover", pointer)),
		}));
	},
	render: ({ text }) => text || "The server has nothing to say about this place.",
});

function textOf(hover: Hover | null): string {
	if (!hover?.contents) return "";
	const parts = Array.isArray(hover.contents) ? hover.contents : [hover.contents];
	return parts
		.map((part) => {
			if (typeof part === "string") return part;
			return "language" in part
				? `\`\`\`${part.language}\n${part.value}\n\`\`\``
				: ((part as MarkupContent).value ?? "");
		})
		.join("\n")
		.trim();
}
