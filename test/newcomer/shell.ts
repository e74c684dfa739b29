import type { ShellStep } from "./steps.ts";

/** A person's first half hour at the shell. */
export const shell: readonly ShellStep[] = [
	{
		does: "checks the project",
		line: "pi-lsp check src",
		reads: ["src/greet.ts: clean", "src/main.ts: clean"],
	},
	{
		does: "breaks a file and checks again",
		writes: { "src/wrong.ts": `export const a: number = "one";\n` },
		line: "pi-lsp check src",
		exit: 1,
		reads: ["ERROR [1:14] Type 'string' is not assignable to type 'number'. (ts2322)"],
	},
	{
		does: "reads it as a person does",
		line: "pi-lsp check src --format pretty",
		exit: 1,
		reads: ["src/wrong.ts:1:14", "^"],
		never: ["please fix", "<diagnostics"],
	},
	{
		does: "gets one line for each finding",
		line: "pi-lsp check src --format concise",
		exit: 1,
		reads: [/^src\/wrong\.ts:1:14: error: Type 'string'/m],
	},
	{ does: "gets JSON", line: "pi-lsp check src --json", exit: 1, reads: [`"code": "2322"`] },
	{
		does: "accepts the errors that were there before",
		line: "pi-lsp check src --baseline old.json --write-baseline && pi-lsp check src --baseline old.json",
		reads: ["old.json"],
	},
	{ does: "fixes the file", line: "rm src/wrong.ts old.json && pi-lsp check src", reads: ["src/main.ts: clean"] },
	{
		does: "checks a file of a language whose server is missing",
		line: "pi-lsp check tool.py --format concise",
		exit: 3,
		reads: ["tool.py: not checked", "Install it: pi-lsp install pyright"],
	},
	{
		does: "checks everything, prose and configuration with it",
		line: "rm tool.py && pi-lsp check .",
		reads: ["Passed over", "src/main.ts: clean"],
	},
	{
		does: "names a file that is not there",
		line: "pi-lsp check nope.ts",
		exit: 2,
		reads: ["LSP_FILE_NOT_FOUND: nope.ts does not exist."],
	},
	{ does: "misspells a command", line: "pi-lsp chekc .", exit: 2, reads: [`Did you mean "check"?`] },
	{ does: "misspells an option", line: "pi-lsp check . --chnaged", exit: 2, reads: ["--changed"] },
	{
		does: "asks for a type",
		line: "pi-lsp hover src/main.ts greet",
		reads: ["function greet(name: string): string"],
	},
	{
		does: "asks for the uses",
		line: "pi-lsp references src/greet.ts greet",
		reads: ["2 references in 1 file", "src/main.ts"],
	},
	{
		does: "misspells a symbol",
		line: "pi-lsp hover src/greet.ts gret",
		exit: 2,
		reads: [`"gret" does not occur in this file. Nearest: greet.`],
	},
	{
		does: "renames",
		line: "pi-lsp rename src/greet.ts greet welcome && cat src/main.ts",
		reads: ["Checked: nothing new is wrong.", `welcome("you")`],
	},
	{ does: "asks what can be taken back", line: "pi-lsp undo --list", reads: ["rename greet → welcome"] },
	{
		does: "names a change that is not there",
		line: "pi-lsp undo u9",
		reads: ["There is no change u9", "`pi-lsp undo --list` shows what can be taken back."],
		exit: 2,
	},
	{ does: "takes it back", line: "pi-lsp undo && cat src/main.ts", reads: ["taken back", `greet("you")`] },
	{
		does: "asks what runs",
		line: "pi-lsp status",
		reads: [/daemon: pid \d+/, /typescript \d[\d.]*: active/],
	},
	{
		does: "asks what trust would allow",
		line: "pi-lsp trust",
		reads: ["untrusted: nothing that it brings is run", "To allow it: pi-lsp trust add"],
	},
	{
		does: "lets a script trust it, which only a person may",
		line: "pi-lsp trust add",
		exit: 3,
		reads: ["Only a person may allow", "in a terminal"],
	},
	{
		does: "makes a mistake in the configuration",
		writes: { ".pi-lsp.json": `{ "mode": "edti" }\n` },
		line: "pi-lsp check src",
		reads: [/\.pi-lsp\.json:1/, "mode"],
	},
	{ does: "gets completion for its shell", line: "rm .pi-lsp.json && pi-lsp completions bash", reads: ["complete "] },
];
