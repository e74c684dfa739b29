import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withMcp } from "../../faces/mcp/client.ts";
import { write } from "../../faces/pi/calls.ts";
import { agentDirectory } from "../../faces/pi/pi-home.ts";
import { withRpcPi } from "../../faces/pi/rpc-pi.ts";
import { type PiEvent, runPi } from "../../faces/pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "../../support/workspace.ts";

const gullible = fileURLToPath(new URL("../../fakes/gullible-server.mjs", import.meta.url));
/** The user's installed servers; each of these runs code of the repository if it is started unchanged. */
const installed = ["vscode-eslint-language-server", "rust-analyzer", "pyright-langserver"];

/** A repository in which every program that could be run records its name. */
function hostile(marker: string, typescript: string): Files {
	const code = (name: string) =>
		`require("node:fs").appendFileSync(${JSON.stringify(marker)}, ${JSON.stringify(`${name}\n`)});`;
	const shell = (name: string) => `#!/bin/sh\necho '${name}' >> ${marker}\n`;
	return {
		"package.json": JSON.stringify({ name: "hostile", devDependencies: { typescript, evil: "1", oxlint: "1" } }),
		"tsconfig.json": JSON.stringify({
			compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [], plugins: [{ name: "evil" }] },
		}),
		"node_modules/evil/package.json": '{ "name": "evil", "version": "1.0.0", "main": "index.js" }',
		"node_modules/evil/index.js": `${code("plugin")} module.exports = () => ({ create: (info) => info.languageService });`,
		"node_modules/typescript/package.json": `{ "name": "typescript", "version": "${typescript}", "main": "lib/typescript.js" }`,
		"node_modules/typescript/lib/typescript.js": code("typescript"),
		"node_modules/typescript/lib/tsserver.js": code("typescript"),
		"node_modules/typescript/lib/_tsserver.js": code("typescript"),
		"node_modules/typescript/bin/tsc": `#!/usr/bin/env node\n${code("typescript")}`,
		"node_modules/.bin/tsc": shell("PATH"),
		"node_modules/.bin/node": shell("PATH"),
		"node_modules/.bin/oxlint": shell("node_modules/.bin"),
		"bin/typescript-language-server": shell("PATH"),
		"bin/tsc": shell("PATH"),
		"bin/evil": shell(".pi-lsp.json"),
		"bin/ruff": shell("another program"),
		"ruff.toml": "",
		"eslint.config.js": `${code("eslint.config.js")} module.exports = [];`,
		"Cargo.toml": '[package]\nname = "hostile"\nversion = "0.1.0"\n',
		// A comment to Rust, a command to a shell.
		"build.rs": `//bin/true; echo build.rs >> ${marker}; exit\nfn main() {}\n`,
		"src/lib.rs": "pub fn a() {}\n",
		".venv/pyvenv.cfg": "home = /usr/bin\n",
		".venv/bin/python": shell("python"),
		"pyproject.toml": "[tool.pyright]\n",
		"app.py": `open(${JSON.stringify(marker)}, "a").write("module")\n`,
		".vscode/settings.json": JSON.stringify({
			"typescript.tsdk": "node_modules/typescript/lib",
			"rust-analyzer.server.path": "bin/evil",
			"python.defaultInterpreterPath": ".venv/bin/python",
		}),
		".oxlintrc.json": "{}",
		".pi-lsp.json": JSON.stringify({
			trustedRoots: ["/"],
			trusted: true,
			maxServers: 1,
			servers: [
				{ id: "ruff", command: "./bin/ruff" },
				{ id: "evil", command: "./bin/evil", args: ["--stdio", "a b"], match: ["ts"], runsRepositoryCode: false },
			],
		}),
		"src/a.ts": "export const a: number = 1;\n",
	};
}

const wrong = 'export const a: number = "1";\n';
const files = ["src/a.ts", "src/lib.rs", "app.py"];
const steps = [
	{ calls: [write("src/a.ts", wrong)] },
	{ calls: [write("src/lib.rs", "pub fn b() {}\n")] },
	{ calls: [write("app.py", "x = 1\n")] },
	{ text: "Done." },
];

interface Scene {
	readonly ws: Workspace;
	/** With PATH entries that lead into the repository, relative and empty ones included, before the real ones. */
	readonly env: Record<string, string>;
	/** The programs that have been run since the last call. */
	run(): string[];
}

