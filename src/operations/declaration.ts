import { defineLocation } from "./common/define-locations.ts";
import * as agentLsp from "./compat/agent-lsp.ts";

export const declaration = defineLocation({
	name: "declaration",
	title: "Go to declaration",
	description:
		"Where a symbol is declared, if that is another place than its definition: the header of a C function, the stub of a Python module. Most languages know no difference; ask for the definition there.",
	aliases: [agentLsp.locations("go_to_declaration", "Where a symbol is declared")],
	method: "textDocument/declaration",
	fallback: "definition",
	words: { one: "declaration", many: "declarations", none: "No declaration found." },
	example: {
		input: { file: "src/greet.c", symbol: "greet" },
		output: {
			places: [{ path: "include/greet.h", line: 4, column: 7, text: "char *greet(const char *name);" }],
			total: 1,
		},
	},
});
