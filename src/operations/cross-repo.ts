import { Type } from "@sinclair/typebox";
import type { ConsumerUses } from "../consumers/cross-repo.ts";
import type { ErrorValue } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { crossRepoText } from "../render/answers/cross-repo.ts";
import { At, Incomplete, Locations } from "./common/inputs.ts";
import { givenPointer } from "./common/parse-pointer.ts";
import * as agentLsp from "./compat/agent-lsp-impact.ts";

const defaultLimit = 100;
const maxRoots = 50;

const Consumer = t.object({
	root: t.text("As it was named"),
	...Locations.properties,
	implementers: t.optional.object("What implements or overrides it there", Locations.properties),
	through: t.optional.text("The file of the library, built of it, that it uses"),
	others: t.optional.objects("Other copies of the library that it uses, and the uses of the same name there", {
		package: t.text(),
		version: t.optional.text(),
		path: t.text("Its directory"),
		...Locations.properties,
	}),
	note: t.optional.text("Why there are no uses, or which places could not be resolved"),
	error: t.optional(Type.Unsafe<ErrorValue>({ type: "object", description: "Why it was not searched" })),
	...Incomplete,
});

const Output = t.object({
	symbol: t.text(),
	path: t.text("Where it is declared"),
	line: t.integer(),
	package: t.optional.text(),
	version: t.optional.text(),
	library: t.object("Its uses in the library itself", Locations.properties),
	consumers: t.list(Consumer),
	...Incomplete,
});

export type CrossRepoReport = ValueOf<typeof Output>;

const { at: _, ...position } = At;

export const crossRepo = defineOperation({
	name: "cross_repo",
	title: "Users in other checkouts",
	description:
		"Who uses a library's symbol in other checkouts, each asked at its own language servers with its own dependencies: linked packages, replace, path dependencies, editable installs. Says where a checkout uses another version, or does not depend on it. Read this before you change what a library exports.",
	effect: "read",
	requests: ["textDocument/references", "textDocument/definition", "textDocument/implementation"],
	aliases: [agentLsp.crossRepo],
	input: t.object({
		...position,
		consumer_roots: t.optional.texts(
			"Directories of other checkouts (default: `consumerRoots` of the user's configuration)",
			{ maxItems: maxRoots },
		),
		limit: t.optional.positive(`At most this many places of each checkout (default ${defaultLimit})`),
	}),
	output: Output,
	positional: ["file", "symbol", "consumer_roots"],
	example: {
		input: { file: "src/greet.ts", symbol: "greet", consumer_roots: ["../shop", "../old"] },
		output: {
			symbol: "greet",
			path: "src/greet.ts",
			line: 1,
			package: "greeter",
			version: "2.0.0",
			library: {
				places: [{ path: "src/app.ts", line: 3, column: 13, text: 'console.log(greet("world"));' }],
				total: 1,
			},
			consumers: [
				{
					root: "../shop",
					places: [
						{ path: "../shop/src/main.ts", line: 1, column: 10, text: 'import { greet } from "greeter";' },
						{ path: "../shop/test/main.test.ts", line: 4, column: 1, text: 'greet("x");', test: true },
					],
					total: 2,
					tests: 1,
				},
				{
					root: "../old",
					places: [],
					total: 0,
					others: [
						{
							package: "greeter",
							version: "1.2.0",
							path: "../old/node_modules/greeter",
							places: [{ path: "../old/index.ts", line: 1, column: 10, text: 'import { greet } from "greeter";' }],
							total: 1,
						},
					],
				},
			],
		},
	},
	async run({ file, consumer_roots: roots, limit, ...given }, on) {
		const { library, consumers } = await on.crossRepo({ file, pointer: givenPointer(given), roots });
		const { name, declared, package: own, uses, incomplete } = library;
		const most = limit ?? defaultLimit;
		return {
			symbol: name,
			path: library.path,
			line: declared[0].line,
			...(own ? { package: own.name, ...(own.version === undefined ? {} : { version: own.version }) } : {}),
			library: { ...uses, places: uses.places.slice(0, most) },
			consumers: consumers.map((each) => consumerReport(each, most)),
			...(incomplete === undefined ? {} : { incomplete }),
		};
	},
	render: (report) => crossRepoText(report),
	exitCode: ({ consumers }) => (consumers.every(({ error }) => error !== undefined) ? 2 : 0),
	next({ consumers }, given) {
		const lists = consumers.flatMap((each) => [
			each,
			...(each.implementers ? [each.implementers] : []),
			...(each.others ?? []),
		]);
		const most = Math.max(0, ...lists.map(({ total }) => total));
		if (lists.every(({ places, total }) => places.length >= total)) return undefined;
		return { operation: "cross_repo", input: { ...given, limit: most }, why: "All of them" };
	},
});

function consumerReport(
	{ places, others, implementers, ...about }: ConsumerUses,
	limit: number,
): CrossRepoReport["consumers"][number] {
	const listed = (all: ConsumerUses["places"]) => {
		const tests = all.filter(({ test }) => test).length;
		return { places: all.slice(0, limit), total: all.length, ...(tests > 0 ? { tests } : {}) };
	};
	const copies = others.map(({ places: found, ...copy }) => ({ ...copy, ...listed(found) }));
	const implementing = implementers ? { implementers: listed(implementers) } : {};
	return { ...about, ...listed(places), ...implementing, ...(copies.length > 0 ? { others: copies } : {}) };
}
