/**
 * Markdown whose links to files are written as a reader of the answer finds them: `[a](file:///p/src/a.ts#L3%2C1)` becomes
 * `a (src/a.ts:3:1)`, in half of the tokens. `shown` gives a file's path as the reader writes it; other links stay.
 */
export function plainLinks(markdown: string, shown: (uri: string) => string): string {
	return markdown.replace(
		// One without its end is taken too, or the rest of the text would be searched again for each.
		/\[([^\][]*)\]\((file:\/\/[^\s)#]*)(?:#([^\s)]*))?(\)?)/g,
		(link: string, label: string, uri: string, at = "", end = "") => {
			if (end === "") return link;
			const [, line, column] = /^L?(\d+)(?:(?:,|%2C)L?(\d+))?/i.exec(at as string) ?? [];
			return `${label} (${[shown(uri), line, column].filter((part) => part !== undefined).join(":")})`;
		},
	);
}
