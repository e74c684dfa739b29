import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerable } from "../../src/contract/extension.ts";
import { operations } from "../../src/operations/index.ts";
import { withMcp } from "../faces/mcp/client.ts";
import { REPOSITORY } from "../support/repository.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { EXAMPLE, FILES, installExample, use } from "./example.ts";

const OUTLINE = "module server  1-4\n  property port  2-3\n  property port  3-4";
const hoverAt = ["hover", "a.ini", "--line", "2", "--column", "1"];

/** A package that answers `hover` for INI files with this function, as source. */
function answering(ws: Workspace, name: string, hover: string): string {
	const answers = { hover: { match: [".INI"], timeout: 5 } };
	ws.write(`../${name}/package.json`, JSON.stringify({ name, "pi-lsp": { module: "./answers.mjs", answers } }));
	ws.write(`../${name}/answers.mjs`, `export const answers = { hover: ${hover} };`);
	return ws.path(`../${name}`);
}

describe("an operation that a package answers", () => {
	test("has the outline of the example's files, which its server lacks, at a shell and over MCP", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, ...FILES, "src/a.ts": "export const a = 1;\n" }, async (ws) => {
			use(ws, await installExample(ws));
			expect((await ws.cli(["symbols", "a.ini"])).stdout.trimEnd()).toBe(OUTLINE);
			expect(JSON.parse((await ws.cli(["symbols", "a.ini", "--json"])).stdout).symbols).toMatchObject([
				{ name: "server", line: 1, children: [{ name: "port" }, { name: "port" }] },
			]);
			expect((await ws.cli(["symbols", "src/a.ts"])).stdout).toContain("variable a");
			await withMcp(ws, {}, async ({ client, text }) => {
				expect(await text("lsp_symbols", { file: "a.ini" })).toBe(OUTLINE);
				const { contents } = await client.readResource({ uri: "lsp-symbols:///a.ini" });
				expect(JSON.stringify(contents)).toContain("server");
			});
		}));

	test("is answered by the package's function before the server, with access to the answers of pi-lsp itself", () =>
		withWorkspace(FILES, async (ws) => {
			const source = `async (input, { run }) => ({ text: "mine, and " + (await run("hover", input)).text })`;
			use(ws, answering(ws, "first", source), EXAMPLE);
			expect((await ws.cli(hoverAt)).stdout.trimEnd()).toBe("mine, and `port` of [server]");
		}));

	test("is passed to the next package, and then to the server, if a function answers null", () =>
		withWorkspace(FILES, async (ws) => {
			const onLine = (line: number, text: string) => `(input) => input.line === ${line} ? { text: "${text}" } : null`;
			use(
				ws,
				answering(ws, "one", onLine(1, "one")),
				answering(ws, "two", "(input) => input.line < 3 ? { text: 'two' } : null"),
				EXAMPLE,
			);
			const at = async (line: string) =>
				(await ws.cli(["hover", "a.ini", "--line", line, "--column", "1"])).stdout.trimEnd();
			expect([await at("1"), await at("2"), await at("3")]).toEqual(["one", "two", "`port` of [server]"]);
		}));

	test("fails with a clear error if an answer has another form or the function throws", () =>
		withWorkspace(FILES, async (ws) => {
			const failures = {
				"() => ({ text: 7 })": "hover of the package wrong failed: its answer/text has another form than that of hover",
				"() => 'text'": "has another form than that of hover",
				"() => { throw new Error('no such table') }": "hover of the package wrong failed: no such table",
				"'no function'": `exports no function answers["hover"]`,
			};
			for (const [source, says] of Object.entries(failures)) {
				use(ws, answering(ws, "wrong", source), EXAMPLE);
				const { stderr, code } = await ws.cli(hoverAt);
				expect(stderr, source).toContain(says);
				expect(stderr, source).toMatch(/^LSP_EXTENSION_FAILED: /);
				expect(code, source).toBeGreaterThan(1);
			}
		}));

	test("fails with a clear error if a child of a symbol cannot be shown", () =>
		withWorkspace(FILES, async (ws) => {
			cpSync(EXAMPLE, ws.path("../own"), { recursive: true });
			const wrong = "{ name: 'a', kind: 'b', line: 1, column: 1, endLine: 1, endColumn: 1, nameLine: 1, nameColumn: 1";
			ws.write(
				"../own/tools.js",
				`export const answers = { symbols: () => ({ symbols: [${wrong}, children: [{}] }] }) };`,
			);
			use(ws, ws.path("../own"));
			expect((await ws.cli(["symbols", "a.ini"])).stderr).toMatch(/^LSP_EXTENSION_FAILED: .*cannot be shown/);
		}));

	test("is not requested for a file outside of the workspace, or for a missing file", () =>
		withWorkspace(FILES, async (ws) => {
			use(ws, answering(ws, "first", "() => ({ text: 'asked' })"));
			ws.write("../outside.ini", "");
			expect((await ws.cli(["hover", "../outside.ini", "a"])).stderr).toContain("LSP_OUTSIDE_WORKSPACE");
			expect((await ws.cli(["hover", "none.ini", "a"])).stderr).toContain("LSP_FILE_NOT_FOUND");
			expect((await ws.cli(["hover", "a.ini", "a"])).stdout.trimEnd()).toBe("asked");
		}));

	test("only reads, needs a file, and is named in docs/extending.md", () => {
		const page = readFileSync(join(REPOSITORY, "docs/extending.md"), "utf8");
		const [named = ""] = /^These may be answered: [^.]+\./m.exec(page) ?? [];
		expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(answerable);
		const fitting = operations.filter(({ effect, input }) => effect === "read" && input.required?.includes("file"));
		expect(fitting.map(({ name }) => name)).toEqual(expect.arrayContaining([...answerable]));
	});
});
