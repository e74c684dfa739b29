import type {
	CallHierarchyIncomingCall,
	CallHierarchyItem,
	CallHierarchyOutgoingCall,
	DocumentSymbol,
	Location,
	Position,
} from "vscode-languageserver-protocol";
import type { BareClient } from "../bare-client.ts";
import { compared, type Figure, wrongAnswers } from "../figures.ts";
import type { Pair } from "../questions.ts";
import { inTurn, timed, turnAt } from "../statistics.ts";
import { declarationsIn, importsIn, type KnownPlace, positionOf } from "./places.ts";
import { earlyFigure, isEarly, manyLines, warmUp } from "./rounds.ts";

const rounds = 240;
const places = 12;

/** A question that is made of several requests. */
interface Composite {
	readonly what: string;
	readonly operation: string;
	readonly at: readonly KnownPlace[];
	input(place: KnownPlace): object;
	/** Sends the necessary requests, each as early as possible; resolves to true for a right answer. */
	bare(bare: BareClient, place: KnownPlace): Promise<boolean>;
	isRight(answer: object, place: KnownPlace): boolean;
}

/**
 * Questions that need several requests, compared with a bare client that sends the same ones, each as soon as it can, so
 * that its time is that of the slowest chain of requests.
 */
export async function composites({ corpus, bare, daemon, root }: Pair): Promise<Figure[]> {
	const declared = declarationsIn(corpus, places);
	const imported = importsIn(corpus, declared);
	const kinds: Composite[] = [
		{
			...explored,
			what: "explore, where it is declared",
			at: declared,
			bare: (client, place) => exploreBy(client, place, callersAt(client, place.file, positionOf(place))),
		},
		{
			...explored,
			what: "explore, where it is imported",
			at: imported,
			bare: (client, place) => exploreBy(client, place, callersByDefinition(client, place)),
		},
		{
			what: "context",
			operation: "context",
			at: declared,
			input: ({ file }) => ({ file }),
			bare: (client, place) => contextBy(client, place, corpus.files[place.file] ?? ""),
			isRight: (answer, { name, references }) => {
				const { callers = [] } = answer as { callers?: { symbol: string; files: { path: string }[] }[] };
				const files = callers.find(({ symbol }) => symbol === name)?.files ?? [];
				return new Set(references.map(fileOf)).size === files.length;
			},
		},
	];
	const figures: Figure[] = [];
	for (const { what, operation, at, input, bare: ask, isRight } of kinds) {
		const taken = { bare: [] as number[], ours: [] as number[] };
		const before = { bare: [] as number[], ours: [] as number[] };
		let wrong = 0;
		for (let round = -warmUp; round < rounds; round++) {
			const place = at[(round + warmUp) % at.length] as KnownPlace;
			const askOurs = async () =>
				isRight(await daemon.call<object>(operation, { cwd: root, input: input(place) }), place);
			for (const who of inTurn(["bare", "ours"] as const, turnAt(round + warmUp, at.length))) {
				const { ms, value } = await timed(() => (who === "bare" ? ask(bare, place) : askOurs()));
				if (!value) wrong++;
				if (round >= 0) taken[who].push(ms);
				else if (isEarly(round, rounds)) before[who].push(ms);
			}
		}
		figures.push(
			compared(what, taken.bare, taken.ours, manyLines),
			earlyFigure(what, before),
			wrongAnswers(`${what}: wrong answers of either`, wrong, 2 * (rounds + warmUp)),
		);
	}
	return figures;
}

const explored = {
	operation: "explore",
	input: ({ file, line, column }: KnownPlace) => ({ file, line, column }),
	isRight: (answer: object, { name, references }: KnownPlace) => {
		const found = answer as { source: string; references: { total: number }; totalCallers: number };
		const calls = new Set(references.map(fileOf)).size;
		const { source, references: uses, totalCallers } = found;
		return source.includes(`function ${name}(`) && uses.total === references.length && totalCallers === calls;
	},
};

function fileOf(place: string): string {
	return place.split(":")[0] ?? "";
}

/** All parts of `explore`; `callers` is the longest chain of requests. */
async function exploreBy(bare: BareClient, place: KnownPlace, callers: Promise<number>): Promise<boolean> {
	const { file, name, references } = place;
	const position = positionOf(place);
	const [hover, found, , , calls] = await Promise.all([
		bare.hover(file, position),
		bare.ask<Location[]>("textDocument/references", file, { position, context: { includeDeclaration: true } }),
		bare.definition(file, position),
		symbolsOf(bare, file),
		callers,
	]);
	const isHovered = JSON.stringify(hover).includes(`function ${name}(`);
	return isHovered && found.length === references.length + 1 && calls === new Set(references.map(fileOf)).size;
}

/** For a use of a name: its definition, the declaration there, and its callers. */
async function callersByDefinition(bare: BareClient, place: KnownPlace): Promise<number> {
	const found = await bare.definition(place.file, positionOf(place));
	const [location] = Array.isArray(found) ? (found as readonly Location[]) : [found as Location | null];
	if (!location) return 0;
	const file = bare.fileOf(location.uri);
	const declared = (await symbolsOf(bare, file)).find(({ name }) => name === place.name);
	return declared ? callersAt(bare, file, declared.selectionRange.start) : 0;
}

async function callersAt(bare: BareClient, file: string, position: Position): Promise<number> {
	const items = await prepared(bare, file, position);
	const incoming = "callHierarchy/incomingCalls";
	const calls = items.map((item) => bare.send<CallHierarchyIncomingCall[] | null>(incoming, { item }));
	return (await Promise.all(calls)).flatMap((found) => found ?? []).length;
}

async function contextBy(bare: BareClient, { file, name, references }: KnownPlace, text: string): Promise<boolean> {
	const lines = text.split("\n");
	// A module of the project declares only exports; TypeScript 7 lists its imports as well.
	const declared = (await symbolsOf(bare, file)).filter(({ range }) => lines[range.start.line]?.startsWith("export"));
	const uses = await Promise.all(
		declared.map(async (symbol) => {
			const position = symbol.selectionRange.start;
			const context = { includeDeclaration: false };
			const [found] = await Promise.all([
				bare.ask<Location[]>("textDocument/references", file, { position, context }),
				// An interface calls nothing.
				symbol.name.startsWith("Item") ? [] : calleesAt(bare, file, position),
			]);
			return { name: symbol.name, files: new Set(found.map(({ uri }) => bare.fileOf(uri))) };
		}),
	);
	// Without the declarations TypeScript 7 leaves out the imports: a module that only imports is not among the files.
	const files = uses.find((use) => use.name === name)?.files.size ?? -1;
	return files === new Set(references.map(fileOf)).size;
}

async function calleesAt(bare: BareClient, file: string, position: Position): Promise<CallHierarchyOutgoingCall[]> {
	const items = await prepared(bare, file, position);
	const calls = items.map((item) => bare.send<CallHierarchyOutgoingCall[]>("callHierarchy/outgoingCalls", { item }));
	return (await Promise.all(calls)).flat();
}

async function prepared(bare: BareClient, file: string, position: Position): Promise<CallHierarchyItem[]> {
	return (await bare.ask<CallHierarchyItem[] | null>("textDocument/prepareCallHierarchy", file, { position })) ?? [];
}

async function symbolsOf(bare: BareClient, file: string): Promise<DocumentSymbol[]> {
	return (await bare.ask<DocumentSymbol[] | null>("textDocument/documentSymbol", file)) ?? [];
}
