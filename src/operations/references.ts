import { Type } from "@sinclair/typebox";
import type { Location, LocationLink } from "vscode-languageserver-protocol";
import { defineOperation } from "../operation.ts";
import { listPlaces } from "../text/places.ts";
import { At, Place } from "./inputs.ts";

const defaultLimit = 200;

type Definition = Location | (Location | LocationLink)[] | null;

export const references = defineOperation({
	name: "references",
	title: "Find references",
	description:
		"Every use of a symbol as the compiler sees it. Better than a text search for common names, overloads and re-exports; it cannot see strings, comments or other languages.",
	effect: "read",
	core: true,
	asks: ["textDocument/references"],
	input: Type.Object({
		...At,
		declaration: Type.Optional(Type.Boolean({ description: "Count the declaration too" })),
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many places (default ${defaultLimit})` }),
		),
	}),
	output: Type.Object({ places: Type.Array(Place), total: Type.Integer() }),
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/greet.ts", symbol: "greet" },
		output: {
			places: [
				{ path: "src/app.ts", line: 1, column: 10, text: 'import { greet } from "./greet.ts";' },
				{ path: "src/app.ts", line: 3, column: 13, text: 'console.log(greet("world"));' },
			],
			total: 2,
		},
	},
	async run({ file, declaration = false, limit = defaultLimit, ...pointer }, on) {
		return on.ask(file, async (asked) => {
			// TypeScript 7 counts an import among the declarations: all are asked for, and the definition is left out.
			const context = { includeDeclaration: true };
			const [found, defined] = await Promise.all([
				asked.request<Location[] | null>("textDocument/references", pointer, { context }),
				declaration ? null : asked.request<Definition>("textDocument/definition", pointer),
			]);
			return asked.places(found, { limit, without: defined });
		});
	},
	render: ({ places, total }) =>
		listPlaces(places, { total, one: "reference", many: "references", none: "No references found." }),
});
