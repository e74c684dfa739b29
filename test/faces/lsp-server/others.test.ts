import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { serversOf } from "../../daemon/daemon.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { withEditors } from "./editor.ts";
import { askedOf, configureFakes } from "./fakes.ts";

const good = "export function price(amount: number): number {\n\treturn amount;\n}\n";
const bad = "export function price(amount: string): string {\n\treturn amount;\n}\n";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/money.ts": good,
	"src/shop.ts": `import { price } from "./money.ts";\nexport const total: number = price(1);\n`,
	"src/other.ts": `import { price } from "./money.ts";\nexport const other: number = price(2);\n`,
};

const noServer = (ws: Workspace) =>
	until("the server is idle", () => (serversOf(ws).length === 0 ? met(true) : notYet("it runs")));

const git = (ws: Workspace, ...args: string[]) =>
	execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: ws.root, stdio: "pipe" });

test(
	"changes by other programs while the servers are idle are reported, in open files and others",
	{ timeout: 120_000 },
	() =>
		withWorkspace(PROJECT, (ws) => {
			const config = join(String(ws.env.XDG_CONFIG_HOME), "pi-lsp/config.json");
			mkdirSync(dirname(config), { recursive: true });
			writeFileSync(config, JSON.stringify({ idleMinutes: 0.5 / 60 }));
			return withEditors(ws, [{}], async (editor) => {
				await editor.open("src/shop.ts");
				await editor.pushed("src/shop.ts", 1);
				for (const [text, codes] of [
					[bad, ["2322", "2345"]],
					[good, []],
				] as const) {
					await noServer(ws);
					ws.write("src/money.ts", text);
					await editor.shows("src/shop.ts", codes);
					await editor.shows("src/other.ts", codes);
				}
			});
		}),
);

test("an open document that another program has written and reverted shows no stale errors", { timeout: 120_000 }, () =>
	withWorkspace(PROJECT, (ws) => {
		const refreshes: number[] = [];
		return withEditors(
			ws,
			[{}, { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }],
			async (editor, pulling) => {
				pulling.connection.onRequest("workspace/diagnostic/refresh", () => {
					refreshes.push(0);
					return null;
				});
				const refreshed = (times: number) =>
					until(`it is to ask again ${times} times`, () =>
						refreshes.length >= times ? met(true) : notYet(`${refreshes.length}`),
					);
				for (const each of [editor, pulling]) await each.open("src/money.ts");
				await editor.pushed("src/money.ts", 1);
				await pulling.ask("textDocument/diagnostic", "src/money.ts");
				for (const wrong of ["amount: string", "amount: boolean"]) {
					ws.write("src/money.ts", good.replace("amount: number", wrong));
					await editor.shows("src/money.ts", ["2322"]);
					await editor.shows("src/shop.ts", ["2345"]);
					await pulling.shows("src/shop.ts", ["2345"]);
					const before = refreshes.length;
					ws.write("src/money.ts", good);
					await editor.shows("src/money.ts", []);
					await editor.shows("src/shop.ts", []);
					await pulling.shows("src/shop.ts", []);
					await refreshed(before + 1);
				}
			},
		);
	}),
);

test("all files of a checkout of 400 are included, also the last ones", { timeout: 180_000 }, () => {
	const many = (text: string) =>
		Object.fromEntries(
			Array.from({ length: 400 }, (_, i) => [
				`src/m${String(i).padStart(3, "0")}.ts`,
				`${text}\nexport const m = ${i};\n`,
			]),
		);
	return withWorkspace({ ...PROJECT, ...many("// one") }, (ws) => {
		git(ws, "init", "-q", "-b", "one");
		git(ws, "add", ".");
		git(ws, "commit", "-qm", "one");
		git(ws, "checkout", "-qb", "two");
		for (const [file, text] of Object.entries(many("// two"))) ws.write(file, text);
		ws.write("src/m399.ts", `export const m: number = "";\n`);
		git(ws, "commit", "-qam", "two");
		git(ws, "checkout", "-q", "one");
		return withEditors(ws, [{}], async (editor) => {
			await editor.open("src/shop.ts");
			await editor.pushed("src/shop.ts", 1);
			// The tree is watched once a change has been reported.
			ws.write("src/money.ts", bad);
			await editor.shows("src/other.ts", ["2322", "2345"]);
			git(ws, "checkout", "-qf", "two");
			await editor.shows("src/m399.ts", ["2322"]);
			await editor.shows("src/other.ts", []);
		});
	});
});

test("changes while the first document is being proven are reported", { timeout: 120_000 }, () =>
	withWorkspace({ "a.zzz": "right\n", "b.zzz": "right\n" }, (ws) => {
		const gate = join(ws.base, "gate");
		const watchers = [{ globPattern: "**/*.zzz" }];
		const registrations = [{ id: "watch", method: "workspace/didChangeWatchedFiles", registerOptions: { watchers } }];
		const on = [
			{ method: "initialized", do: [{ ask: "client/registerCapability", params: { registrations } }] },
			{ method: "textDocument/diagnostic", nth: 1, do: [{ waitFor: gate }, { default: true as const }] },
		];
		configureFakes(ws, { judge: { script: { on } } });
		return withEditors(ws, [{}], async (editor) => {
			await editor.open("a.zzz");
			const asked = (method: string) =>
				until(`the server has ${method}`, () => (askedOf(ws, "judge", method).length > 0 ? met(true) : notYet("no")));
			await asked("textDocument/diagnostic");
			await until("its files are watched", async () => {
				const { stdout } = await ws.cli(["status", "--json"]);
				return stdout.includes(`"state":"ready"`) || /"state": "ready"/.test(stdout) ? met(true) : notYet(stdout);
			});
			ws.write("b.zzz", "WRONG\n");
			await asked("workspace/didChangeWatchedFiles");
			writeFileSync(gate, "");
			expect(await editor.pushed("a.zzz", 1)).toEqual([]);
			await editor.shows("b.zzz", ["wrong"]);
		});
	}),
);
