import {
	type AgentToolResult,
	keyHint,
	keyText,
	rawKeyHint,
	type Theme,
	type ToolDefinition,
	type ToolRenderResultOptions,
} from "@mariozechner/pi-coding-agent";
import { Text } from "@mariozechner/pi-tui";
import { summarize } from "../../render/check/summary.ts";
import { harmless } from "../../render/harmless.ts";

type Renderers = Required<Pick<ToolDefinition, "renderCall" | "renderResult">>;
type Hint = (action: "app.tools.expand", description: string) => string;

/** How a tool's row looks on pi's screen: `lsp_references greet src/a.ts`, and below it one line that unfolds. */
export function rowOf(tool: string): Renderers {
	const operation = tool.replace(/^lsp_/, "");
	return {
		renderCall: (args, theme) => new Text(callLine(tool, args as Record<string, unknown>, theme), 0, 0),
		renderResult: (result, options, theme, context) => {
			// The newest host hands the hint over; on the others it is an export.
			const { keyHint: hint = exportedHint } = context as { readonly keyHint?: Hint };
			return new Text(resultText(operation, result, options, theme, context.isError, hint), 0, 0);
		},
	};
}

/** In pi 0.87 the export has not been told the keys: there the default one is named. */
const exportedHint: Hint = (action, description) =>
	keyText(action) ? keyHint(action, description) : rawKeyHint("ctrl+o", description);

function callLine(
	tool: string,
	{ symbol, file, files, line, column, ...more }: Record<string, unknown>,
	theme: Theme,
): string {
	const place = [file ?? (Array.isArray(files) ? files.join(" ") : files), line, column].filter(Boolean).join(":");
	const rest = Object.entries(more).map(
		([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
	);
	const words = [
		theme.fg("toolTitle", theme.bold(tool)),
		...(symbol ? [theme.fg("accent", harmless(String(symbol)))] : []),
		...(place ? [theme.fg("toolOutput", harmless(place))] : []),
		...rest.map((word) => theme.fg("dim", harmless(word))),
	];
	return words.join(" ");
}

function resultText(
	operation: string,
	{ content }: AgentToolResult<unknown>,
	{ expanded, isPartial }: ToolRenderResultOptions,
	theme: Theme,
	failed: boolean,
	hint: Hint | undefined,
): string {
	if (isPartial) return theme.fg("dim", "…");
	const text = harmless(content.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
	const color = failed ? "error" : "toolOutput";
	const { line, more } = summarize(operation, text);
	if (expanded)
		return text
			.split("\n")
			.map((each) => theme.fg(color, each))
			.join("\n");
	const unfold = more ? ` ${hint ? `(${hint("app.tools.expand", "to expand")})` : ""}` : "";
	return theme.fg(color, line) + unfold;
}
