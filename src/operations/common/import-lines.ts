import type { OpenDocument } from "../../lsp/documents.ts";

const script =
	/^(?:(?:import|export)\b[^"'`;=()]*(?:["'][^"'\n]*["'])?|(?:const|let|var)\b[^=\n]*=\s*require\([^)\n]*\)).*$/gm;
/** Those of them that take something from another module. */
const namesModule = /^(?:import\b[^"'`;=()]*["'][^"'\n]*["']|export\b[^"'`;=()]*\bfrom\s*["'][^"'\n]*["']|[clv])/;

/**
 * What an import begins with, by language id; where it goes on until a bracket is closed, that is read too. One whose end is
 * missing is taken up to the end of the text: a pattern that gave up there would search the rest again for each of them.
 */
const forms: readonly (readonly [languages: RegExp, imports: RegExp])[] = [
	[/script|vue|svelte|astro/, script],
	[/^python$/, /^(?:from\s+[.\w]+\s+import\s+(?:\([^)]*\)?|.*)|import\s+.*)$/gm],
	[/^go$/, /^import\s*(?:\([^)]*\)?|.*)$/gm],
	[/^rust$/, /^(?:pub(?:\([^)\n]*\))?\s+)?(?:use\s+[^;]*;?|extern\s+crate\s+[^;]*;?|mod\s+\w+;)/gm],
	[/^(?:c|cpp|objective-c|objective-cpp)$/, /^[ \t]*#[ \t]*(?:include|import)\b.*$/gm],
	[/^(?:java|kotlin|scala|groovy|swift|haskell|elm|dart|zig|d)$/, /^(?:@testable\s+)?import\s+.*$/gm],
	[/^(?:csharp|fsharp|php)$/, /^(?:global\s+)?(?:using|open|use)\s+[^=({]*?;?$/gm],
	[/^ruby$/, /^[ \t]*(?:require|require_relative|load)\b.*$/gm],
	[/^(?:elixir|ocaml|lua|perl)$/, /^[ \t]*(?:alias|import|use|require|open)\b.*$/gm],
];

/** The import statements of a text, one line each; none for a language whose imports are not known. */
export function importLines(text: string, languageId: string): string[] {
	return importsOf(text, languageId).map(([statement]) => statement.replace(/\s+/g, " ").trim());
}

type Text = Pick<OpenDocument, "text" | "languageId">;

/** Looked through once for each text: two parts of one answer ask, before anything is sent. */
const known = new WeakMap<Text, ReadonlySet<number>>();

/** True if a line, 1-based, belongs to a statement that begins with `import`, which may have several. */
export function isImportLine(document: Text, line: number): boolean {
	const lines = known.get(document) ?? importLineNumbers(document);
	known.set(document, lines);
	return lines.has(line);
}

function importLineNumbers({ text, languageId }: Text): ReadonlySet<number> {
	const lines = new Set<number>();
	for (const { 0: statement, index } of importsOf(text, languageId)) {
		if (!statement.startsWith("import")) continue;
		const first = breaksIn(text.slice(0, index)) + 1;
		for (let line = first; line <= first + breaksIn(statement); line++) lines.add(line);
	}
	return lines;
}

function breaksIn(text: string): number {
	return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function importsOf(text: string, languageId: string): RegExpMatchArray[] {
	const [, pattern] = forms.find(([languages]) => languages.test(languageId)) ?? [];
	const found = pattern ? [...text.matchAll(pattern)] : [];
	return pattern === script ? found.filter(([statement]) => namesModule.test(statement)) : found;
}
