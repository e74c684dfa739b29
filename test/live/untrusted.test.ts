import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

/** The report of a check of a file in an untrusted repository. */
async function checked(ws: Workspace, file: string, more: Readonly<Record<string, string>> = {}): Promise<CheckReport> {
	const env = { ...withServers(ws.env), ...more };
	const { stdout } = await ws.cli(["check", file, "--json", "--severity", "warning", "--timeout", "40000"], { env });
	return JSON.parse(stdout) as CheckReport;
}

/** A program that records its name wherever it is run, and the path of the record. */
function trap(ws: Workspace, file: string): { readonly path: string; readonly ran: () => boolean } {
	const mark = join(ws.base, "ran");
	ws.write(file, `#!/bin/sh\necho ran >> '${mark}'\nexec rustc "$@"\n`);
	chmodSync(ws.path(file), 0o755);
	return { path: ws.path(file), ran: () => existsSync(mark) };
}

const rustThere = isThere("rust-analyzer") && isThere("cargo");

describe.skipIf(!rustThere)("rust-analyzer runs no compiler that an untrusted repository names", () => {
	const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
	const crate: Files = {
		"crate/Cargo.toml": '[package]\nname = "own"\nversion = "0.1.0"\nedition = "2021"\n',
		"crate/src/lib.rs": "pub fn f() -> i32 {\n    1\n}\n",
	};
	const config = (program: string) => `[build]\nrustc = "${program}"\n`;

	test("next to its own file, when its configuration moves the root", () =>
		withWorkspace({ "src/main.rs": "fn main() {}\n", ...crate }, async (ws) => {
			const { path, ran } = trap(ws, "evil.sh");
			ws.write("crate/.cargo/config.toml", config(path));
			ws.write(
				".pi-lsp.json",
				JSON.stringify({ servers: { "rust-analyzer": { rootMarkers: ["src"], looseFiles: true } } }),
			);
			const report = await checked(ws, "src/main.rs", { RUSTUP_HOME });
			expect(report.files).toMatchObject([{ state: "unavailable" }]);
			expect(ran()).toBe(false);
		}));

	test("above the workspace, in a submodule", () =>
		withWorkspace({ ...crate, "crate/.git": "gitdir: ../.git/modules/crate\n" }, async (ws) => {
			const { path, ran } = trap(ws, "evil.sh");
			ws.write(".cargo/config.toml", config(path));
			const env = { ...withServers(ws.env), RUSTUP_HOME };
			const { stdout, code } = await ws.cli(["check", "src/lib.rs"], { cwd: ws.path("crate"), env });
			expect(stdout).toContain("rust-analyzer runs what the repository brings");
			expect(code).toBe(3);
			expect(ran()).toBe(false);
		}));

	test("while it runs, when a checkout brings it", () =>
		withWorkspace(crate, async (ws) => {
			const { path, ran } = trap(ws, "evil.sh");
			expect((await checked(ws, "crate/src/lib.rs", { RUSTUP_HOME })).servers).toMatchObject([
				{ id: "rust-analyzer", state: "untrusted", version: expect.any(String) },
			]);
			ws.write("crate/.cargo/config.toml", config(path));
			ws.write("crate/Cargo.toml", `${ws.read("crate/Cargo.toml")}\n[dependencies]\n`);
			expect((await checked(ws, "crate/src/lib.rs", { RUSTUP_HOME })).files).toMatchObject([
				{ state: "untrusted", reason: expect.stringContaining("not trusted") },
			]);
			await until("the server is gone", async () => {
				const { stdout } = await ws.cli(["status", "--json"]);
				return /"state": ?"active"/.test(stdout) ? notYet(stdout) : met(undefined);
			});
			expect(ran()).toBe(false);
		}));
});

