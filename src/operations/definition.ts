import { defineLocation } from "./common/define-locations.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

export const definition = defineLocation({
	name: "definition",
	title: "Go to definition",
	description:
		"Where a symbol is defined, as the compiler resolves it: through imports, re-exports and overloads, where a text search finds too much. A library's own source is named, not shown.",
	core: true,
	aliases: [sah.definition, llxprt.definition, agentLsp.locations("go_to_definition", "Where a symbol is defined")],
	method: "textDocument/definition",
	fallback: "hover",
	words: { one: "definition", many: "definitions", none: "No definition found." },
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: {
			places: [{ path: "src/greet.ts", line: 1, column: 17, text: "export function greet(name: string): string {" }],
			total: 1,
		},
	},
});
