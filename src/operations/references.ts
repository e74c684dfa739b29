import { Type } from "@sinclair/typebox";
import type { LocationResult } from "../query/locations.ts";
import { listPlaces } from "../render/answers/locations.ts";
import { Places } from "./common/inputs.ts";
import { morePlaces, pageOf, placesPage } from "./common/place-question.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

const method = "textDocument/references";

export const references = definePointed({
	name: "references",
	title: "Find references",
	description:
		"Every use of a symbol as the compiler sees it, uses in tests apart. Better than a text search for common names, overloads and re-exports; it cannot see strings, comments or other languages.",
	core: true,
	asks: [method],
	input: {
		declaration: Type.Optional(Type.Boolean({ description: "Count the declaration too" })),
		...placesPage,
	},
	output: Places,
	aliases: [sah.references, llxprt.references, agentLsp.references],
	options: { isEmpty: ({ total }) => total === 0, whole: true },
	example: {
		input: { file: "src/greet.ts", symbol: "greet" },
		output: {
			places: [
				{ path: "src/app.ts", line: 1, column: 10, text: 'import { greet } from "./greet.ts";' },
				{ path: "src/app.ts", line: 3, column: 13, text: 'console.log(greet("world"));' },
				{ path: "test/greet.test.ts", line: 5, column: 9, text: 'expect(greet("x")).toBe("x");', test: true },
			],
			total: 3,
			tests: 1,
		},
	},
	async answer(asked, pointer, { declaration = false, ...given }) {
		// Where an import counts as a declaration all are asked for, and the definition is left out.
		const leaveOut = !declaration && asked.server.config.importsAreDeclarations === true;
		const context = { includeDeclaration: declaration || leaveOut };
		const definition = "textDocument/definition";
		// With the declaration counted, it is said which place it is.
		const named = leaveOut || (declaration && asked.server.offers(definition));
		const [found, defined] = await Promise.all([
			asked.request<LocationResult>(method, pointer, { context }),
			named ? asked.request<LocationResult>(definition, pointer) : null,
		]);
		return asked.locations(found, {
			...pageOf(given),
			...(declaration ? { declared: defined } : { without: defined }),
		});
	},
	render: (told, given) =>
		listPlaces(told.places, {
			...told,
			...pageOf(given),
			one: "reference",
			many: "references",
			none: "No references found.",
		}),
	next: (told, given) => morePlaces("references", told, given),
});
