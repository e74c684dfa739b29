import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profiles } from "../../../src/config/read-settings.ts";
import { commands } from "../../../src/faces/cli/commands.ts";
import { operations } from "../../../src/operations/index.ts";
import { runCommand } from "../../support/run-command.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";

const names = [...operations.map(({ name }) => name), ...Object.keys(commands)];

/** The completions of a shell that has read the script for a command line, of which the last word is completed. */
type Offered = (...words: string[]) => Promise<string[]>;

const shells: Readonly<Record<string, (ws: Workspace, script: string) => Offered>> = {
	bash:
		(ws, script) =>
		async (...words) => {
			const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pi_lsp; printf '%s\\n' "\${COMPREPLY[@]}"`;
			return lines(ws, "bash", ["--norc", "-c", program, "bash", script, "pi-lsp", ...words]);
		},
	// Bash completes only on a terminal: it gets one, and its list of candidates is read off the screen.
	zsh:
		(ws, script) =>
		async (...words) => {
			const typed = ["pi-lsp", ...words].join(" ");
			const file = join(ws.base, "capture.zsh");
			writeFileSync(file, capture);
			// Zsh goes through the candidates more than once, to measure their width.
			return [...new Set(await lines(ws, "zsh", ["-f", file, script, typed]))];
		},
	fish:
		(ws, script) =>
		async (...words) => {
			const found = await lines(ws, "fish", [
				"--no-config",
				"-c",
				"source $argv[1]; complete -C $argv[2]",
				script,
				["pi-lsp", ...words].join(" "),
			]);
			return found.map((line) => line.split("\t")[0] ?? "");
		},
};

/** Wraps `compadd`, through which zsh's candidates all go, in a zsh of its own that has a terminal. */
const capture = `zmodload zsh/zpty
zpty shell zsh -f -i
read_until() { local text=; while [[ $text != *$1* ]]; do zpty -r shell line || break; text+=$line; done; REPLY=$text; }
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source \${(q)1}"
zpty -w shell 'compadd() { local -a hits; builtin compadd -A hits "$@"; print -rl -- "HIT:"\${^hits}; builtin compadd "$@" }'
zpty -w shell 'finish() { print END""MARK }; zle -N finish; bindkey "^G" finish; zstyle ":completion:*" list-prompt ""; print READY""NOW'
read_until READYNOW
zpty -w -n shell "$2"$'\\t\\x07'
read_until ENDMARK
print -r -- "$REPLY" | tr '\\r' '\\n' | sed -n 's/.*HIT:\\(.*\\)/\\1/p'
`;

async function lines(ws: Workspace, shell: string, args: readonly string[]): Promise<string[]> {
	const { code, stdout, stderr } = await runCommand(shell, args, { cwd: ws.root, env: ws.env });
	expect(stderr).toBe("");
	expect(code).toBe(0);
	return stdout.split("\n").filter(Boolean);
}

function isThere(shell: string): boolean {
	try {
		execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

for (const [shell, completing] of Object.entries(shells))
	test(`${shell} completes commands, options and their values`, async ({ skip }) => {
		if (!isThere(shell)) skip(`${shell} is not installed`);
		await withWorkspace({ "src/a.ts": "" }, async (ws) => {
			const { stdout, code } = await ws.cli(["completions", shell]);
			expect(code).toBe(0);
			const script = join(ws.base, `completion.${shell}`);
			writeFileSync(script, stdout);
			const offered = completing(ws, script);
			expect((await offered("")).sort()).toEqual([...names].sort());
			expect(await offered("refer")).toEqual(["references"]);
			expect(await offered("check", "--se")).toEqual(["--severity"]);
			expect((await offered("check", "src/a.ts", "--severity", "")).sort()).toEqual([
				"error",
				"hint",
				"info",
				"warning",
			]);
			expect((await offered("trust", "")).sort()).toEqual(["add", "remove", "show"]);
			expect((await offered("mcp", "--profile", "")).sort()).toEqual([...profiles].sort());
			expect(await offered("mcp", "--st")).toEqual(["--structured"]);
			expect(await offered("restart", "basedp")).toEqual(["basedpyright"]);
			expect(await offered("install", "gop")).toEqual(["gopls"]);
			expect(await offered("install", "gopls", "clan")).toEqual(["clangd"]);
			expect((await offered("folders", "")).sort()).toEqual(["add", "list", "remove"]);
			expect(await offered("rename", "--dry")).toEqual(["--dry-run"]);
		});
	});

test("an unknown shell is a mistake", () =>
	withWorkspace({}, async (ws) => {
		for (const args of [["completions", "tcsh"], ["completions"], ["completions", "toString"]]) {
			const { code, stderr } = await ws.cli(args);
			expect(code).toBe(2);
			expect(stderr).toMatch(/none of bash, zsh, fish/);
		}
	}));