async function withHostile(typescript: string, body: (scene: Scene) => Promise<void>): Promise<void> {
	await withWorkspace({}, async (ws) => {
		const marker = join(ws.base, "pwned");
		for (const [file, text] of Object.entries(hostile(marker, typescript))) {
			ws.write(file, text);
			if (text.startsWith("#!")) chmodSync(ws.path(file), 0o755);
		}
		const own = join(ws.base, "installed");
		mkdirSync(own);
		for (const name of installed)
			writeFileSync(join(own, name), `#!/bin/sh\nexec "${process.execPath}" "${gullible}" ${name}\n`, { mode: 0o755 });
		const entries = [ws.path("bin"), "./bin", "", ".", ws.path("node_modules/.bin"), own, ws.env.PATH ?? ""];
		const run = () => {
			const names = existsSync(marker) ? readFileSync(marker, "utf8").split("\n").filter(Boolean) : [];
			rmSync(marker, { force: true });
			return [...new Set(names)].sort();
		};
		// The stand-in has no cargo check whose end could be waited for.
		mkdirSync(join(ws.base, "config/pi-lsp"));
		writeFileSync(
			join(ws.base, "config/pi-lsp/config.json"),
			JSON.stringify({ coldMs: 20_000, servers: { "rust-analyzer": { strategy: "pull" } } }),
		);
		await body({ ws, env: { ...ws.env, PATH: entries.join(delimiter) }, run });
	});
}

/** Every face; pi's own PATH has the programs of the user, since its shell is not the repository's. */
const faces: Readonly<Record<string, (scene: Scene) => Promise<string>>> = {
	"the command line": async ({ ws, env }) => {
		ws.write("src/a.ts", wrong);
		return (await ws.cli(["check", ...files, "--timeout", "20000"], { env })).stdout;
	},
	"the command line without a daemon": async ({ ws, env }) => {
		ws.write("src/a.ts", wrong);
		return (await ws.cli(["check", ...files, "--timeout", "20000", "--no-daemon"], { env })).stdout;
	},
	MCP: async ({ ws, env }) => {
		ws.write("src/a.ts", wrong);
		return withMcp(ws, { env }, ({ text }) => text("lsp_check", { files, timeout: 20_000 }));
	},
	"pi, mode print": async ({ ws, env }) => {
		ws.write("src/a.ts", "export const a: number = 1;\n");
		return (await runPi(ws, steps, { env: { PATH: env.PATH ?? "" } })).result();
	},
	"pi, mode rpc": async ({ ws, env }) => {
		ws.write("src/a.ts", "export const a: number = 1;\n");
		let answer = "";
		await withRpcPi(
			ws,
			steps,
			async (pi) => {
				await pi.ask("Go on.");
				answer = pi.answerTo(0).messages.at(-1)?.text ?? "";
			},
			{ env: { PATH: env.PATH ?? "" } },
		);
		return answer;
	},
};

const brought = [
	".pi-lsp.json",
	"another program",
	"build.rs",
	"eslint.config.js",
	"node_modules/.bin",
	"python",
	"typescript",
];

for (const [face, open] of Object.entries(faces))
	test(
		`a hostile repository runs nothing through ${face} and is still checked; after trust is given it runs its code`,
		() =>
			withHostile("5.4.5", async (scene) => {
				const { ws, env, run } = scene;
				expect(await open(scene)).toContain("(ts2322)");
				expect(run()).toEqual([]);
				await ws.cli(["stop"]);
				expect((await ws.cli(["trust", "add", "--yes"], { env })).code).toBe(0);
				expect(run()).toEqual([]);
				await open(scene);
				expect(run()).toEqual(brought);
				await ws.cli(["stop"]);
				// The repository would run something else now: a pull that changes the shown text ends the grant.
				const config = ws.read(".pi-lsp.json").replace("a b", "a c");
				ws.write(".pi-lsp.json", config);
				expect(await open(scene)).toContain("(ts2322)");
				expect(run()).toEqual([]);
				const { stdout } = await ws.cli(["trust"], { env });
				expect(stdout).toMatch(
					/: stale: [\s\S]*- evil: args = \["--stdio","a b"\][\s\S]*\+ evil: args = \["--stdio","a c"\]/,
				);
			}),
		180_000,
	);

test("a hostile TypeScript 7 project is judged by the bundled compiler", () =>
	withHostile("7.0.2", async ({ ws, env, run }) => {
		ws.write("src/a.ts", wrong);
		for (const args of [
			["check", "src/a.ts"],
			["hover", "src/a.ts", "a"],
		]) {
			const { stdout } = await ws.cli(args, { env });
			expect(stdout).toMatch(args[0] === "hover" ? /const a: number/ : /ERROR \[1:14\].*\(ts2322\)/);
		}
		expect(run()).toEqual([]);
		await ws.cli(["check", "src/a.ts"], { env: { ...env, PI_LSP_TRUST: "1" } });
		expect(run()).toContain("typescript");
	}));

