const script =
	/^(?:(?:import|export)\b[^"'`;=()]*(?:["'][^"'\n]*["'])?|(?:const|let|var)\b[^=\n]*=\s*require\([^)\n]*\)).*$/gm;
const namesModule = /^(?:import\b[^"'`;=()]*["'][^"'\n]*["']|export\b[^"'`;=()]*\bfrom\s*["'][^"'\n]*["']|[clv])/;

/**
 * By LSP language id. A statement may lack its closing bracket: a pattern that failed there would search the rest again
 * each time.
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

export function importLines(text: string, languageId: string): string[] {
	return importsOf(text, languageId).map(([statement]) => statement.replace(/\s+/g, " ").trim());
}

/** 1-based lines of imports and re-exports. */
export function passedOnLines(text: string, languageId: string): ReadonlySet<number> {
	const lines = new Set<number>();
	let [at, line] = [0, 1];
	for (const { 0: statement, index } of matchesIn(text, languageId)) {
		if (!isPassedOn(statement)) continue;
		line += breaksIn(text.slice(at, index));
		at = index;
		const last = line + breaksIn(statement);
		for (let each = line; each <= last; each++) lines.add(each);
	}
	return lines;
}

function breaksIn(text: string): number {
	return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function isPassedOn(statement: string): boolean {
	return namesModule.test(statement) || !/^export\b/.test(statement) || /^export\s*(?:type\s*)?\{/.test(statement);
}

/** `line` is 1-based. */
export function isImportLine(
	{ text, languageId }: { readonly text: string; readonly languageId: string },
	line: number,
): boolean {
	let [start, end, at] = [0, -1, 1];
	for (const { 0: lineEnd, index } of text.matchAll(/\r\n|\n|\r|$/g)) {
		if (at === line) {
			end = index;
			break;
		}
		start = index + lineEnd.length;
		at++;
	}
	return importsOf(text, languageId).some(
		({ 0: statement, index }) => statement.startsWith("import") && index <= end && index + statement.length >= start,
	);
}

function importsOf(text: string, languageId: string): RegExpExecArray[] {
	const isScript = forms[0]?.[0].test(languageId) === true;
	return matchesIn(text, languageId).filter(([statement]) => !isScript || namesModule.test(statement));
}

function matchesIn(text: string, languageId: string): RegExpExecArray[] {
	const [, pattern] = forms.find(([languages]) => languages.test(languageId)) ?? [];
	return pattern ? [...text.matchAll(pattern)] : [];
}
