/** `a (src/a.ts:3:1)` for `[a](file:///p/src/a.ts#L3%2C1)` saves tokens. */
export function plainLinks(markdown: string, displayUri: (uri: string) => string): string {
	// Without an optional end each unended link would search the rest.
	const link = /\[([^\][]*)\]\((file:\/\/[^\s)#]*)(?:#([^\s)]*))?(\)?)/g;
	return markdown.replace(link, (text: string, ...groups: (string | undefined)[]) => {
		const [label = "", uri = "", fragment = "", end] = groups;
		if (!end) return text;
		const [, line, column] = /^L?(\d+)(?:(?:,|%2C)L?(\d+))?/i.exec(fragment) ?? [];
		return `${label} (${[displayUri(uri), line, column].filter((part) => part !== undefined).join(":")})`;
	});
}
