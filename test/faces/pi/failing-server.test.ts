import { chmodSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import { findProgram } from "../../live/languages.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { edit, edited, write, wrote } from "./calls.ts";
import { GO, withGopls } from "./go-programs.ts";
import { runPi } from "./run-pi.ts";

test("a server that fails at every start is reported for one edit of many, and no edit waits for the pause between starts", () =>
	withWorkspace(GO, async (ws) => {
		const text = "package a0\n";
		const edits = Array.from({ length: 12 }, (_, n) => ({ calls: [edit("a.go", [`a${n}`, `a${n + 1}`])] }));
		const starts = "echo start >> ../starts; exit 1";
		const run = await runPi(ws, [{ calls: [write("a.go", text)] }, ...edits, { text: "Done." }], {
			env: withGopls(ws, starts),
		});
		const [own, line] = run.result(0).split("\n\n");
		expect(own).toBe(wrote("a.go", text));
		expect(line).toMatch(/^a\.go was not checked: gopls [^\n]*exited with code 1\.$/);
		for (const n of edits.keys()) expect(run.result(n + 1)).toBe(edited("a.go"));
		expect(ws.read("../starts").trim().split("\n").length).toBeLessThan(6);
	}));

const TEXT = "package a0\n";
const edits = Array.from({ length: 20 }, (_, n) => ({ calls: [edit("a.go", [`a${n}`, `a${n + 1}`])] }));

/** The waits, in milliseconds, of the checks that were not proven in time, from the daemon's log. */
function waits(ws: Workspace): number[] {
	const lines = ws.read("../state/pi-lsp/daemon.log").split("\n").filter(Boolean);
	const events = lines.map((line) => JSON.parse(line) as { event: string; state?: string; ms?: number });
	return events.flatMap(({ event, state, ms }) => (event === "checked" && state === "timed_out" ? (ms ?? 0) : []));
}

test("a server that hangs costs the time limit once in twenty edits", () =>
	withWorkspace({ ...GO, "a.go": TEXT, ".pi-lsp.json": '{ "coldMs": 2000, "lateMs": 1 }' }, async (ws) => {
		const env = { ...withGopls(ws, "while read -r line; do :; done"), LSP_DEBUG: "1" };
		await runPi(ws, [...edits, { text: "Done." }], { env });
		const [first, ...others] = waits(ws);
		expect(first).toBe(2000);
		expect(others.length).toBe(edits.length - 1);
		expect(Math.max(...others)).toBeLessThanOrEqual(50);
	}));

/** A Biome in addition to TypeScript, which may start as any program. */
function withBiome(ws: Workspace, script: string): Record<string, string> {
	ws.write("../bin/biome", `#!/bin/sh\n${script}\n`);
	chmodSync(ws.path("../bin/biome"), 0o755);
	return { PATH: `${ws.path("../bin")}:${ws.env.PATH}`, PI_LSP_TRUST: "1", LSP_DEBUG: "1" };
}

const initialized = { notify: "window/logMessage", params: { type: 3, message: "Server initialized" } };
const silent = {
	on: [
		{ method: "initialized", do: [initialized] },
		{ method: "textDocument/diagnostic", do: [{ never: true }] },
	],
};
const hanging = {
	"when it starts": "while read -r line; do :; done",
	"when it is asked": `exec '${process.execPath}' '${FAKE_SERVER}' '${JSON.stringify(silent)}'`,
};

test.each(Object.entries(hanging))(
	"Biome that hangs %s hides no error of TypeScript's, and costs the time limit once",
	(_, script) =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"biome.json": "{}",
				"src/a.ts": "export const a: number = 0;\n",
				".pi-lsp.json": '{ "coldMs": 4000, "warmMs": 3000, "lateMs": 1 }',
			},
			async (ws) => {
				const breaks = Array.from({ length: 8 }, (_, n) => ({
					calls: [edit("src/a.ts", [n === 0 ? "0;" : `"${n - 1}";`, `"${n}";`])],
				}));
				const run = await runPi(ws, [...breaks, { text: "Done." }], { env: withBiome(ws, script) });
				const reported = [...breaks.keys()].map((n) => run.result(n).includes("Type 'string' is not assignable"));
				expect(reported).toEqual(breaks.map(() => true));
				expect(run.result(0)).toMatch(/^Not checked yet: src\/a\.ts \(biome is still (starting|busy)\)/m);
				const [first, ...others] = waits(ws).slice(0, breaks.length);
				expect(first).toBeGreaterThan(2000);
				expect(first).toBeLessThan(4000);
				expect(Math.max(...others)).toBeLessThanOrEqual(200);
			},
		),
);

const gopls = findProgram("gopls");

test.skipIf(gopls === undefined)(
	"gopls that cannot start is started a few times in twenty edits, and no other edit waits for it",
	() =>
		withWorkspace({ ...GO, "a.go": TEXT }, async (ws) => {
			const env = { ...withGopls(ws, `echo start >> ../starts; exec ${gopls} -no-such-flag`), LSP_DEBUG: "1" };
			const run = await runPi(ws, [...edits, { text: "Done." }], { env });
			expect(run.result(0)).toMatch(/\n\na\.go was not checked: gopls [^\n]*exited with code 2/);
			for (const n of edits.keys()) if (n > 0) expect(run.result(n)).toBe(edited("a.go"));
			const starts = ws.read("../starts").trim().split("\n").length;
			expect(starts).toBeLessThan(6);
			expect(waits(ws).filter((ms) => ms > 50)).toEqual([]);
			const { metrics } = JSON.parse((await ws.cli(["status", "--json"])).stdout) as { readonly metrics: object };
			expect(metrics).toMatchObject({ gopls: { language: "go", failedStarts: starts } });
		}),
);

test.skipIf(gopls === undefined)(
	"gopls with a go that does not run is reported for one edit of twenty, and none waits",
	() =>
		withWorkspace({ ...GO, "a.go": TEXT }, async (ws) => {
			const env = { ...withGopls(ws, `exec ${gopls} "$@"`), LSP_DEBUG: "1" };
			ws.write("../bin/go", "#!/bin/sh\necho 'cannot execute binary file' >&2\nexit 126\n");
			const run = await runPi(ws, [...edits, { text: "Done." }], { env });
			expect(run.result(0)).toMatch(/\n\na\.go was not checked: gopls: .*cannot execute binary file/);
			for (const n of edits.keys()) if (n > 0) expect(run.result(n)).toBe(edited("a.go"));
			expect(waits(ws).filter((ms) => ms > 50)).toEqual([]);
		}),
);
