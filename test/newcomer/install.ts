import type { ShellStep } from "./steps.ts";

/** From an empty machine to a program that answers, and one more language server. */
export const install: readonly ShellStep[] = [
	{ does: "has no pi-lsp yet", line: "pi-lsp --version", exit: 127, reads: ["not found"] },
	{
		does: "installs it",
		line: "npm install -g pi-lsp",
		reads: [/added \d+ packages/],
		never: ["install scripts", "deprecated", "warn"],
	},
	{ does: "asks for the version", line: "pi-lsp --version", reads: [/^\d+\.\d+\.\d+\n$/] },
	{
		does: "asks for help",
		line: "pi-lsp --help",
		reads: ["Usage: pi-lsp COMMAND", "check [FILE…]", "Exit codes: 0 done or clean"],
	},
	{
		does: "asks for help on a command, as with other programs",
		line: "pi-lsp help check",
		reads: ["--changed", "--staged", "--format"],
		never: ["workspace_symbols"],
	},
	{
		does: "asks what is missing",
		line: "pi-lsp doctor",
		reads: ["typescript: installed", "pyright: missing", "Install it: pi-lsp install pyright"],
	},
	{
		does: "asks what installing a language would do",
		line: "pi-lsp install python --dry-run",
		reads: ["pyright", "the version that was tested, from npm's registry", "npm install --prefix"],
	},
	{
		does: "is asked before anything is installed",
		line: "pi-lsp install python",
		exit: 2,
		reads: ["Nothing was run", "--yes"],
	},
	{
		does: "misspells a language",
		line: "pi-lsp install pythn --yes",
		exit: 2,
		reads: [`there is no server and no language "pythn". Did you mean "python"?`],
	},
	{
		does: "installs a server",
		line: "pi-lsp install biome@latest --yes",
		reads: [/biome is installed: \d+\.\d+\.\d+/],
	},
	{ does: "sees what was installed", line: "pi-lsp install --list", reads: ["biome"] },
	{
		does: "uses it: the next check asks the new server",
		writes: { "lint/biome.json": "{}\n", "lint/a.js": "export function a() {\n\tdebugger;\n}\n" },
		line: "pi-lsp check lint/a.js --severity warning",
		exit: 1,
		reads: ["lint/suspicious/noDebugger"],
	},
	{ does: "removes it again", line: "pi-lsp install --remove biome && rm -r lint", reads: ["biome"] },
];
