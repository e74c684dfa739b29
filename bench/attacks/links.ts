import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Attack, put, type Target } from "../../test/live/attacks.ts";
import type { Files } from "../../test/support/workspace.ts";

/** Links a name in the tree to a file or directory in the user's home that does not exist. */
function link({ ws }: Target, name: string, kind: "file" | "dir"): void {
	const planted = join(ws.base, "home/planted");
	mkdirSync(dirname(ws.path(name)), { recursive: true });
	if (kind === "dir") mkdirSync(planted);
	symlinkSync(planted, ws.path(name));
}

interface LinkedName {
	readonly name: string;
	readonly kind: "file" | "dir";
	readonly needs: readonly string[];
	readonly file: string;
	readonly files: Files;
	readonly disable?: readonly string[];
}

const crate: Files = { "Cargo.toml": '[package]\nname = "own"\nversion = "0.1.0"\n', "src/lib.rs": "pub fn f() {}\n" };
const go: Files = { "go.mod": "module ex\n\ngo 1.22\n", "a.go": "package ex\n" };
const c: Files = {
	"a.c": "int main(void) { return 0; }\n",
	"compile_commands.json": '[{ "directory": ".", "file": "a.c", "command": "cc -c a.c" }]',
};
const python: Files = { "a.py": "x: int = 1\n", "ruff.toml": "" };
const rust = ["rust-analyzer", "cargo"];

/** Names that tools write to; each of them is a link here. */
const names: readonly LinkedName[] = [
	{ name: "Cargo.lock", kind: "file", needs: rust, file: "src/lib.rs", files: crate },
	{ name: "target", kind: "dir", needs: rust, file: "src/lib.rs", files: crate },
	{ name: ".cache", kind: "dir", needs: ["clangd"], file: "a.c", files: c },
	{ name: "go.sum", kind: "file", needs: ["gopls", "go"], file: "a.go", files: go },
	{ name: "vendor", kind: "dir", needs: ["gopls", "go"], file: "a.go", files: go },
	{ name: ".ruff_cache", kind: "dir", needs: ["ruff"], file: "a.py", files: python },
	{ name: ".mypy_cache", kind: "dir", needs: ["pyright-langserver"], file: "a.py", files: python },
	{
		name: "deno.lock",
		kind: "file",
		needs: ["deno"],
		file: "a.ts",
		files: { "deno.json": "{}", "a.ts": "export {};\n" },
	},
	{
		name: "node_modules",
		kind: "dir",
		needs: ["deno"],
		file: "a.ts",
		files: { "deno.json": '{ "nodeModulesDir": "auto" }', "a.ts": 'import "npm:left-pad@1.3.0";\n' },
	},
	{ name: ".terraform", kind: "dir", needs: ["terraform-ls"], file: "main.tf", files: { "main.tf": "locals {}\n" } },
	{
		name: "a.tsbuildinfo",
		kind: "file",
		needs: [],
		file: "a.ts",
		files: {
			"tsconfig.json":
				'{ "compilerOptions": { "incremental": true, "composite": true, "tsBuildInfoFile": "a.tsbuildinfo", "outDir": "." } }',
			"a.ts": "export {};\n",
		},
	},
	{
		name: ".jedi",
		kind: "dir",
		needs: ["jedi-language-server"],
		file: "a.py",
		files: python,
		disable: ["pyright", "basedpyright", "ty", "pyrefly", "pylsp"],
	},
];

export const linkAttacks: readonly Attack[] = names.map(({ name, kind, needs, file, files, disable }) => ({
	title: `${name}, a link to where its ${needs.at(-1) ?? "compiler"} may not write`,
	needs,
	file,
	...(disable ? { disable } : {}),
	lay: (target) => {
		put(target, files);
		link(target, name, kind);
	},
}));
