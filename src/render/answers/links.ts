/** Makes `a (src/a.ts:3:1)` of `[a](file:///p/src/a.ts#L3%2C1)`, to save tokens. */
export function plainLinks(markdown: string, displayUri: (uri: string) => string): string {
	// The end is optional: otherwise each unended link would search the rest again.
	const link = /\[([^\][]*)\]\((file:\/\/[^\s)#]*)(?:#([^\s)]*))?(\)?)/g;
	return markdown.replace(link, (text: string, ...groups: (string | undefined)[]) => {
		const [label = "", uri = "", fragment = "", end] = groups;
		if (!end) return text;
		const [, line, column] = /^L?(\d+)(?:(?:,|%2C)L?(\d+))?/i.exec(fragment) ?? [];
		return `${label} (${[displayUri(uri), line, column].filter((part) => part !== undefined).join(":")})`;
	});
}
