import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../support/processes.ts";
import { met, notYet, until } from "../../support/until.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit, write, wrote } from "./calls.ts";
import { hasTmux, type PiScreen, withPiScreen } from "./pi-screen.ts";
import { withRpcPi } from "./rpc-pi.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const hello = greet("you");\n`,
};
const WRONG = `export const a: number = "one";\n`;
const DONE = { text: "Done." };

/** The command is typed until the popup shows it; Enter accepts it, a second Enter sends it. */
async function command(screen: PiScreen, text: string): Promise<void> {
	screen.type(text);
	await screen.shows(new RegExp(`→ ${text.split(/[ /]/).at(-1)} `));
	screen.press("Enter");
	screen.press("Enter");
}

async function prompt(screen: PiScreen, text: string, answer: RegExp): Promise<string> {
	screen.type(text);
	screen.press("Enter");
	return screen.shows(answer);
}

describe.skipIf(!hasTmux())("on pi's own screen (needs tmux)", () => {
	test("a person sees the notice, the footer, a folded row that unfolds, the panel and the completions", () =>
		withWorkspace(PROJECT, (ws) => {
			const references = { name: "lsp_references", arguments: { file: "src/greet.ts", symbol: "greet" } };
			const steps = [{ calls: [write("src/a.ts", WRONG)] }, { calls: [references] }, DONE];
			return withPiScreen(ws, steps, async (screen) => {
				const worked = await prompt(screen, "Go on.", /Done\./);
				expect(worked).toMatch(/Warning: .*src\/a\.ts: 1 error \(1 new\)/);
				expect(worked).toContain("src/a.ts:1:14 Type 'string' is not assignable to type 'number'.");
				expect(worked.trimEnd().split("\n").at(-1)).toMatch(/^lsp: typescript 7\.\d+\.\d+ · 1 error$/);
				expect(worked).toMatch(/lsp_references greet src\/greet\.ts\n *2 references in 1 file \(ctrl\+o to expand\)/);
				expect(worked).not.toContain("export const hello");

				screen.press("C-o");
				await screen.shows(/src\/app\.ts\n.*import \{ greet \}.*\n *3: export const hello = greet\("you"\);/);
				screen.press("C-o");

				screen.type("/lsp ");
				const offered = await screen.shows(/→ status .*\n +doctor .*\n +install .*\n +restart /);
				expect(offered).toContain("What the language servers are doing");
				screen.type("restart ");
				await screen.shows(/→ typescript/);
				screen.press("C-u");
				await command(screen, "/lsp status");
				const panel = await screen.shows(/LSP +daemon pid \d+ · up .*MB with its servers/);
				expect(panel).toMatch(/● typescript 7\.\d+\.\d+ +active +\//);
				expect(panel).toMatch(/ pid \d+ · \d+ MB · up .* · \d+ open · pull/);
			});
		}));

	test("/lsp alone opens a panel of servers, errors and settings that is driven by keys", () =>
		withWorkspace(PROJECT, (ws) =>
			withPiScreen(ws, [{ calls: [write("src/a.ts", WRONG)] }, DONE], async (screen) => {
				await prompt(screen, "Go on.", /Done\./);
				screen.type("/lsp");
				screen.press("Escape");
				screen.press("Enter");
				const panel = await screen.shows(/● typescript 7\.\d+\.\d+ +active[\s\S]*Switch pi-lsp off/);
				expect(panel).toMatch(/This session: Files are checked after each edit; tools: /);
				// The selection moves to the file, which is below the one server.
				screen.press("Down");
				await screen.shows(/→ ✗ src\/a\.ts: 1 error/);
				screen.press("Enter");
				await screen.shows(/src\/a\.ts:1:14 [\s\S]*is not assignable[\s\S]*→ Back/);
				screen.press("Enter");
				await screen.shows(/→ ● typescript/);
				screen.press("Down", "Down");
				await screen.shows(/→ When files are checked/);
				screen.press("Enter");
				await screen.shows(/→ After each edit/);
				screen.press("Down");
				screen.press("Enter");
				await screen.shows(/Files are checked once, at the end of a turn\.[\s\S]*→ Back/);
				screen.press("Enter");
				await screen.shows(/This session: Files are checked once, at the end of a turn; tools/);
				screen.press("Escape");
				await screen.shows(/^(?![\s\S]*Switch pi-lsp off)/);
			}),
		));

	test("an error that is repaired is removed from the footer, and /lsp off removes the footer's line", () =>
		withWorkspace(PROJECT, (ws) => {
			const repair = { calls: [edit("src/a.ts", [`"one"`, "1"])] };
			return withPiScreen(
				ws,
				[{ calls: [write("src/a.ts", WRONG)] }, DONE, repair, { text: "Good." }],
				async (screen) => {
					await prompt(screen, "Go on.", /Done\.[\s\S]*· 1 error\n/);
					await prompt(screen, "Repair it.", /Good\.[\s\S]*lsp: typescript 7\S* · no errors\n/);
					await command(screen, "/lsp off");
					await screen.shows(/pi-lsp is off for this session(?![\s\S]*\nlsp:)/);
				},
			);
		}));

	test("/reload keeps the one daemon, leaves no other process, and the hook works after it", () =>
		withWorkspace(PROJECT, (ws) => {
			const steps = [
				{ calls: [write("src/a.ts", WRONG)] },
				DONE,
				{ calls: [write("src/b.ts", WRONG)] },
				{ text: "Good." },
			];
			return withPiScreen(ws, steps, async (screen) => {
				await prompt(screen, "Go on.", /Done\./);
				const before = background(ws);
				await command(screen, "/reload");
				await screen.shows(/Reloaded/);
				await prompt(screen, "Go on.", /Good\./);
				expect(screen.requests[3]?.messages.at(-1)?.text).toContain(
					"Type 'string' is not assignable to type 'number'.",
				);
				await screen.shows(/src\/b\.ts: 1 error/);
				expect(background(ws)).toEqual(before);
				expect(before).toHaveLength(2);
			});
		}));
});

test("the footer shows that a server starts, and that a file could not be checked", () =>
	withWorkspace({ "go.mod": "module sample\n\ngo 1.22\n", ".pi-lsp.json": `{ "coldMs": 1500 }` }, async (ws) => {
		for (const name of ["go", "gopls"]) {
			ws.write(`../bin/${name}`, "#!/bin/sh\nwhile read -r line; do :; done\n");
			chmodSync(ws.path(`../bin/${name}`), 0o755);
		}
		await withRpcPi(
			ws,
			[{ calls: [write("main.go", "package main\n")] }, DONE],
			async (pi) => {
				await pi.ask("Go on.");
				expect(pi.answerTo(0).messages.at(-1)?.text).toBe(
					`${wrote("main.go", "package main\n")}\n\nNot checked yet: main.go (gopls is still starting); errors come with a later result.`,
				);
				const shown = await until("the footer", () => {
					const texts = pi.events.filter(({ method }) => method === "setStatus").map(({ statusText }) => statusText);
					return texts.length >= 2 ? met(texts) : notYet(JSON.stringify(texts));
				});
				expect(shown).toEqual(["lsp: starting gopls…", "lsp: 1 file not checked"]);
			},
			{ env: { PATH: `${ws.path("../bin")}:${ws.env.PATH}` } },
		);
	}));

test("errors that a person repairs in an editor are removed from the footer, without another edit", () =>
	withWorkspace(PROJECT, (ws) =>
		withRpcPi(ws, [{ calls: [write("src/a.ts", WRONG)] }, DONE], async (pi) => {
			const shows = (words: RegExp) =>
				until(`the footer says ${words}`, () => {
					const texts = pi.events.filter(({ method }) => method === "setStatus").map(({ statusText }) => statusText);
					return words.test(String(texts.at(-1))) ? met(undefined) : notYet(JSON.stringify(texts));
				});
			await pi.ask("Go on.");
			await shows(/1 error$/);
			ws.write("src/a.ts", "export const a: number = 1;\n");
			await shows(/no errors$/);
		}),
	));

/** The other processes that run with pi: the daemon and its servers. */
function background(ws: Workspace): number[] {
	const found = processesOf(ws.runId).filter(({ argv }) =>
		argv.some((word) => word.endsWith("daemon.cjs") || word === "--stdio"),
	);
	return found.map(({ pid }) => pid).sort();
}
