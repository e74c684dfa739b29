import type { Mentions } from "./outline.ts";
import type { Tokens } from "./tokens.ts";

/** Words that are no name of a declaration. */
export const scriptKeywords: ReadonlySet<string> = new Set(
	(
		"abstract accessor any as asserts async await bigint boolean break case catch class const constructor continue " +
		"debugger declare default delete do else enum export extends false finally for from function get if implements " +
		"import in infer instanceof interface is keyof let namespace never new null number object of out override private " +
		"protected public readonly require return satisfies set static string super switch symbol this throw true try type " +
		"typeof undefined unique unknown using var void while with yield"
	).split(" "),
);

/** What a script mentions where it takes a whole module at once: a dynamic import. */
export const moduleAtOnce = "import()";

/** The word for a namespace import that is used as a whole, and not only for one name in it. */
export function asWhole(namespace: string): string {
	return `${namespace}.*`;
}

/** The word for a name in some namespace: `.total`. */
export function inNamespace(name: string): string {
	return `.${name}`;
}

/** Reads what declarations mention: no keys of objects, and no properties but those of whole modules. */
export function scriptMentions(namespaces: ReadonlySet<string>): Mentions {
	return (tokens, spans, name) => {
		const words = new Set<string>();
		for (const [from, end] of spans) {
			for (let at = from; at < end; at++) {
				if (tokens.isWord(at) && at !== name) add(words, tokens, at, tokens.text(at), namespaces);
				const doc = tokens.doc(at);
				for (const [word] of doc?.matchAll(/[\w$]+/g) ?? []) words.add(word);
				if (doc?.includes("import(")) words.add(moduleAtOnce);
			}
		}
		return words;
	};
}

function add(words: Set<string>, tokens: Tokens, at: number, text: string, namespaces: ReadonlySet<string>): void {
	const [before, behind] = [tokens.text(at - 1), tokens.text(at + 1)];
	if (before === "." || before === "?.") {
		const holder = tokens.text(at - 2);
		if (namespaces.has(holder) || holder === ")" || holder === "globalThis" || holder === "window")
			words.add(inNamespace(text));
		if (holder === "globalThis" || holder === "window") words.add(text);
		return;
	}
	if ((text === "import" || text === "require") && behind === "(") words.add(moduleAtOnce);
	if (scriptKeywords.has(text) || isKey(tokens, at, before, behind)) return;
	words.add(text);
	if (namespaces.has(text) && behind !== "." && behind !== "?.") words.add(asWhole(text));
}

/** True for the name of a parameter, a property or a key. */
function isKey(tokens: Tokens, at: number, before: string, behind: string): boolean {
	const isNamed = behind === ":" || (behind === "?" && tokens.text(at + 2) === ":");
	return isNamed && (before === "{" || before === "," || before === "(" || before === ";");
}

/** The names by which a file calls whole modules. */
export function namespacesOf(tokens: Tokens): ReadonlySet<string> {
	const names = new Set<string>();
	for (let at = 0; at < tokens.length; at = tokens.after(at)) {
		const word = tokens.text(at);
		if (word === "*" && tokens.text(at + 1) === "as") names.add(tokens.text(at + 2));
		else if (word === "=" && tokens.text(at + 1) === "require" && tokens.isWord(at - 1)) names.add(tokens.text(at - 1));
		else if (word === "=" && tokens.text(at + 1) === "await" && tokens.text(at + 2) === "import")
			names.add(tokens.text(at - 1));
	}
	return names;
}
