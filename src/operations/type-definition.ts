import { defineLocation } from "./common/define-locations.ts";
import * as agentLsp from "./compat/agent-lsp.ts";

export const typeDefinition = defineLocation({
	name: "type_definition",
	title: "Go to the type's definition",
	description:
		"Where the type of a variable, a parameter or a result is defined, also where it is inferred and written nowhere. A type that the language itself brings has no place, or one in its library.",
	aliases: [agentLsp.locations("go_to_type_definition", "Where the type of a symbol is defined")],
	method: "textDocument/typeDefinition",
	fallback: "hover",
	words: { one: "type definition", many: "type definitions", none: "No type definition found." },
	example: {
		input: { file: "src/app.ts", symbol: "alice" },
		output: { places: [{ path: "src/person.ts", line: 3, column: 18, text: "export interface Person {" }], total: 1 },
	},
});
