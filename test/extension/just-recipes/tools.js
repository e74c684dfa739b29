// A package without a server of its own: the tool asks the one that pi-lsp has for justfiles.
export const tools = {
	async "just-unused"({ file }, { run, request }) {
		const { symbols } = await run("symbols", { file });
		const context = { includeDeclaration: false };
		const unused = [];
		for (const { name, line } of symbols) {
			const position = { line: line - 1, character: 0 };
			const uses = await request("textDocument/references", { position, context }, { file });
			if (uses.every(({ range }) => range.start.line === line - 1)) unused.push(name);
		}
		return { text: unused.join("\n") || "Every recipe is needed by another.", data: { unused } };
	},
};
