import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { daemonOf, socketOf } from "../daemon/daemon.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { CLI, REPOSITORY } from "../support/repository.ts";
import { met, notYet, until } from "../support/until.ts";
import type { Workspace } from "../support/workspace.ts";

const before = { "a.zzz": "/// WRONG\nname(name)\n", "b.zzz": "name\n" };
const after = { "a.zzz": "/// WRONG\nother(name)\n", "b.zzz": "other\n" };

/** A server that renames in two files. */
function script(root: string) {
	const edit = (line: number) => {
		const range = { start: { line, character: 0 }, end: { line, character: 4 } };
		return { range, newText: "other" };
	};
	const changes = { [`file://${root}/a.zzz`]: [edit(1)], [`file://${root}/b.zzz`]: [edit(0)] };
	return {
		capabilities: { renameProvider: true, documentSymbolProvider: false },
		on: [{ method: "textDocument/rename", do: [{ reply: { changes } }] }],
	};
}

const preload = ["--require", join(REPOSITORY, "test/writer/killing.cjs")];
const renaming = ["rename", "a.zzz", "2:name", "other"];

/** The project's files, and all others next to them. */
function filesOf({ root }: Workspace): Readonly<Record<string, string>> {
	const names = readdirSync(root).filter((name) => name.endsWith(".zzz") || name.startsWith(".pi-lsp-"));
	return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), "utf8")]));
}

/** The calls that the preloaded writer counts, and the process that it kills. */
function killing({ base }: Workspace) {
	const directory = join(base, "killing");
	const steps = join(directory, "steps");
	mkdirSync(directory);
	return {
		env: { PI_LSP_KILLING: directory },
		order(order: { readonly at: number; readonly pid?: number | undefined }) {
			writeFileSync(join(directory, "order.json"), JSON.stringify(order));
		},
		get steps() {
			return Number(readFileSync(steps, "utf8"));
		},
	};
}

/** The identifiers of the changes that can be taken back. */
async function undoable(ws: Workspace, more: readonly string[] = []): Promise<string[]> {
	const { stdout } = await ws.cli(["undo", "--list", "--json", ...more]);
	const { changes } = JSON.parse(stdout) as { changes: { id: string; undone?: boolean; title: string }[] };
	return changes.filter(({ undone, title }) => !undone && title.startsWith("rename")).map(({ id }) => id);
}

test(
	"A face that is killed at any step of the write leaves the daemon to complete it, and the next face can take it back",
	() =>
		withFakeServer(script, async ({ ws }) => {
			ws.write("b.zzz", before["b.zzz"]);
			const victim = killing(ws);
			victim.order({ at: 0 });
			const daemon = spawn(process.execPath, [...preload, join(REPOSITORY, "dist/daemon.cjs")], {
				cwd: "/",
				env: { ...ws.env, ...victim.env },
				stdio: "ignore",
				detached: true,
			});
			daemon.unref();
			await until("it listens", () => (socketOf(ws) === undefined ? notYet("no socket") : met(true)));
			// The run without a kill counts the calls of the write, and those of its undoing.
			expect((await ws.cli(renaming)).code).toBe(0);
			const calls = victim.steps;
			expect(calls).toBeGreaterThanOrEqual(12);
			await ws.cli(["undo"]);
			for (let at = 1; at <= calls; at++) {
				const begun = victim.steps;
				victim.order({ at: 0 });
				const face = spawn(process.execPath, [CLI, ...renaming], { cwd: ws.root, env: ws.env, stdio: "ignore" });
				victim.order({ at: begun + at, pid: face.pid });
				const [, signal] = await once(face, "exit");
				expect(signal, `step ${at}`).toBe("SIGKILL");
				const completed = () => victim.steps === begun + calls;
				await until(`the change of step ${at} is complete`, () =>
					completed() ? met(true) : notYet(`${victim.steps - begun} of ${calls}`),
				);
				await until("no temporary file is left", () =>
					Object.keys(filesOf(ws)).length === 2 ? met(true) : notYet(Object.keys(filesOf(ws)).join()),
				);
				expect(filesOf(ws), `step ${at}`).toEqual(after);
				expect(await undoable(ws)).toHaveLength(1);
				expect((await ws.cli(["undo"])).code).toBe(0);
				expect(filesOf(ws), `step ${at}`).toEqual(before);
			}
			expect(daemonOf(ws).pid).toBe(daemon.pid);
		}),
	180_000,
);

test(
	"A face without a daemon that is killed at any step of its own write leaves all old or all new files after the next start",
	() =>
		withFakeServer(script, async ({ ws }) => {
			const victim = killing(ws);
			const alone = ["--no-daemon"];
			const renamed = async (at: number) => {
				for (const [name, text] of Object.entries(before)) ws.write(name, text);
				rmSync(join(String(ws.env.XDG_STATE_HOME), "pi-lsp/changes"), { recursive: true, force: true });
				victim.order({ at });
				const face = spawn(process.execPath, [...preload, CLI, ...renaming, ...alone], {
					cwd: ws.root,
					env: { ...ws.env, ...victim.env },
					stdio: "ignore",
				});
				const [, signal] = await once(face, "exit");
				return signal;
			};
			expect(await renamed(0)).toBe(null);
			const calls = victim.steps;
			expect(calls).toBeGreaterThanOrEqual(12);
			const ends: boolean[] = [];
			for (let at = 1; at <= calls; at++) {
				expect(await renamed(at), `step ${at}`).toBe("SIGKILL");
				const left = await undoable(ws, alone);
				const now = filesOf(ws);
				const isNew = now["a.zzz"] === after["a.zzz"];
				expect(now, `step ${at}`).toEqual(isNew ? after : before);
				expect(left, `step ${at}`).toHaveLength(isNew ? 1 : 0);
				ends.push(isNew);
			}
			expect(ends[0]).toBe(false);
			expect(ends.at(-1)).toBe(true);
			expect(existsSync(ws.path(".pi-lsp-u1-0-new"))).toBe(false);
		}),
	180_000,
);
