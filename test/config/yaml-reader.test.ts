import { expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { readYaml } from "../../src/config/yaml-reader.ts";
import { withTree } from "./tree.ts";

test("the forms of configuration files are read, also with the keys of other tools in them", () => {
	const { value, lineOf } = readYaml(`# for all
other: &anchor {not: [read, "here"
lsp: # ours
  idle_timeout_seconds: 600
  disabled_languages: []
  server_paths:
    rust-analyzer: "/custom/a#b"   # a comment
    its: 'it''s'
  servers:
  - id: mine
    command: [mine-ls, "--stdio", '-v',]
    extensions:
      - .foo
      - "bar"
  -
    id: other
  on: true
  text: a:b
  nothing:
more:
  - x
`);
	expect(value).toEqual({
		lsp: {
			idle_timeout_seconds: 600,
			disabled_languages: [],
			server_paths: { "rust-analyzer": "/custom/a#b", its: "it's" },
			servers: [{ id: "mine", command: ["mine-ls", "--stdio", "-v"], extensions: [".foo", "bar"] }, { id: "other" }],
			on: true,
			text: "a:b",
			nothing: null,
		},
	});
	expect(lineOf(["lsp", "servers", 0, "extensions", 1])).toBe(14);
	expect(lineOf(["lsp", "server_paths", "gone"])).toBe(6);
});

test.each([
	["lsp:\n  a: {b: 1}\n", 2],
	["lsp:\n  a: *b\n", 2],
	["lsp:\n  a: |\n    text\n", 2],
	["lsp:\n  a: 1\n    b: 2\n", 3],
	["lsp:\n  just a text\n", 2],
	["lsp:\n  a: [1,\n    2]\n", 2],
	[`lsp:\n${Array.from({ length: 60 }, (_, depth) => `${" ".repeat(depth + 1)}a:\n`).join("")}`, 52],
])("an unsupported form is a mistake at its line: %j", (text, line) => {
	expect(() => readYaml(text)).toThrow(expect.objectContaining({ name: "JsonMistake", line }));
});

test("swissarmyhammer's own file counts if there is no .pi-lsp.json next to it, and a mistake in it is reported with its field", () =>
	withTree(["ws/"], async (tree) => {
		const read = () =>
			readSettings(tree.path("ws"), { env: { XDG_CONFIG_HOME: tree.path("config") }, withoutTrust: true });
		tree.write("ws/.git/HEAD", "");
		const file = tree.write(
			"ws/.swissarmyhammer/config.yaml",
			"lsp:\n  disabled_languages: [python]\n  languages:\n    go:\n      command: gopls\n      extensions: [.go]\n      root_markers: [go.mod]\n  severity: loud\n",
		);
		const settings = await read();
		expect(settings.disabledLanguages).toEqual(["python"]);
		expect(settings.problems).toEqual([expect.stringMatching(/config\.yaml:8: "lsp\.severity" must be /)]);
		expect(settings.problems[0]).toContain(file);
		tree.write("ws/.pi-lsp.json", "{}");
		expect((await read()).disabledLanguages).toEqual([]);
	}));
