import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../support/repository.ts";
import type { ShellStep } from "./steps.ts";

/** The recipes of docs/ci.md as they are copied: their lines are read from the page. */
export const recipes: readonly ShellStep[] = [
	{
		does: "adds pi-lsp to a project",
		writes: { ".gitignore": "node_modules\n" },
		line: `npm install --save-dev pi-lsp && git init -q && git add . && ${git("commit -q -m one")}`,
		reads: [/added \d+ packages/],
	},
	{
		does: "runs the steps of GitHub Actions on a clean project",
		line: script("GitHub Actions", "run"),
		env: { CI: "true" },
		reads: [/added \d+ packages/],
		never: ["::error"],
	},
	{
		does: "runs them on a broken one",
		writes: { "src/wrong.ts": `export const a: number = "one";\n` },
		line: script("GitHub Actions", "run"),
		env: { CI: "true" },
		exit: 1,
		reads: ["::error file=src/wrong.ts,line=1"],
	},
	{
		does: "runs the step of code scanning",
		line: `${script("GitHub Actions", "run", 1)}; code=$?; cat pi-lsp.sarif; rm pi-lsp.sarif; exit $code`,
		env: { CI: "true" },
		exit: 1,
		reads: [`"version": "2.1.0"`, "src/wrong.ts"],
	},
	{
		does: "runs the script of GitLab",
		line: `${script("GitLab", "script")}; code=$?; cat gl-code-quality-report.json; rm gl-code-quality-report.json; exit $code`,
		env: { CI: "true" },
		exit: 1,
		reads: [`"fingerprint"`, "src/wrong.ts"],
	},
	{
		does: "commits through pre-commit, which names the files of the commit",
		line: `git add . && ${script("pre-commit", "entry")} $(git diff --cached --name-only)`,
		exit: 1,
		reads: [/^src\/wrong\.ts:1:14: error: /m],
	},
	{
		does: "commits only prose through pre-commit",
		writes: { "notes.txt": "Notes.\n" },
		line: `${script("pre-commit", "entry")} notes.txt; code=$?; rm notes.txt; exit $code`,
		reads: [],
	},
	{
		does: "commits through lefthook's line",
		line: `${hook(".git/hooks", script("lefthook", "run"))} && ${git("commit -m two")}`,
		exit: 1,
		reads: [/^src\/wrong\.ts:1:14: error: /m],
	},
	{
		does: "commits through husky's",
		line: `rm .git/hooks/pre-commit && ${hook(".husky", block("husky", 0))} && git config core.hooksPath .husky && ${git("commit -m two")}`,
		exit: 1,
		reads: [/^src\/wrong\.ts:1:14: error: /m],
	},
	{
		does: "repairs it, and commits",
		writes: { "src/wrong.ts": `export const a: number = 1;\n` },
		line: `git add . && ${git("commit -q -m two")} && git status --short`,
		reads: [],
		never: ["error", "src/"],
	},
	{
		does: "checks what a branch changed",
		line: "npx pi-lsp check --base HEAD~1 --format concise; npx pi-lsp stop",
		reads: ["All clean.", "Stopped the daemon"],
	},
];

function git(words: string): string {
	return `git -c user.name=n -c user.email=n@localhost ${words}`;
}

/** A git hook with this text. */
function hook(folder: string, text: string): string {
	return `mkdir -p ${folder} && printf '#!/bin/sh\\n%s\\n' '${text.trim()}' > ${folder}/pre-commit && chmod +x ${folder}/pre-commit`;
}

/** The n-th block of code below a heading of the page. */
export function block(heading: string, index: number): string {
	const page = readFileSync(join(REPOSITORY, "docs/ci.md"), "utf8");
	const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
	const found = [...section.matchAll(/^```\w+\n(.*?)^```/gms)][index]?.[1];
	if (found === undefined) throw new Error(`docs/ci.md has no block ${index} below "${heading}"`);
	return found;
}

/** The command lines that a recipe has under this key, each run if the one before did not fail. */
function script(heading: string, key: string, index = 0): string {
	const text = block(heading, index);
	const plain = [...text.matchAll(new RegExp(`^[ -]*${key}: (.+)$`, "gm"))].map(([, line]) => line);
	const list = new RegExp(`^ *${key}:\\n((?: *- .+\\n)+)`, "m").exec(text)?.[1] ?? "";
	const lines = [...plain, ...[...list.matchAll(/^ *- (.+)$/gm)].map(([, line]) => line)];
	if (lines.length === 0) throw new Error(`the recipe "${heading}" has no ${key}`);
	return lines.join(" && ");
}
