const longest = 100;
/** What is longer is no title, and is not searched. */
const longestTitle = 1000;
const most = 2;

/** What the titles of fixes say, as servers word them, and how it is told: `$1` is the candidate itself. */
const forms: readonly (readonly [title: RegExp, told: string])[] = [
	// TypeScript, clangd, jdtls, Roslyn
	[/^change (?:spelling |['`"][^'`"]+['`"] )?to ['`"]([^'`"]+)['`"].*$/i, "write '$1'"],
	// rustc: a field with a similar name exists, there is a method `width` with a similar name
	[/^.*\bsimilar name(?: exists)?: `([^`]+)`$/i, "write '$1'"],
	// haskell-language-server
	[/^replace with [‘'`]([^’'`]+)[’'`]$/i, "write '$1'"],
	// rustc
	[/^consider importing .*`(use [^`;]+;?)\s*`$/i, "add `$1`"],
	// TypeScript; gopls (`Add import:  "fmt"`)
	[/^(?:add )import\b:?\s+(.+)$/i, "add import $1"],
	[/^(?:update )import\b\s+(.+)$/i, "update import $1"],
	// clangd
	[/^include ([<"][^>"]+[>"]).*$/i, "add #include $1"],
	// rust-analyzer
	[/^import `([^`]+)`$/i, "add import `$1`"],
	// basedpyright, ty, jdtls, haskell-language-server; omnisharp
	[/^((?:from \S+ )?import \S.*)$/i, "add `$1`"],
	[/^(using [\w.]+;?)$/, "add `$1`"],
];

/**
 * What a server's fixes suggest for something unknown, by their titles, in at most one short line: a spelling or an
 * import. Undefined where all of them do something else: suppress the error, declare the name, install a package.
 */
export function candidatesOf(titles: readonly string[]): string | undefined {
	const told = titles.flatMap((title) => {
		if (title.length > longestTitle) return [];
		const line = title.replace(/\s+/g, " ").trim();
		const form = forms.find(([pattern]) => pattern.test(line));
		const candidate = form && line.replace(...form);
		return candidate !== undefined && candidate.length <= longest ? candidate : [];
	});
	const candidates = [...new Set(told)].slice(0, most);
	const together = candidates.join(", or ");
	return together.length <= longest ? together || undefined : candidates[0];
}
