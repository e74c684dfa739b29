import { keyHint, keyText, rawKeyHint, type Theme, type ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Text } from "@mariozechner/pi-tui";
import { summarize } from "../../render/check/summary.ts";
import { harmless } from "../../render/harmless.ts";

type Renderers = Required<Pick<ToolDefinition, "renderCall" | "renderResult">>;
type KeyHint = (action: "app.tools.expand", description: string) => string;

export function rowOf(tool: string): Renderers {
	const operation = tool.replace(/^lsp_/, "");
	return {
		renderCall: (args, theme) => new Text(callLine(tool, args as Record<string, unknown>, theme), 0, 0),
		renderResult({ content }, { expanded, isPartial }, theme, context) {
			if (isPartial) return new Text(theme.fg("dim", "…"), 0, 0);
			const text = harmless(content.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
			const paint = (line: string) => theme.fg(context.isError ? "error" : "toolOutput", line);
			if (expanded) return new Text(text.split("\n").map(paint).join("\n"), 0, 0);
			const { line, more } = summarize(operation, text);
			const { keyHint: hint = exportedHint } = context as { readonly keyHint?: KeyHint };
			return new Text(paint(line) + (more ? ` (${hint("app.tools.expand", "to expand")})` : ""), 0, 0);
		},
	};
}

/** That of pi 0.87 does not know the configured keys. */
const exportedHint: KeyHint = (action, description) =>
	keyText(action) ? keyHint(action, description) : rawKeyHint("ctrl+o", description);

function callLine(
	tool: string,
	{ symbol, file, files, line, column, ...more }: Record<string, unknown>,
	theme: Theme,
): string {
	const position = [file ?? (Array.isArray(files) ? files.join(" ") : files), line, column].filter(Boolean).join(":");
	const rest = Object.entries(more).map(
		([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
	);
	const words = [
		theme.fg("toolTitle", theme.bold(tool)),
		...(symbol ? [theme.fg("accent", harmless(String(symbol)))] : []),
		...(position ? [theme.fg("toolOutput", harmless(position))] : []),
		...rest.map((word) => theme.fg("dim", harmless(word))),
	];
	return words.join(" ");
}
