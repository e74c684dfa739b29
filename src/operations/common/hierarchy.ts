import { type Static, Type } from "@sinclair/typebox";
import type { CallHierarchyItem, Range, TypeHierarchyItem } from "vscode-languageserver-protocol";
import { symbolKind } from "../../contract/protocol-kinds.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { SourceLocation } from "../../query/locations.ts";
import { page } from "./inputs.ts";

type Item = CallHierarchyItem | TypeHierarchyItem;

const defaultLimit = 100;
const maxDepth = 10;

interface Given {
	readonly depth?: number;
	readonly limit?: number;
}

/** How far a hierarchy is followed. */
export const Reach = {
	depth: Type.Optional(
		Type.Integer({ minimum: 1, maximum: maxDepth, description: "How many steps to follow (default 1)" }),
	),
	limit: page(defaultLimit, "symbols in each direction").limit,
};

const Named = {
	name: Type.String(),
	kind: Type.String(),
	path: Type.String(),
	line: Type.Integer(),
	column: Type.Optional(Type.Integer()),
	endLine: Type.Optional(Type.Integer()),
	endColumn: Type.Optional(Type.Integer()),
};

/** A symbol that was asked about. */
export const Root = Type.Object(Named);

/** A symbol that a hierarchy leads to, `depth` steps away; it belongs to the nearest one before it with a lower depth. */
const Step = Type.Object({
	...Named,
	depth: Type.Integer(),
	lines: Type.Optional(
		Type.Array(
			Type.Object({
				line: Type.Integer(),
				column: Type.Optional(Type.Integer()),
				endLine: Type.Optional(Type.Integer()),
				endColumn: Type.Optional(Type.Integer()),
				text: Type.Optional(Type.String()),
			}),
			{ description: "Where the calls stand, in the file of the caller; of several on a line the last" },
		),
	),
	test: Type.Optional(Type.Boolean({ description: "In a file of tests" })),
	again: Type.Optional(Type.Boolean({ description: "It was followed already: a cycle, or a second way to it" })),
});

type Step = Static<typeof Step>;

/** One direction of a hierarchy. */
export const Steps = Type.Object({
	steps: Type.Array(Step),
	omitted: Type.Integer({ description: "How many were found and not told" }),
});

export type Steps = Static<typeof Steps>;

/** One step from a symbol to another: the places of the calls, and the file in which they stand. */
export interface Neighbour {
	readonly item: Item;
	readonly ranges?: readonly Range[];
	readonly in?: string;
}

interface Node {
	readonly step: Step;
	readonly item: Item;
	readonly children: Node[];
	readonly isOurs: boolean;
}

/** What a server says that a hierarchy begins with. */
export async function rootsOf(asked: FileQuery, items: readonly Item[]): Promise<Static<typeof Root>[]> {
	return Promise.all(
		items.map(async (item) => {
			return { name: item.name, kind: symbolKind(item.kind), ...spanOf(item, await placeOf(asked, item)) };
		}),
	);
}

/**
 * Follows a hierarchy from `items`, nearest first, to a depth and to a number of symbols. What was met before is told and
 * not followed again; a library is named and not entered.
 */
export async function follow(
	asked: FileQuery,
	items: readonly Item[],
	neighbours: (item: Item) => Promise<readonly Neighbour[]>,
	{ depth = 1, limit = defaultLimit }: Given,
): Promise<Steps> {
	const seen = new Set(items.map(keyOf));
	const top: Node[] = [];
	let told = 0;
	let omitted = 0;
	let frontier = items.map((item) => ({ item, children: top }));
	for (let level = 1; level <= depth && frontier.length > 0; level++) {
		const found = await Promise.all(frontier.map(({ item }) => neighbours(item)));
		const next: Node[] = [];
		for (const [index, { children }] of frontier.entries()) {
			const wanted = (found[index] ?? []).slice(0, limit - told);
			omitted += (found[index]?.length ?? 0) - wanted.length;
			told += wanted.length;
			const nodes = await Promise.all(wanted.map((neighbour) => nodeOf(asked, neighbour, level)));
			nodes.sort(byPlace);
			for (const node of nodes) {
				const key = keyOf(node.item);
				if (seen.has(key)) node.step.again = true;
				else if (node.isOurs) next.push(node);
				seen.add(key);
				children.push(node);
			}
		}
		frontier = next;
	}
	return { steps: flat(top), omitted };
}

/** The call for what was left out of the directions that were followed. */
export function allSteps(operation: string, directions: readonly (Pick<Steps, "omitted"> | undefined)[], given: Given) {
	const omitted = directions.reduce((sum, steps) => sum + (steps?.omitted ?? 0), 0);
	if (omitted === 0) return undefined;
	const limit = (given.limit ?? defaultLimit) + omitted;
	return { operation, input: { ...given, limit }, why: "All of them" };
}

function flat(nodes: readonly Node[]): Step[] {
	return nodes.flatMap(({ step, children }) => [step, ...flat(children)]);
}

async function nodeOf(
	asked: FileQuery,
	{ item, ranges, in: file = item.uri }: Neighbour,
	depth: number,
): Promise<Node> {
	const place = await placeOf(asked, item);
	const calls = ranges ? (await asked.locations(ranges.map((range) => ({ uri: file, range })))).places : undefined;
	const lines = new Map(calls?.map(({ path: _, test: __, ...call }) => [call.line, call]));
	return {
		item,
		children: [],
		isOurs: place?.text !== undefined,
		step: {
			// What stands outside of all functions is called as its file by TypeScript.
			name: place && isSamePath(item.name, place.path) ? "(top level)" : item.name,
			kind: symbolKind(item.kind),
			...spanOf(item, place),
			depth,
			...(calls ? { lines: [...lines.values()] } : {}),
			...(place?.test ? { test: true } : {}),
		},
	};
}

async function placeOf(asked: FileQuery, { uri, selectionRange }: Item) {
	return (await asked.locations({ uri, range: selectionRange })).places[0];
}

/** Where a symbol's name stands. */
function spanOf({ uri }: Item, place: SourceLocation | undefined) {
	if (!place) return { path: uri, line: 0 };
	const { path, line, column, endLine, endColumn } = place;
	return { path, line, column, endLine, endColumn };
}

function keyOf({ uri, name, selectionRange: { start } }: Item): string {
	return `${uri}#${start.line}:${start.character} ${name}`;
}

/** Code, tests, libraries; then by file and line. */
function byPlace(one: Node, other: Node): number {
	const rank = ({ step, isOurs }: Node) => (isOurs ? Number(step.test ?? false) : 2);
	const { step: a } = one;
	const { step: b } = other;
	return rank(one) - rank(other) || a.path.localeCompare(b.path) || a.line - b.line;
}

function isSamePath(name: string, path: string): boolean {
	return name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`);
}
