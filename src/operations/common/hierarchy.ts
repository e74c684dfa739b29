import type { Static } from "@sinclair/typebox";
import type { CallHierarchyItem, Range, TypeHierarchyItem } from "vscode-languageserver-protocol";
import { symbolKind } from "../../contract/protocol-kinds.ts";
import { t, type ValueOf } from "../../contract/schema.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { SourceLocation } from "../../query/locations.ts";
import { page } from "./inputs.ts";

type Item = CallHierarchyItem | TypeHierarchyItem;

export const defaultLimit = 100;
const maxDepth = 10;

export interface ReachInput {
	readonly depth?: number;
	readonly limit?: number;
}

export const Reach = {
	depth: t.optional.positive("How many steps to follow (default 1)", { maximum: maxDepth }),
	limit: page(defaultLimit, "symbols in each direction").limit,
};

const symbolFields = {
	name: t.text(),
	kind: t.text(),
	path: t.text(),
	line: t.integer(),
	column: t.optional.integer(),
	endLine: t.optional.integer(),
	endColumn: t.optional.integer(),
	detail: t.optional.text("What the server adds to its name: a signature, a package"),
	body: t.optional.object("All of it; `line` and `column` are its name's", {
		line: t.integer(),
		column: t.integer(),
		endLine: t.integer(),
		endColumn: t.integer(),
	}),
};

export const Root = t.object(symbolFields);

export type Root = ValueOf<typeof Root>;

/** Its parent is the nearest earlier step of lower depth. */
const Step = t.object({
	...symbolFields,
	depth: t.integer(),
	lines: t.optional.objects("Where the calls stand, in the file of the caller; of several on a line the last", {
		line: t.integer(),
		column: t.optional.integer(),
		endLine: t.optional.integer(),
		endColumn: t.optional.integer(),
		text: t.optional.text(),
	}),
	test: t.optional.flag("In a file of tests"),
	again: t.optional.flag("It was followed already: a cycle, or a second way to it"),
});

export type Step = ValueOf<typeof Step>;

export const Steps = t.object({ steps: t.list(Step), omitted: t.integer("How many were found and left out") });

export type Steps = ValueOf<typeof Steps>;

export interface Neighbour {
	readonly item: Item;
	readonly ranges?: readonly Range[];
	readonly uri?: string;
}

interface Node {
	readonly step: Static<typeof Step>;
	readonly item: Item;
	readonly children: Node[];
	readonly isOurs: boolean;
}

export async function rootsOf(query: FileQuery, items: readonly Item[]): Promise<Root[]> {
	return Promise.all(
		items.map(async (item) => {
			const kind = symbolKind(item.kind);
			return { name: item.name, kind, ...spanOf(item, await locationOf(query, item)), ...(await moreOf(query, item)) };
		}),
	);
}

export async function follow(
	query: FileQuery,
	items: readonly Item[],
	neighbours: (item: Item) => Promise<readonly Neighbour[]>,
	{ depth = 1, limit = defaultLimit }: ReachInput,
): Promise<Steps> {
	const seen = new Set(items.map(itemKey));
	const top: Node[] = [];
	let listed = 0;
	let omitted = 0;
	let frontier = items.map((item) => ({ item, children: top }));
	for (let level = 1; level <= depth && frontier.length > 0; level++) {
		const found = await Promise.all(frontier.map(({ item }) => neighbours(item)));
		const next: Node[] = [];
		for (const [index, { children }] of frontier.entries()) {
			const wanted = (found[index] ?? []).slice(0, limit - listed);
			omitted += (found[index]?.length ?? 0) - wanted.length;
			listed += wanted.length;
			const nodes = await Promise.all(wanted.map((neighbour) => nodeOf(query, neighbour, level)));
			nodes.sort(byLocation);
			for (const node of nodes) {
				const key = itemKey(node.item);
				if (seen.has(key)) node.step.again = true;
				else if (node.isOurs) next.push(node);
				seen.add(key);
				children.push(node);
			}
		}
		frontier = next;
	}
	return { steps: preOrder(top), omitted };
}

export function allSteps(
	operation: string,
	directions: readonly (Pick<Steps, "omitted"> | undefined)[],
	given: ReachInput,
) {
	const omitted = directions.reduce((sum, steps) => sum + (steps?.omitted ?? 0), 0);
	if (omitted === 0) return undefined;
	const limit = (given.limit ?? defaultLimit) + omitted;
	return { operation, input: { ...given, limit }, why: "All of them" };
}

function preOrder(nodes: readonly Node[]): Step[] {
	return nodes.flatMap(({ step, children }) => [step, ...preOrder(children)]);
}

async function nodeOf(query: FileQuery, { item, ranges, uri = item.uri }: Neighbour, depth: number): Promise<Node> {
	const location = await locationOf(query, item);
	const calls = ranges ? (await query.locations(ranges.map((range) => ({ uri, range })))).places : undefined;
	const lines = new Map(calls?.map(({ path: _, test: __, ...call }) => [call.line, call]));
	return {
		item,
		children: [],
		isOurs: location?.text !== undefined,
		step: {
			// TypeScript names code outside functions after its file.
			name: location && isSamePath(item.name, location.path) ? "(top level)" : item.name,
			kind: symbolKind(item.kind),
			...spanOf(item, location),
			...(await moreOf(query, item)),
			depth,
			...(calls ? { lines: [...lines.values()] } : {}),
			...(location?.test ? { test: true } : {}),
		},
	};
}

async function locationOf(query: FileQuery, { uri, selectionRange }: Item) {
	return (await query.locations({ uri, range: selectionRange })).places[0];
}

function spanOf({ uri }: Item, location: SourceLocation | undefined) {
	if (!location) return { path: uri, line: 0 };
	const { path, line, column, endLine, endColumn } = location;
	return { path, line, column, endLine, endColumn };
}

async function moreOf(query: FileQuery, { uri, range, detail }: Item) {
	const [whole] = (await query.locations({ uri, range })).places;
	const { line = 1, column = 1, endLine = 1, endColumn = 1 } = whole ?? {};
	return { ...(detail ? { detail } : {}), ...(whole ? { body: { line, column, endLine, endColumn } } : {}) };
}

function itemKey({ uri, name, selectionRange: { start } }: Item): string {
	return `${uri}#${start.line}:${start.character} ${name}`;
}

function byLocation(one: Node, other: Node): number {
	const rank = ({ step, isOurs }: Node) => (isOurs ? Number(step.test ?? false) : 2);
	const { step: a } = one;
	const { step: b } = other;
	return rank(one) - rank(other) || a.path.localeCompare(b.path) || a.line - b.line;
}

function isSamePath(name: string, path: string): boolean {
	return name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`);
}