describe.skipIf(!isThere("clangd"))("clangd with an untrusted compile database", () => {
	const source = '#include "own.h"\nint main(void) { return OWN + FROM_FLAGS; }\n';
	const entry = (more: string) =>
		`[{ "directory": ".", "file": "a.c", "command": "cc -Iinc -DFROM_FLAGS=1 ${more} a.c" }]`;

	test("writes nothing that the flags name", () =>
		withWorkspace({ "a.c": '#line 1 "x\\nattacker\\n"\n#warning hi\nint main(void) { return 0; }\n' }, async (ws) => {
			const out = join(ws.base, "out");
			const flags = ["-Xclang", "-diagnostic-log-file", "-Xclang", out, "-fmodules", `-fmodules-cache-path=${out}.d`];
			const command = ["cc", ...flags, "--serialize-diagnostics", `${out}.dia`, "-MD", "-MF", `${out}.mf`, "a.c"];
			ws.write("compile_commands.json", JSON.stringify([{ directory: ws.root, file: "a.c", arguments: command }]));
			expect((await checked(ws, "a.c")).servers).toMatchObject([{ id: "clangd", state: "fresh" }]);
			ws.write("compile_commands.json", "[]");
			ws.write("compile_flags.txt", flags.join("\n"));
			expect((await checked(ws, "a.c")).servers).toMatchObject([{ id: "clangd", state: "fresh" }]);
			for (const end of ["", ".d", ".dia", ".mf"]) expect(existsSync(out + end)).toBe(false);
		}));

	test("uses include paths and macros, whose changes count in the next check", () =>
		withWorkspace({ "a.c": source, "inc/own.h": "#define OWN 1\n" }, async (ws) => {
			const found = async () => (await checked(ws, "a.c")).files[0]?.diagnostics.map(({ message }) => message) ?? [];
			expect(await found()).toContainEqual(expect.stringContaining("'own.h' file not found"));
			ws.write("build/compile_commands.json", entry("").replace('"."', '".."'));
			expect(await found()).toEqual([]);
			ws.write("build/compile_commands.json", entry("-UFROM_FLAGS").replace('"."', '".."'));
			expect(await found()).toEqual([expect.stringContaining("FROM_FLAGS")]);
			rmSync(ws.path("build/compile_commands.json"));
			ws.write("compile_flags.txt", "-Iinc\n-DFROM_FLAGS=2\n");
			expect(await found()).toEqual([]);
		}));
});

describe.skipIf(!isThere("pyrefly") || !isThere("pyright-langserver"))("An untrusted Python project", () => {
	const wrong = 'x: int = ""\n';

	test.each<[string, (path: string) => Files]>([
		["the interpreter of its configuration", (path) => ({ "pyrefly.toml": `python-interpreter-path = "${path}"\n` })],
		["a module next to its configuration", () => ({ "pyrefly.toml": "" })],
		["the interpreter of its .venv", () => ({ "pyrefly.toml": "", ".venv/pyvenv.cfg": "home = /usr/bin\n" })],
	])("has pyrefly run nothing: not %s", (_, files) =>
		withWorkspace({ "a.py": wrong, ".venv/bin/.keep": "" }, async (ws) => {
			const { path, ran } = trap(ws, ".venv/bin/python");
			for (const [name, text] of Object.entries(files(path))) ws.write(name, text);
			ws.write("re.py", `open("${join(ws.base, "ran")}", "w")\n`);
			expect((await checked(ws, "a.py")).servers).toMatchObject([{ id: "pyright", state: "fresh" }]);
			expect(ran()).toBe(false);
		}),
	);

	test.skipIf(!isThere("jedi-language-server"))("has jedi run no interpreter, even of an activated environment", () =>
		withWorkspace({ "a.py": "import os\nos.path\n", ".venv/pyvenv.cfg": "home = /usr/bin\n" }, async (ws) => {
			const { ran } = trap(ws, ".venv/bin/python");
			ws.write("../config/pi-lsp/config.json", '{ "disable": ["pyright", "basedpyright", "ty", "pyrefly", "pylsp"] }');
			const env = { ...withServers(ws.env), VIRTUAL_ENV: ws.path(".venv") };
			const { stdout } = await ws.cli(["hover", "a.py", "2:5"], { env });
			expect(stdout).toContain("path");
			expect(ran()).toBe(false);
		}),
	);

	test.skipIf(!isThere("jedi-language-server"))(
		"is not clean just because its own file switches off all type checkers",
		() =>
			withWorkspace({ "a.py": wrong }, async (ws) => {
				const servers = { html: { match: ["py"] }, pyright: { match: ["x"] }, ty: { role: "linter" } };
				ws.write(
					".pi-lsp.json",
					JSON.stringify({ disable: ["pyright", "basedpyright", "ty", "pyrefly", "pylsp"], servers }),
				);
				const { stdout, code } = await ws.cli(["check", "a.py"], { env: withServers(ws.env) });
				expect(code).toBe(3);
				expect(stdout).toContain(
					"(pyright, which would judge it, is switched off by a .pi-lsp.json that is not trusted)",
				);
			}),
	);
});

