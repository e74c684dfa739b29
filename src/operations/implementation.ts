import { defineLocations } from "./common/define-locations.ts";
import * as agentLsp from "./compat/agent-lsp.ts";

export const implementation = defineLocations({
	name: "implementation",
	title: "Find implementations",
	description:
		"What implements an interface, an abstract class or one of their methods, in the whole project. A text search misses what implements them without naming them, as in Go.",
	aliases: [agentLsp.locations("go_to_implementation", "The implementations of an interface or of an abstract method")],
	method: "textDocument/implementation",
	fallback: "references",
	words: { one: "implementation", many: "implementations", none: "No implementation found." },
	example: {
		input: { file: "src/store.ts", symbol: "Store" },
		output: {
			places: [
				{ path: "src/file-store.ts", line: 4, column: 14, text: "export class FileStore implements Store {" },
				{ path: "test/store.test.ts", line: 9, column: 7, text: "class FakeStore implements Store {", test: true },
			],
			total: 2,
			tests: 1,
		},
	},
});
