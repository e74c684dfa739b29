import { Type } from "@sinclair/typebox";
import type { Location, LocationLink } from "vscode-languageserver-protocol";
import { defineOperation } from "../operation.ts";
import { listPlaces } from "../text/places.ts";
import { At, Place } from "./inputs.ts";

export const definition = defineOperation({
	name: "definition",
	title: "Go to definition",
	description:
		"Where a symbol is defined, as the compiler resolves it: through imports, re-exports and overloads, where a text search finds too much. A library's own source is named, not shown.",
	effect: "read",
	core: true,
	input: Type.Object(At),
	output: Type.Object({ places: Type.Array(Place) }),
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: {
			places: [{ path: "src/greet.ts", line: 1, column: 17, text: "export function greet(name: string): string {" }],
		},
	},
	async run({ file, ...pointer }, on) {
		return on.ask(file, async (asked) => {
			const found = await asked.request<Location | (Location | LocationLink)[] | null>(
				"textDocument/definition",
				pointer,
			);
			const { places } = await asked.places(found);
			return { places };
		});
	},
	render: ({ places }) => listPlaces(places, { one: "definition", many: "definitions", none: "No definition found." }),
});