describe.skipIf(!isThere("vscode-json-language-server") || !isThere("yaml-language-server"))(
	"Schemas that an untrusted document names",
	() => {
		/** Runs a test with an HTTP server that counts its requests. */
		async function withWeb(body: (ws: Workspace, url: string, asked: string[]) => Promise<void>): Promise<void> {
			const asked: string[] = [];
			const web = createServer((request, response) => {
				asked.push(request.url ?? "");
				response.end('{ "required": ["fetched"] }');
			});
			await once(web.listen(0, "127.0.0.1"), "listening");
			try {
				const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
				await withWorkspace({ "own.json": '{ "required": ["own"] }' }, (ws) => body(ws, url, asked));
			} finally {
				web.close();
			}
		}
		const json = (schema: string) => JSON.stringify({ $schema: schema, a: 1 });
		const yaml = (schema: string) => `# yaml-language-server: $schema=${schema}\na: 1\n`;

		test("are not fetched by their URL, which is reported; with trust they are", () =>
			withWeb(async (ws, url, asked) => {
				for (const [file, text] of [
					["a.json", json(`${url}/a.json`)],
					["a.yaml", yaml(`${url}/b.json`)],
					["b.yaml", `$schema: ${url}/c.json\na: 1\n`],
				] as const) {
					ws.write(file, text);
					const { files } = await checked(ws, file);
					expect(files).toMatchObject([
						{ state: "untrusted", reason: expect.stringContaining("is not fetched"), diagnostics: [] },
					]);
				}
				expect(asked).toEqual([]);
				const { files } = await checked(ws, "a.json", { PI_LSP_TRUST: "1" });
				expect(files).toMatchObject([{ state: "fresh", diagnostics: [{ message: 'Missing property "fetched".' }] }]);
				expect(asked).toEqual(["/a.json"]);
			}));

		test("are read inside of the workspace, and not outside", () =>
			withWeb(async (ws, _url, asked) => {
				const outside = join(ws.base, "outside.json");
				writeFileSync(outside, '{ "required": ["outside"] }');
				for (const [file, text] of [
					["a.json", json("./own.json")],
					["a.yaml", yaml("own.json")],
				] as const) {
					ws.write(file, text);
					const { files } = await checked(ws, file);
					expect(files).toMatchObject([{ state: "fresh", diagnostics: [{ message: 'Missing property "own".' }] }]);
				}
				for (const [file, text] of [
					["b.json", json(`file://${outside}`)],
					["b.yaml", yaml(`file://${outside}`)],
					["c.yaml", yaml("file:///dev/zero")],
					// A text that had no errors is not shown to the server either once it names a URL.
					["a.yaml", yaml("../outside.json")],
				] as const) {
					ws.write(file, text);
					expect((await checked(ws, file)).files).toMatchObject([{ state: "untrusted", diagnostics: [] }]);
				}
				ws.write("a.yaml", yaml("own.json"));
				expect((await checked(ws, "a.yaml")).files).toMatchObject([{ state: "fresh" }]);
				expect(asked).toEqual([]);
			}));
	},
);

test.skipIf(!isThere("prisma-language-server"))(
	"Prisma's server runs no prisma.config.ts of an untrusted repository",
	() =>
		withWorkspace({ "a.prisma": "model A {\n  id Int @id\n}\n", "package.json": "{}" }, async (ws) => {
			const mark = join(ws.base, "ran");
			ws.write("prisma.config.ts", `require("fs").writeFileSync(${JSON.stringify(mark)}, "");\nexport default {};\n`);
			expect((await checked(ws, "a.prisma")).files).toMatchObject([{ state: "untrusted" }]);
			expect(existsSync(mark)).toBe(false);
			await checked(ws, "a.prisma", { PI_LSP_TRUST: "1" });
			expect(existsSync(mark)).toBe(true);
		}),
);

test.skipIf(!isThere("fortls"))("fortls writes no log through a link of an untrusted repository", () =>
	withWorkspace({ "a.f90": "program a\nend program a\n" }, async (ws) => {
		const kept = join(ws.base, "kept");
		writeFileSync(kept, "mine");
		symlinkSync(kept, ws.path("fortls_debug.log"));
		ws.write(".fortlsrc", '{ "debug_log": true }');
		expect((await checked(ws, "a.f90")).files).toMatchObject([{ state: "untrusted" }]);
		expect(readFileSync(kept, "utf8")).toBe("mine");
	}),
);
