import { TimeSlices } from "../util/time-slices.ts";
import { compare } from "./compare.ts";
import { isSameMeaning } from "./index/meaning.ts";
import { type Language, languageOf } from "./outline/languages.ts";
import { asWhole, inNamespace, moduleAtOnce } from "./outline/script-mentions.ts";
import { followAll, NotUnderstood, parsing, SourceFile, type Understanding } from "./outline/source-file.ts";
import { parserOf } from "./outline/syntax.ts";
import { foreignChange, noChange, unreadChange } from "./outline/unread.ts";

/** Undefined means any name. */
export type Names = ReadonlySet<string> | undefined;

export interface ComparableDeclaration {
	readonly path: string;
	readonly before: number;
	readonly after: number;
}

export interface VisibleChange {
	readonly nothing: boolean;
	readonly added: ReadonlySet<string>;
	readonly changed: Names;
	readonly gone: ReadonlySet<string>;
	/**
	 * What others see depends on them, exported or not: unknown types cause no errors in other files, and may end some.
	 */
	readonly lost: ReadonlySet<string>;
	readonly everywhere: boolean;
	/** Changed only if their signature did. */
	readonly uncertain: readonly ComparableDeclaration[];
	readonly altered: readonly ComparableDeclaration[];
}

export interface ProvenOfChange {
	readonly same?: ReadonlySet<string>;
	/** True if a lost name means something else now, as `Event` without its import. */
	readonly hasMeaning?: (lost: string) => boolean;
}

/** Undefined is a missing file. */
export async function visibleChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
	proven: ProvenOfChange = {},
): Promise<VisibleChange> {
	if (before === after) return noChange;
	const language = languageOf(path);
	if (!language) return foreignChange(path, before, after) ?? noChange;
	const compared = await understood(language, async (how) => {
		const old = new SourceFile(path, before, language, how);
		await how.turn();
		return compare(old, new SourceFile(path, after, language, how), proven);
	});
	if (compared) return compared;
	if (before !== undefined && after !== undefined && isSameMeaning(path, before, after)) return noChange;
	return unreadChange(path, before, after) ?? noChange;
}

/** Importers see a change of `names` by these. `mayGoOn` is awaited between time slices. */
export async function passedOn(
	path: string,
	text: string,
	names: Names,
	mayGoOn?: () => Promise<void>,
): Promise<Names> {
	const language = languageOf(path);
	if (names?.size === 0 || !language) return names?.size === 0 ? names : undefined;
	return understood(language, (how) => passedBy(new SourceFile(path, text, language, how), names), mayGoOn);
}

export async function loadGrammar(path: string): Promise<void> {
	const language = languageOf(path);
	if (language) await parserOf(language);
}

export async function understood<Result>(
	language: Language,
	read: (how: Understanding) => Promise<Result>,
	mayGoOn?: () => Promise<void>,
): Promise<Result | undefined> {
	const parser = await parserOf(language);
	const slices = new TimeSlices();
	const turn = async () => {
		if (!slices.isOver) return;
		await slices.next();
		await mayGoOn?.();
	};
	for (const isWhole of [false, true]) {
		try {
			return await read({ parse: parsing(parser, language), isWhole, turn });
		} catch (error) {
			// RangeError: too deeply nested.
			if (!(error instanceof NotUnderstood || error instanceof RangeError)) throw error;
			await slices.next();
		}
	}
	return undefined;
}

async function passedBy(file: SourceFile, names: Names): Promise<Names> {
	if (names) await file.readImports();
	else await file.readAll();
	const reached = await followAll([file], () => rootsOf(file, names));
	const { seen, passesAll } = file.outline;
	const passed = new Set<string>(names && passesAll ? names : []);
	for (const [outside, own] of seen) {
		if (![...own].some((name) => reached.has(name))) continue;
		if (outside.startsWith("*") && names) for (const name of names) passed.add(name);
		else if (outside === "default" || outside.startsWith("*")) return undefined;
		else passed.add(outside);
	}
	return passed;
}

function rootsOf({ outline: { declarations, language } }: SourceFile, names: Names): ReadonlySet<string> {
	const roots = new Set<string>();
	const bound = new Set(declarations.flatMap(({ names }) => names));
	for (const { names: own, takes } of declarations) {
		const isWhole = takes === "any" && names !== undefined && !own[0]?.startsWith("export ");
		const isTaken = takes === "any" || [...(takes ?? [])].some((name) => names?.has(name) !== false);
		if (isTaken && takes !== undefined) for (const name of own) roots.add(isWhole ? asWhole(name) : name);
	}
	roots.add(moduleAtOnce);
	if (names) {
		for (const name of names) {
			roots.add(inNamespace(name));
			if (language.family !== "script" || !bound.has(name)) roots.add(name);
		}
		return roots;
	}
	for (const { mentions } of declarations)
		for (const word of mentions) if (!bound.has(word) && !primitives.has(word)) roots.add(word);
	return roots;
}

const primitives = new Set(
	"int string bool byte rune error float64 self cls None True False str float bytes char void i32 u8 usize".split(" "),
);
