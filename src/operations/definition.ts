import { Type } from "@sinclair/typebox";
import { listPlaces } from "../text/places.ts";
import type { FoundPlaces } from "../workspace/places.ts";
import { Place } from "./inputs.ts";
import { definePointed } from "./pointed.ts";

const method = "textDocument/definition";

export const definition = definePointed({
	name: "definition",
	title: "Go to definition",
	description:
		"Where a symbol is defined, as the compiler resolves it: through imports, re-exports and overloads, where a text search finds too much. A library's own source is named, not shown.",
	core: true,
	asks: [method],
	output: { places: Type.Array(Place) },
	options: { isEmpty: ({ places }) => places.length === 0 },
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: {
			places: [{ path: "src/greet.ts", line: 1, column: 17, text: "export function greet(name: string): string {" }],
		},
	},
	async answer(asked, pointer) {
		const { places } = await asked.places(await asked.request<FoundPlaces>(method, pointer));
		return { places };
	},
	render: ({ places }) => listPlaces(places, { one: "definition", many: "definitions", none: "No definition found." }),
});
