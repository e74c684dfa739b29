import type { Hover, MarkupContent } from "vscode-languageserver-protocol";

export function hoverMarkdown(hover: Hover | null): string {
	if (!hover?.contents) return "";
	const parts = Array.isArray(hover.contents) ? hover.contents : [hover.contents];
	return parts
		.map((part) => {
			if (typeof part === "string") return part;
			return "language" in part
				? `\`\`\`${part.language}\n${part.value}\n\`\`\``
				: ((part as MarkupContent).value ?? "");
		})
		.join("\n")
		.trim();
}