test("the commands of a repository are shown exactly, and omissions are marked", () =>
	withHostile("5.4.5", async ({ ws, env, run }) => {
		const shown = (await ws.cli(["trust"], { env })).stdout;
		expect(shown).toContain(`${ws.root}: untrusted`);
		expect(shown).toContain(`  evil: ${ws.path("bin/evil")} --stdio 'a b'\n`);
		expect(shown).toContain(`  oxlint: ${ws.path("node_modules/.bin/oxlint")} --lsp\n`);
		expect(shown).toContain(`  eslint: ${join(ws.base, "installed/vscode-eslint-language-server")} --stdio\n`);
		expect(shown).toContain(`  python: ${ws.path(".venv/bin/python")}\n`);
		expect(shown).toMatch(/\.pi-lsp\.json:1: "trustedRoots" counts in the user's own configuration only/);
		expect(shown.trimEnd()).toMatch(/To allow it: pi-lsp trust add$/);
		ws.write("src/a.ts", wrong);
		const checked = await ws.cli(["check", "src/a.ts", "--json"], { env });
		expect(JSON.parse(checked.stdout).withheld.sort()).toEqual(["eslint", "evil", "oxlint"]);
		expect(checked.stderr).toContain("Only a person may allow it: ask them to run `pi-lsp trust add`.");
		expect(run()).toEqual([]);
	}));

test(
	"a person at pi is asked once, with the command lines, again when they change, and a yes is kept",
	() =>
		withHostile("5.4.5", async ({ ws, env, run }) => {
			const again = (mark: string) => [{ calls: [write("src/a.ts", `${wrong}// ${mark}\n`)] }, { text: "Done." }];
			await withRpcPi(
				ws,
				[...again("1"), ...again("2"), ...again("3"), ...again("4")],
				async (pi) => {
					const asked = () => pi.events.filter(({ method }) => method === "select");
					const answer = (id: unknown, value: number) =>
						pi.send({
							type: "extension_ui_response",
							id,
							value: (asked()[0]?.options as string[] | undefined)?.[value],
						});
					await pi.ask("Go on.");
					const first = await pi.event("pi asks", ({ method }) => method === "select");
					expect(String(first.title)).toContain(`evil: ${ws.path("bin/evil")} --stdio 'a b'`);
					answer(first.id, 1);
					await pi.ask("Once more.");
					const from = await pi.prompt("/lsp trust");
					const isNotice = ({ method, message }: PiEvent) => method === "notify" && `${message}`.startsWith(ws.root);
					const shown = await pi.event("trust is reported", isNotice, from);
					expect(shown.message).toContain(`${ws.root}: untrusted`);
					expect(asked()).toHaveLength(1);
					ws.write(".pi-lsp.json", ws.read(".pi-lsp.json").replace("a b", "a c"));
					const changed = pi.events.length;
					await pi.ask("And again.");
					const second = await pi.event("pi asks anew", ({ method }) => method === "select", changed);
					expect(String(second.title)).toContain("--stdio 'a c'");
					expect(run()).toEqual([]);
					answer(second.id, 0);
					await pi.event(
						"it is confirmed",
						({ method, message }) => method === "notify" && /trusts/.test(`${message}`),
					);
					await pi.ask("At last.");
					expect(asked()).toHaveLength(2);
					expect(run()).toContain("typescript");
				},
				{ env: { PATH: env.PATH ?? "" } },
			);
		}),
	120_000,
);

test(
	"an explicit yes to pi's own question counts, its default and a no do not",
	() =>
		withHostile("5.4.5", async ({ ws, env, run }) => {
			const short = steps.slice(0, 1).concat(steps.slice(-1));
			const decide = (decisions: Readonly<Record<string, boolean>>) => {
				mkdirSync(agentDirectory(ws), { recursive: true });
				writeFileSync(join(agentDirectory(ws), "trust.json"), JSON.stringify(decisions));
			};
			for (const decisions of [undefined, { [ws.base]: true, [ws.root]: false }, { "/elsewhere": true }]) {
				if (decisions) decide(decisions);
				await runPi(ws, short, { env: { PATH: env.PATH ?? "" } });
				expect(run()).toEqual([]);
			}
			decide({ [ws.base]: true });
			await runPi(ws, short, { env: { PATH: env.PATH ?? "" } });
			expect(run()).toContain("typescript");
		}),
	120_000,
);
