/** What an import begins with, by language id; where it goes on until a bracket is closed, that is read too. */
const forms: readonly (readonly [languages: RegExp, imports: RegExp])[] = [
	[
		/script|vue|svelte|astro/,
		/^(?:import\b[^"'`;=()]*["'][^"'\n]*["']|export\b[^"'`;=()]*\bfrom\s*["'][^"'\n]*["']|(?:const|let|var)\b[^=\n]*=\s*require\([^)\n]*\)).*$/gm,
	],
	[/^python$/, /^(?:from\s+[.\w]+\s+import\s+(?:\([^)]*\)|.*)|import\s+.*)$/gm],
	[/^go$/, /^import\s*(?:\([^)]*\)|.*)$/gm],
	[/^rust$/, /^(?:pub(?:\([^)]*\))?\s+)?(?:use\s+[^;]*;|extern\s+crate\s+[^;]*;|mod\s+\w+;)/gm],
	[/^(?:c|cpp|objective-c|objective-cpp)$/, /^\s*#\s*(?:include|import)\b.*$/gm],
	[/^(?:java|kotlin|scala|groovy|swift|haskell|elm|dart|zig|d)$/, /^(?:@testable\s+)?import\s+.*$/gm],
	[/^(?:csharp|fsharp|php)$/, /^(?:global\s+)?(?:using|open|use)\s+[^=({]*?;?$/gm],
	[/^ruby$/, /^\s*(?:require|require_relative|load)\b.*$/gm],
	[/^(?:elixir|ocaml|lua|perl)$/, /^\s*(?:alias|import|use|require|open)\b.*$/gm],
];

/** The import statements of a text, one line each; none for a language whose imports are not known. */
export function importLines(text: string, languageId: string): string[] {
	return importsOf(text, languageId).map(([statement]) => statement.replace(/\s+/g, " ").trim());
}

/** True if a line, 1-based, belongs to a statement that begins with `import`, which may have several. */
export function isImportLine(text: string, languageId: string, line: number): boolean {
	return importsOf(text, languageId).some(({ 0: statement, index }) => {
		if (!statement.startsWith("import")) return false;
		const first = breaksIn(text.slice(0, index)) + 1;
		return line >= first && line <= first + breaksIn(statement);
	});
}

function breaksIn(text: string): number {
	return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function importsOf(text: string, languageId: string): RegExpMatchArray[] {
	const [, pattern] = forms.find(([languages]) => languages.test(languageId)) ?? [];
	return pattern ? [...text.matchAll(pattern)] : [];
}
