interface ShownDocumentation {
	readonly text: string;
	readonly from: string;
	readonly command?: string | undefined;
}

/** What was said, or that nothing was. */
export function documentationText({ text, from, command }: ShownDocumentation): string {
	if (from === "nobody")
		return `Neither the language server nor its toolchain has documentation${command ? ` (${command})` : ""}.`;
	return text;
}
