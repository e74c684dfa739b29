import { type Extract, type Span, type Tokens, tokenKinds } from "./tokens.ts";

/** What other files may see of a file. */
export interface Outline {
	readonly tokens: Tokens | undefined;
	readonly declarations: readonly Declaration[];
	/** The names that other files call the file's own by. A star stands for names that the text does not say. */
	readonly seen: ReadonlyMap<string, ReadonlySet<string>>;
	/** What may change all names at once if it differs. */
	readonly rest: string;
	/** True if files see it that do not import it. */
	readonly isGlobal: boolean;
	/** True if the file gives its importers the names of what it imports, without saying so. */
	readonly passesAll: boolean;
}

export interface Declaration {
	/** Dotted: `Shop.total`. Several may share one: overloads, merged declarations. */
	readonly path: string;
	/** The names at the file's top level that it is a part of. */
	readonly names: readonly string[];
	/** Where its name stands: a UTF-16 offset; undefined where no signature can be asked for. */
	readonly at: number | undefined;
	/** What others see for sure: beside the tokens the condition that it stands under, say. */
	readonly context: string;
	readonly visible: Extract;
	/** What its type is inferred from, if it does not say its type. */
	readonly inferred: Extract;
	/** True if it is seen by files that do not import its own. */
	readonly everywhere: boolean;
	/** True if others may see its members without its name. */
	readonly merges: boolean;
	/** The names of other files that it stands for; "any" of a whole module. */
	readonly takes: ReadonlySet<string> | "any" | undefined;
	/** The words that its type may follow from. */
	readonly mentions: () => ReadonlySet<string>;
}

export interface Entry {
	readonly path: string;
	readonly names?: readonly string[];
	/** The token with its name. */
	readonly name?: number | undefined;
	readonly visible: readonly Span[];
	readonly inferred?: readonly Span[];
	readonly context?: string;
	readonly everywhere?: boolean;
	readonly merges?: boolean;
	readonly takes?: ReadonlySet<string> | "any";
}

/** The words that some tokens mention. */
export type Mentions = (tokens: Tokens, spans: readonly Span[], name: number | undefined) => ReadonlySet<string>;

export class OutlineBuilder {
	readonly tokens: Tokens;
	private readonly mentionsOf: Mentions;
	private readonly declarations: Declaration[] = [];
	private readonly seenAs = new Map<string, Set<string>>();
	rest = "";
	isGlobal = false;
	passesAll = false;

	constructor(tokens: Tokens, mentionsOf: Mentions = wordsOf) {
		this.tokens = tokens;
		this.mentionsOf = mentionsOf;
	}

	declare(entry: Entry): void {
		const { tokens } = this;
		const { path, name, visible, inferred = [] } = entry;
		const spans = [...visible, ...inferred];
		let mentions: ReadonlySet<string> | undefined;
		this.declarations.push({
			path,
			names: entry.names ?? [path],
			at: name === undefined ? undefined : tokens.start(name),
			context: entry.context ?? "",
			visible: { tokens, spans: visible },
			inferred: { tokens, spans: inferred },
			everywhere: entry.everywhere === true,
			merges: entry.merges === true,
			takes: entry.takes,
			mentions: () => {
				mentions ??= this.mentionsOf(tokens, spans, name);
				return mentions;
			},
		});
	}

	/** Says that other files see one of the file's own names, as it is or as `outside`. */
	see(name: string, outside = name): void {
		const own = this.seenAs.get(outside);
		if (own) own.add(name);
		else this.seenAs.set(outside, new Set([name]));
	}

	/** As above, of all that is declared. */
	seeAll(): void {
		for (const { names } of this.declarations) for (const name of names) if (!name.includes(".")) this.see(name);
	}

	outline(): Outline {
		const { tokens, declarations, seenAs: seen, rest, isGlobal, passesAll } = this;
		return { tokens, declarations, seen, rest, isGlobal, passesAll };
	}
}

/** All words of some tokens but the one that is the declaration's own name. */
export function wordsOf(tokens: Tokens, spans: readonly Span[], name: number | undefined): ReadonlySet<string> {
	const words = new Set<string>();
	for (const [from, end] of spans)
		for (let at = from; at < end; at++) {
			if (tokens.isWord(at) && at !== name) words.add(tokens.text(at));
			else if (tokens.kind(at) === tokenKinds.directive)
				for (const [word] of tokens.text(at).matchAll(/\w+/g)) words.add(word);
		}
	return words;
}

/** The outline of a file that does not exist. */
export const nowhere: Outline = {
	tokens: undefined,
	declarations: [],
	seen: new Map(),
	rest: "",
	isGlobal: false,
	passesAll: false,
};

/** What others see of a declaration for sure, as a text. */
export function visibleText({ context, visible }: Declaration): string {
	return `${context} ${visible.tokens.textOf(visible.spans)}`;
}

/** What a declaration's type is inferred from, as a text. */
export function inferredText({ inferred }: Declaration): string {
	return inferred.tokens.textOf(inferred.spans);
}
