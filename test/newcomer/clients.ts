import { edit, write } from "../faces/pi/calls.ts";
import type { PiStep, ShellStep, ToolStep } from "./steps.ts";

/** Another agent: it is set up, and its model calls tools over MCP. */
export const agent: readonly ShellStep[] = [
	{
		does: "sees what setting up Claude Code would write",
		line: `mkdir -p ~/.claude && printf '{ "model": "opus" }\\n' > ~/.claude/settings.json && pi-lsp init claude-code --dry-run`,
		reads: ["settings.json", "+"],
	},
	{ does: "sets it up", line: "pi-lsp init claude-code --yes", reads: ["settings.json"] },
];

export const tools: readonly ToolStep[] = [
	{
		does: "lets the model check a file",
		writes: { "src/mcp.ts": `export const b: number = "two";\n` },
		tool: "lsp_check",
		input: { files: ["src/mcp.ts"] },
		reads: ["ERROR [1:14] Type 'string' is not assignable to type 'number'. (ts2322)"],
		never: ["pi-lsp check"],
	},
	{
		does: "lets it ask for the uses of a symbol",
		tool: "lsp_references",
		input: { file: "src/greet.ts", symbol: "greet" },
		reads: ["src/main.ts"],
	},
	{
		does: "lets it name a symbol that is not there",
		tool: "lsp_hover",
		input: { file: "src/greet.ts", symbol: "gret" },
		reads: ["Nearest: greet."],
		never: ["pi-lsp "],
	},
	{
		does: "lets it repair the file",
		tool: "lsp",
		input: { operation: "apply_edit", input: { file: "src/mcp.ts", old_text: `"two"`, new_text: "2" } },
		reads: ["Checked: nothing new is wrong."],
	},
	{
		does: "lets it find everything else",
		tool: "lsp",
		input: { operation: "help" },
		reads: ["calls: ", "rename: "],
	},
];

/** pi: the person types, and the model edits. */
export const piShell: readonly ShellStep[] = [
	{ does: "installs it in pi", line: "pi install npm:pi-lsp", reads: ["npm:pi-lsp"] },
	{ does: "finds it in pi's list", line: "pi list", reads: ["npm:pi-lsp"] },
];

export const screen: readonly PiStep[] = [
	{
		does: "asks pi-lsp how it does before anything",
		line: "/lsp status",
		reads: ["This session: Files are checked after each edit"],
	},
	{
		does: "lets the model break a file",
		call: write("src/pi.ts", `export const c: number = "three";\n`),
		reads: ["Successfully wrote", "ERROR [1:14] Type 'string' is not assignable to type 'number'. (ts2322)"],
	},
	{
		does: "lets it repair the file",
		call: edit("src/pi.ts", [`"three"`, "3"]),
		reads: ["Successfully replaced"],
		never: ["ERROR"],
	},
	{ does: "asks what runs", line: "/lsp status", reads: [/typescript \d[\d.]*: active/] },
	{
		does: "asks what is missing",
		line: "/lsp doctor",
		reads: [/^typescript \d.*: running/m, "json-language-server: missing"],
		never: ["pi-lsp install", "pi-lsp trust"],
	},
	{ does: "switches it off", line: "/lsp off", reads: [/off/i] },
];
