import { t } from "../contract/schema.ts";
import { listLocations } from "../render/answers/locations.ts";
import type { LocationResult } from "../util/positions.ts";
import { locationPage, nextPage, pageOf } from "./common/define-locations.ts";
import { Locations } from "./common/inputs.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

const method = "textDocument/references";
const referencesMs = 120_000;

export const references = definePointed({
	name: "references",
	title: "Find references",
	description:
		"Every use of a symbol as the compiler sees it, uses in tests apart. Better than a text search for common names, overloads and re-exports; it cannot see strings, comments or other languages.",
	core: true,
	requests: [method],
	input: {
		declaration: t.optional.flag("Count the declaration too"),
		...locationPage,
	},
	output: Locations.properties,
	aliases: [sah.references, llxprt.references, agentLsp.references],
	options: { isEmpty: ({ total }) => total === 0, whole: true, ms: referencesMs },
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
	async answer(query, pointer, { declaration = false, ...given }) {
		// Such a server omits imports with the declaration.
		const leaveOut = !declaration && query.server.config.importsAreDeclarations === true;
		const context = { includeDeclaration: declaration || leaveOut };
		const definition = "textDocument/definition";
		const needsDefinition = leaveOut || (declaration && query.server.offers(definition));
		const [found, defined] = await Promise.all([
			query.request<LocationResult>(method, pointer, { context }),
			needsDefinition ? query.request<LocationResult>(definition, pointer) : null,
		]);
		return query.locations(found, {
			...pageOf(given),
			...(declaration ? { declared: defined } : { without: defined }),
		});
	},
	render: (found, { offset }) =>
		listLocations(found, { one: "reference", many: "references", none: "No references found." }, offset),
	next: (found, input) => nextPage("references", found, input),
});
