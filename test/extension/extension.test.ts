import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { withTree } from "../config/tree.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { EXAMPLE, FILES, installExample, TWICE, use } from "./example.ts";

describe("a package that adds a language", () => {
	test("has its server check files and answer queries once the user's configuration names the package", () =>
		withWorkspace(FILES, async (ws) => {
			const before = await ws.cli(["check", "a.ini"]);
			expect(before.code).toBe(3);
			use(ws, await installExample(ws));
			const check = await ws.cli(["check", "a.ini"]);
			expect(check.stdout).toContain("ERROR [3:1] The key port stands twice in [server]. (duplicate-key)");
			expect(check.code).toBe(1);
			expect((await ws.cli(["hover", "a.ini", "--line", "2", "--column", "1"])).stdout).toContain("`port` of [server]");
			ws.write("a.ini", TWICE.replace("port = 2", "host = x"));
			expect((await ws.cli(["check", "a.ini"])).code).toBe(0);
		}));

	test("has its server replace the built-in one of its files, and the caller's own server replaces both", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, ...FILES, "src/a.ts": TWICE }, async (ws) => {
			const folder = ws.path("../own");
			cpSync(EXAMPLE, folder, { recursive: true });
			const manifest = readFileSync(join(EXAMPLE, "package.json"), "utf8");
			writeFileSync(join(folder, "package.json"), manifest.replace('["ini"]', '["ts"]'));
			expect((await ws.cli(["check", "src/a.ts"])).stdout).not.toContain("stands twice");
			use(ws, folder);
			expect((await ws.cli(["check", "src/a.ts"])).stdout).toContain("The key port stands twice in [server].");
			// The same server under another name, which the call itself names.
			const own = { own: { command: ["node", join(folder, "server.js"), "--own"], match: ["ts"] } };
			ws.write("../caller.json", JSON.stringify({ servers: own }));
			const { stdout } = await ws.cli(["check", "src/a.ts", "--json", "--config", ws.path("../caller.json")]);
			expect(JSON.parse(stdout)).toMatchObject({ servers: [{ id: "own" }] });
		}));

	test("cannot be named by a repository", () =>
		withWorkspace(FILES, async (ws) => {
			const extensions = [EXAMPLE];
			ws.write(".pi-lsp.json", JSON.stringify({ graceMs: 20000, extensions }));
			const check = await ws.cli(["check", "a.ini"]);
			expect(check.code).toBe(3);
			expect(check.stdout + check.stderr).not.toContain("stands twice in");
			const settings = await readSettings(ws.root, { env: ws.env, trust: true });
			expect(settings.problems).toEqual([
				expect.stringContaining(`"extensions" counts in the user's own configuration only`),
			]);
			expect(settings.servers.some(({ id }) => id === "ini-keys")).toBe(false);
			expect(settings.extension.tools).toEqual([]);
			expect((await ws.cli(["ini-sections", "a.ini"])).stderr).toContain("LSP_UNKNOWN_OPERATION");
		}));
});

