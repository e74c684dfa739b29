import { chmodSync, existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";
import { pyrights } from "./pyrights.ts";

const importers = Object.fromEntries(
	Array.from({ length: 8 }, (_, i) => [`user_${i}.py`, "from a import f\n\nn: int = f()\n"]),
);

for (const { id, program, disable } of pyrights)
	describe.skipIf(!isThere(program))(`${id}: the project's environment and the use of its interpreter:`, () => {
		const files = {
			".pi-lsp.json": JSON.stringify({ disable }),
			"pyproject.toml": "[project]\nname = 'x'\n",
			"a.py": "import thing\n\nn: int = thing.x\n",
		};

		test("the packages of an untrusted project are found and its interpreter is not run", () =>
			withWorkspace(files, async (ws) => {
				const ran = environment(ws, ws.path(".venv"));
				expect(await found(ws, id)).toEqual([]);
				expect(existsSync(ran)).toBe(false);
				expect(await found(ws, id, { PI_LSP_TRUST: "1" })).toEqual([]);
				expect(existsSync(ran)).toBe(true);
			}));

		test("a file whose import has changed is not reported as unchanged", () =>
			withWorkspace({ ...files, "a.py": "", "pyproject.toml": "", ...importers }, async (ws) => {
				const names = Object.keys(importers);
				for (let round = 0; round < 6; round++) {
					const wrong = round % 2 === 0;
					ws.write("a.py", `def f() -> ${wrong ? "str" : "int"}:\n    return ${wrong ? '""' : "1"}\n`);
					const env = withServers(ws.env);
					const { stdout } = await ws.cli(["check", "a.py", ...names, "--json", "--timeout", "60000"], { env });
					const report = JSON.parse(stdout) as CheckReport;
					const failing = report.files.filter(({ diagnostics }) => diagnostics.length > 0).map(({ path }) => path);
					expect(failing, `round ${round}`).toEqual(wrong ? names : []);
				}
			}));

		test("a bare .venv/bin/python of an untrusted project is not run either", () =>
			withWorkspace(files, async (ws) => {
				const ran = interpreter(ws, ws.path(".venv"));
				expect(await found(ws, id)).toEqual(["reportMissingImports"]);
				expect(existsSync(ran)).toBe(false);
			}));

		test("an environment that is added, a package that is removed and a removed environment count in a trusted project", () =>
			withWorkspace(files, async (ws) => {
				const ask = () => found(ws, id, { PI_LSP_TRUST: "1" });
				expect(await ask()).toEqual(["reportMissingImports"]);
				environment(ws, ws.path(".venv"));
				expect(await ask()).toEqual([]);
				rmSync(ws.path(".venv/lib/python3.12/site-packages/thing"), { recursive: true });
				expect(await ask()).toEqual(["reportMissingImports"]);
				environment(ws, ws.path(".venv"));
				expect(await ask()).toEqual([]);
				rmSync(ws.path(".venv"), { recursive: true });
				expect(await ask()).toEqual(["reportMissingImports"]);
			}));

		test("an activated environment outside of the workspace is the user's own, and inside it the repository's", () =>
			withWorkspace(files, async (ws) => {
				const outside = `${ws.base}/env`;
				const inside = ws.path("tools/env");
				const ran = { outside: environment(ws, outside), inside: environment(ws, inside) };
				expect(await found(ws, id, { VIRTUAL_ENV: outside })).toEqual([]);
				expect(existsSync(ran.outside)).toBe(true);
				await ws.cli(["restart"]);
				expect(await found(ws, id, { VIRTUAL_ENV: inside })).toEqual([]);
				expect(existsSync(ran.inside)).toBe(false);
			}));
	});

/** Makes an environment that holds the package `thing`. Returns the file that its interpreter leaves when it is run. */
function environment(ws: Workspace, directory: string): string {
	write(ws, `${directory}/pyvenv.cfg`, "home = /usr/bin\n");
	write(ws, `${directory}/lib/python3.12/site-packages/thing/__init__.py`, "x: int = 1\n");
	return interpreter(ws, directory);
}

function interpreter(ws: Workspace, directory: string): string {
	const mark = `${directory}.ran`;
	const path = `{"path": ["${directory}/lib/python3.12/site-packages"], "prefix": "${directory}"}`;
	write(ws, `${directory}/bin/python`, `#!/bin/sh\ntouch '${mark}'\necho '${path}'\n`);
	chmodSync(`${directory}/bin/python`, 0o755);
	return mark;
}

function write(ws: Workspace, path: string, text: string): void {
	ws.write(
		path.startsWith(`${ws.root}/`) ? path.slice(ws.root.length + 1) : `../${path.slice(ws.base.length + 1)}`,
		text,
	);
}

/** The codes of the errors in `a.py`. */
async function found(ws: Workspace, server: string, more: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
	// In a sandbox the interpreter could not leave its mark.
	const env = { ...withServers(ws.env), PI_LSP_SANDBOX: "off", ...more };
	const { stdout } = await ws.cli(["check", "a.py", "--json", "--timeout", "40000"], { env });
	const { files, servers } = JSON.parse(stdout) as CheckReport;
	expect(servers).toMatchObject([{ id: server, state: "fresh" }]);
	return (files[0]?.diagnostics ?? []).map(({ code }) => code);
}

test.skipIf(!isThere("pyright-langserver"))(
	"pyright's message of several lines is reported on one, with all its words",
	() =>
		withWorkspace(
			{
				"pyproject.toml": "[project]\nname = 'x'\n",
				"a.py": "def f(a: dict[str, int]) -> None: ...\n\nb: dict[str, list[int]] = {}\nf(b)\n",
			},
			async (ws) => {
				const env = withServers(ws.env);
				const check = ["check", "a.py", "--timeout", "60000"];
				const { files } = JSON.parse((await ws.cli([...check, "--json"], { env })).stdout) as CheckReport;
				const messages = files.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message.split("\n")));
				expect(messages.map((lines) => lines.length)).toEqual([expect.any(Number)]);
				const [lines = []] = messages;
				expect(lines.length).toBeGreaterThan(2);
				const { stdout } = await ws.cli(check, { env });
				const message = lines.map((line) => line.trim()).join(" ");
				expect(stdout.split("\n").filter((line) => line.startsWith("ERROR"))).toEqual([
					`ERROR [4:3] ${message} (reportArgumentType)`,
				]);
			},
		),
);

test.skipIf(!isThere("pyright-langserver"))("a docstring that pyright indents with `&nbsp;` is read with spaces", () =>
	withWorkspace(
		{
			"pyproject.toml": "[project]\nname = 'x'\n",
			"a.py":
				'def f() -> int:\n    """Counts.\n\n    Args:\n        deep: more\n            and deeper\n    """\n    return 1\n',
		},
		async (ws) => {
			const { stdout } = await ws.cli(["hover", "a.py", "f"], { env: withServers(ws.env) });
			expect(stdout).toContain("and deeper");
			expect(stdout).not.toContain("nbsp");
		},
	),
);
