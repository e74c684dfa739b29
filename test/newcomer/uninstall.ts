import type { ShellStep } from "./steps.ts";

/** The steps of docs/uninstalling.md, line by line. */
export const uninstall: readonly ShellStep[] = [
	{
		does: "sees what would go from the agents",
		line: "pi-lsp uninstall --dry-run",
		reads: ["settings.json", "pi-lsp"],
	},
	{
		does: "takes it out, with caches and servers",
		line: "pi-lsp uninstall --purge --yes && ls -A ~/.cache ~/.local/share",
		reads: ["Claude Code", "skills removed"],
		never: [/^pi-lsp$/m],
	},
	{
		does: "finds the agent's settings as they were",
		line: "cat ~/.claude/settings.json",
		reads: [`{ "model": "opus" }`],
	},
	{ does: "stops the daemon", line: "pi-lsp stop && pi-lsp status", reads: ["not running"] },
	{
		does: "removes the extension from pi",
		line: "pi remove npm:pi-lsp && pi list",
		reads: [],
		never: [/^\s*npm:pi-lsp/m],
	},
	{
		does: "removes the program",
		line: "npm uninstall -g pi-lsp && pi-lsp --version",
		exit: 127,
		reads: ["not found"],
	},
];