describe("the settings of an extension", () => {
	/** The settings where the user names packages with these fields `pi-lsp`, one after the other. */
	const settingsWith = (...fields: readonly unknown[]) =>
		withTree(["repository/"], async (tree) => {
			const packages = fields.map((field, index) => {
				if (field !== undefined) tree.write(`p${index}/package.json`, JSON.stringify({ "pi-lsp": field }, null, 1));
				return tree.path(`p${index}`);
			});
			tree.write("config/pi-lsp/config.json", JSON.stringify({ extensions: packages }));
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			return { base: tree.base, settings: await readSettings(tree.path("repository"), { env }) };
		});

	const python = (id: string) => ({ servers: { [id]: { command: ["python", "./s.py"], match: ["py"] } } });

	test("put its server before the built-in ones, and that of an earlier package before a later one", async () => {
		const { base, settings } = await settingsWith(python("one"), python("two"));
		const forPython = settings.servers.filter(({ match }) => match.includes("py"));
		expect(forPython.map(({ id }) => id).slice(0, 3)).toEqual(["one", "two", "pyright"]);
		expect(forPython[0]).toMatchObject({ args: [join(base, "p0/s.py")], alternative: "python", namedBy: "extension" });
	});

	test("change a built-in server by an entry of its name, and keep the fields that the entry omits", async () => {
		const { settings } = await settingsWith({ servers: { gopls: { idleMinutes: 60, command: "my-gopls" } } });
		const [gopls] = settings.servers.filter(({ id }) => id === "gopls");
		expect(gopls).toMatchObject({ command: "my-gopls", idleMinutes: 60, match: expect.arrayContaining(["go"]) });
	});

	test("have their mistakes reported with file and line", async () => {
		const { base, settings } = await settingsWith({ mode: "off" }, undefined, "no");
		expect(settings.problems).toEqual([
			`${join(base, "p2/package.json")}:2: "pi-lsp" must be an object with the languages that the package adds`,
			`${join(base, "p1/package.json")}: no such file, though "extensions" names it`,
			`${join(base, "p0/package.json")}:3: "pi-lsp.mode" is not a setting. Did you mean "module"?`,
		]);
		expect(settings.mode).toBe("edit");
	});

	test("require that a tool has a name, a description and a module, and an answer files; an incomplete one is reported and ignored", async () => {
		const words = { title: "A", description: "B." };
		const { base, settings } = await settingsWith({
			tools: {
				hover: words,
				"lsp-hover": words,
				"a-b": words,
				"a-c": { title: "A" },
				"a-d": { ...words, input: { "x-y": {} } },
			},
			resources: { "a-e": { ...words, tool: "a-b" } },
			prompts: { "a-f": { ...words, file: "/etc/passwd" } },
			answers: { rename: { match: ["a"] }, symbol: { match: ["a"] }, hover: {}, symbols: { match: ["a"] } },
		});
		expect(
			settings.problems.map((each) => each.slice(join(base, "p0/package.json:").length).replace(/^\d+: /, "")),
		).toEqual([
			`"pi-lsp.tools.hover" must be called by a language and a name, such as ini-sections`,
			`"pi-lsp.tools.lsp-hover" must be called by a language and a name, such as ini-sections`,
			`"pi-lsp.tools.a-b" needs "module" in "pi-lsp", which carries it out`,
			`"pi-lsp.tools.a-c.description" is missing`,
			`"pi-lsp.tools.a-d.input.x-y" must be called by small letters, digits and _`,
			`"pi-lsp.tools.a-d" needs "module" in "pi-lsp", which carries it out`,
			`"pi-lsp.resources.a-e.tool" must be a reading tool of this package`,
			`"pi-lsp.prompts.a-f.file" must be a file of the package that begins with \`./\`, not "/etc/passwd"`,
			`"pi-lsp.prompts.a-f.file" is missing`,
			`"pi-lsp.answers.rename" is none of the operations that packages may answer.`,
			`"pi-lsp.answers.symbol" is none of the operations that packages may answer. Did you mean "symbols"?`,
			`"pi-lsp.answers.hover" needs "match", "names" or "patterns"`,
			`"pi-lsp.answers.symbols" needs "module" in "pi-lsp", which carries it out`,
		]);
	});

	test("of the package that is named first count if two tools have one name", async () => {
		const tool = (title: string) => ({ module: "./m.js", tools: { "a-b": { title, description: "B." } } });
		const { base, settings } = await settingsWith(tool("first"), tool("second"));
		expect(settings.extension.tools.map(({ title, module }) => [title, module])).toEqual([
			["first", join(base, "p0/m.js")],
		]);
		expect(settings.problems).toEqual([
			`${join(base, "p1/package.json")}: "pi-lsp.tools.a-b" does not count: an earlier package has it`,
		]);
	});
});
