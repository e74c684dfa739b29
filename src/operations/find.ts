import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { namesOf } from "../contract/symbol-path.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import type { FoundSymbol } from "../query/workspace-symbols.ts";
import { listCandidates } from "../render/answers/candidates.ts";
import { Incomplete, Unasked } from "./common/inputs.ts";
import { type Match, matchNames, rankName, rankPath } from "./common/rank-names.ts";
import { type SearchResult, searchWorkspace } from "./common/search-workspace.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const defaultLimit = 20;
const maxFiles = 12;
const maxSimilar = 5;

const Candidate = t.object({
	symbol: t.text("Its dotted path in the file"),
	kind: t.text(),
	path: t.text(),
	line: t.integer(),
	column: t.optional.integer(),
	match: t.oneOf(matchNames, "How it is like what was asked for"),
	test: t.optional.flag("It stands in a test"),
});

type Candidate = ValueOf<typeof Candidate>;

const Output = t.object({
	candidates: t.list(Candidate),
	total: t.integer(),
	similar: t.optional.texts("Other names that are less like it, in addition to the candidates"),
	capped: t.optional.texts("Servers that answer no more than they did: narrow the query"),
	...Unasked,
	...Incomplete,
});

export type Candidates = ValueOf<typeof Output>;

export const find = defineOperation({
	name: "find",
	title: "Find a symbol",
	description:
		"Where a name or a dotted path such as Class.method is declared, anywhere in the workspace, without knowing the file. A part of the name or some of its letters will do; lists the candidates where several fit.",
	effect: "read",
	core: true,
	aliases: [agentLsp.find],
	requests: ["workspace/symbol"],
	input: t.object({
		symbol: t.text("A name, or Class.method", { minLength: 1 }),
		kind: t.optional.text("Only this kind: class, function, method, interface, …"),
		limit: t.optional.positive(`At most this many candidates (default ${defaultLimit})`),
		directory: t.optional.text("Only below it"),
		language: t.optional.text("Only of this LSP language id"),
	}),
	output: Output,
	positional: ["symbol"],
	example: {
		input: { symbol: "greet" },
		output: {
			candidates: [{ symbol: "greet", kind: "function", path: "src/greet.ts", line: 1, column: 17, match: "exact" }],
			total: 1,
		},
	},
	async run({ symbol, kind, limit = defaultLimit, ...part }, on) {
		const wanted = namesOf(symbol);
		const last = wanted.at(-1) ?? symbol;
		let search = await searchWorkspace(on, last, part);
		let found = await rankCandidates(search, wanted, kind, on);
		// Some servers match only the beginning of a name. Incomplete answers are final.
		if (found.length === 0 && search.incomplete === undefined) {
			search = await searchWorkspace(on, last.slice(0, 1).toLowerCase(), part);
			found = await rankCandidates(search, wanted, kind, on);
		}
		const best = found[0]?.rank ?? 0;
		const candidates = found.filter(({ rank }) => rank === best).map(({ candidate }) => candidate);
		const rest = found
			.slice(candidates.length)
			.filter(({ rank }) => rank <= 2)
			.map(({ candidate }) => candidate.symbol);
		const similar = [...new Set(rest)].slice(0, maxSimilar);
		const { capped, unasked, incomplete } = search;
		return {
			candidates: candidates.slice(0, limit),
			total: candidates.length,
			...(similar.length > 0 ? { similar } : {}),
			...(capped.length > 0 && best > 0 ? { capped } : {}),
			...(unasked.length > 0 ? { unasked } : {}),
			...(incomplete === undefined ? {} : { incomplete }),
		};
	},
	render: (found, { symbol = "", ...part }) => listCandidates(found, symbol, part),
	next({ candidates: [first, ...others] }) {
		if (!first || others.length > 0) return undefined;
		return { operation: "source", input: { file: first.path, symbol: first.symbol }, why: "Its text" };
	},
});

interface Ranked {
	readonly candidate: Candidate;
	readonly rank: number;
}

async function rankCandidates(
	{ symbols }: SearchResult,
	wanted: readonly string[],
	kind: string | undefined,
	on: OperationContext,
): Promise<Ranked[]> {
	const files = [...groupByFile(symbols, wanted)].slice(0, maxFiles);
	const ranked = await Promise.all(
		files.map(async ([path, found]) => {
			const test = found[0]?.test ? { test: true } : {};
			return (await symbolsIn(path, found, on)).flatMap((declared): Ranked[] => {
				const rank = kind === undefined || kind === declared.kind ? rankPath(declared.symbol, path, wanted) : undefined;
				if (rank === undefined) return [];
				return [{ rank, candidate: { ...declared, path, match: matchNames[rank] as Match, ...test } }];
			});
		}),
	);
	return ranked.flat().sort(compare);
}

function groupByFile(symbols: readonly FoundSymbol[], wanted: readonly string[]): [string, FoundSymbol[]][] {
	const files = new Map<string, { rank: number; readonly found: FoundSymbol[] }>();
	for (const found of symbols) {
		const own = rankName(namesOf(found.symbol).at(-1) ?? "", wanted.at(-1) ?? "");
		if (own === undefined) continue;
		const rank = rankPath(found.symbol, found.path, wanted) ?? own + matchNames.length;
		const file = files.get(found.path) ?? { rank, found: [] };
		files.set(found.path, file);
		file.found.push(found);
		file.rank = Math.min(file.rank, rank);
	}
	const nearest = [...files].sort(([, a], [, b]) => a.rank - b.rank);
	const best = nearest[0]?.[1].rank ?? 0;
	return nearest.filter(([, { rank }]) => best > 0 || rank === 0).map(([path, { found }]) => [path, found]);
}

type DeclaredSymbol = Pick<Candidate, "symbol" | "kind" | "line" | "column">;

async function symbolsIn(path: string, found: readonly FoundSymbol[], on: OperationContext): Promise<DeclaredSymbol[]> {
	const known = () => found.map(({ symbol, kind, line }) => ({ symbol, kind, line }));
	try {
		const { declared } = await on.ask(path, async (query) => ({ declared: await query.symbols() }));
		return declared.length > 0 ? flatten(declared) : known();
	} catch {
		on.signal.throwIfAborted();
		return known();
	}
}

function flatten(declared: readonly DocumentSymbolEntry[], inFunction = false): DeclaredSymbol[] {
	return declared.flatMap(({ name, path, kind, at, children }, index) => {
		// TypeScript names a callback after its call.
		if (/[\s"'`]/.test(name) || (inFunction && /^(?:variable|constant)$/.test(kind))) return [];
		const before = declared[index - 1];
		const own = before?.path === path && before.kind === kind ? [] : [{ symbol: path, kind, ...at }];
		return [...own, ...flatten(children, inFunction || /^(?:function|method|constructor)$/.test(kind))];
	});
}

function compare({ rank, candidate: a }: Ranked, { rank: other, candidate: b }: Ranked): number {
	return (
		rank - other ||
		Number(a.test ?? false) - Number(b.test ?? false) ||
		a.symbol.length - b.symbol.length ||
		a.path.localeCompare(b.path, "en") ||
		a.line - b.line
	);
}
