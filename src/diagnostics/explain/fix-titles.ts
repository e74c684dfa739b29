const [maxLength, maxTitle] = [100, 1000];
const maxCandidates = 2;

const forms: readonly (readonly [title: RegExp, suggestion: string])[] = [
	// TypeScript, clangd, jdtls, Roslyn
	[/^change (?:spelling |['`"][^'`"]+['`"] )?to ['`"]([^'`"]+)['`"].*$/i, "write '$1'"],
	// rustc: a field with a similar name exists: `width`
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

export function suggestionFrom(titles: readonly string[]): string | undefined {
	const found = titles.flatMap((title) => {
		if (title.length > maxTitle) return [];
		const line = title.replace(/\s+/g, " ").trim();
		const form = forms.find(([pattern]) => pattern.test(line));
		const candidate = form && line.replace(...form);
		return candidate !== undefined && candidate.length <= maxLength ? candidate : [];
	});
	const candidates = [...new Set(found)].slice(0, maxCandidates);
	const together = candidates.join(", or ");
	return together.length <= maxLength ? together || undefined : candidates[0];
}
