import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { daemonOf, serversOf } from "../daemon/daemon.ts";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "coldMs": 60000, "warmMs": 60000 }`,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\nexport const old: number = 'x';\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet("you");\n`,
};

const begin = async (ws: Workspace): Promise<string> =>
	JSON.parse((await ws.cli(["simulate_begin", "--json"])).stdout).session;

const replace = (old: string, next: string) => ["--old-text", old, "--new-text", next];

const mirrors = (ws: Workspace) => join(ws.env.XDG_STATE_HOME!, "pi-lsp", "simulations");

describe("a session of edits that are only tried", () => {
	test("adds them up, judges them together, survives a killed server and a killed daemon, and is written on request", () =>
		withWorkspace(PROJECT, async (ws) => {
			const id = await begin(ws);
			const first = await ws.cli(["simulate_edit", id, "src/greet.ts", ...replace("name: string", "name: number")]);
			expect(first.stdout).toContain("Edit 1. Differing from the disk: src/greet.ts");
			const broken = await ws.cli(["simulate_evaluate", id, "--json"]);
			expect(JSON.parse(broken.stdout)).toMatchObject({ new: 2, netDelta: 2, confidence: "high" });
			expect(broken.code).toBe(1);
			// No other caller sees them.
			expect((await ws.cli(["hover", "src/app.ts", "greet"])).stdout).toContain("greet(name: string): string");
			for (const { pid } of serversOf(ws)) process.kill(pid, "SIGKILL");
			const restarted = await ws.cli(["simulate_evaluate", id, "--json"]);
			expect(JSON.parse(restarted.stdout)).toMatchObject({ new: 2, netDelta: 2, confidence: "high" });
			process.kill(daemonOf(ws).pid, "SIGKILL");
			await ws.cli(["simulate_edit", id, "src/greet.ts", ...replace("return name", "return String(name)")]);
			await ws.cli(["simulate_edit", id, "src/greet.ts", ...replace("'x'", "1")]);
			await ws.cli(["simulate_edit", id, "src/app.ts", ...replace('"you"', "1")]);
			const clean = await ws.cli(["simulate_evaluate", id, "--json"]);
			expect(JSON.parse(clean.stdout)).toMatchObject({
				...{ new: 0, fixed: 1, netDelta: -1, confidence: "high" },
				mended: [{ path: "src/greet.ts", line: 4, code: "2322" }],
			});
			expect(clean.code).toBe(0);
			for (const [file, text] of Object.entries(PROJECT)) expect(ws.read(file), file).toBe(text);
			const files = readdirSync(mirrors(ws));
			expect(files).toEqual([`${id}.json`]);
			expect(statSync(join(mirrors(ws), `${id}.json`)).mode & 0o777).toBe(0o600);

			const patch = await ws.cli(["simulate_commit", id]);
			expect(patch.stdout).toContain("+++ b/src/greet.ts\n");
			expect(patch.stdout).toContain("\n+export function greet(name: number): string {\n");
			const again = await ws.cli(["preview", "--patch", "-", "--json"], { input: `${patch.stdout}` });
			expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, fixed: 1 });
			const refused = await ws.cli(["simulate_edit", id, "src/app.ts", ...replace("loud", "quiet")]);
			expect(refused.stderr).toContain("LSP_SESSION_STATE");
			expect(refused.code).toBe(2);
			const written = await ws.cli(["simulate_commit", id, "--apply"]);
			expect(written.stdout).toContain("undo: u1");
			expect(written.code).toBe(0);
			expect(ws.read("src/app.ts")).toContain("greet(1)");
			await ws.cli(["undo"]);
			for (const [file, text] of Object.entries(PROJECT)) expect(ws.read(file), file).toBe(text);
			expect((await ws.cli(["simulate_end", id])).code).toBe(0);
			expect(readdirSync(mirrors(ws))).toEqual([]);
		}));

	test("judges after each edit of a chain, and adds none if one is impossible", () =>
		withWorkspace(PROJECT, async (ws) => {
			const id = await begin(ws);
			const edits = [
				{ file: "src/greet.ts", old_text: "'x'", new_text: "1" },
				{ file: "src/greet.ts", old_text: "name: string", new_text: "name: number" },
			];
			const words = edits.flatMap((each) => ["--edits", JSON.stringify(each)]);
			const impossible = JSON.stringify({ file: "src/greet.ts", line: 90, new_text: "x" });
			const refused = await ws.cli(["simulate_chain", id, ...words, "--edits", impossible]);
			expect(refused.stderr).toContain("LSP_INVALID_INPUT: Step 3: Line 90 is past the end");
			expect(refused.code).toBe(2);
			const empty = await ws.cli(["simulate_evaluate", id]);
			expect(empty.stderr).toContain(`LSP_SESSION_STATE: Session ${id} cannot be evaluated: it has no edit`);
			expect(empty.code).toBe(2);
			const { code, stdout } = await ws.cli(["simulate_chain", id, ...words, "--json"]);
			expect(JSON.parse(stdout)).toMatchObject({
				...{ safeThroughStep: 1, netDelta: 1 },
				steps: [
					{ step: 1, new: 0, fixed: 1, confidence: "high" },
					{ step: 2, new: 2, fixed: 1, netDelta: 1 },
				],
			});
			expect(code).toBe(1);
			expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
		}));

	test("is refused when it is unknown, ended, of another workspace, or when the disk has moved on", () =>
		withWorkspace(PROJECT, async (ws) => {
			ws.write("../other/package.json", "{}");
			ws.write("../other/.git/HEAD", "ref: refs/heads/main\n");
			const unknown = await ws.cli(["simulate_evaluate", "s0123456789abcdef"]);
			expect(unknown.stderr).toContain("LSP_SESSION_NOT_FOUND: There is no session s0123456789abcdef.");
			expect(unknown.code).toBe(2);
			expect((await ws.cli(["simulate_evaluate", "../../config"])).stderr).toContain("LSP_SESSION_NOT_FOUND");
			const id = await begin(ws);
			const foreign = await ws.cli(["simulate_edit", id, "a.ts", "--content", "-"], {
				cwd: join(ws.base, "other"),
				input: "",
			});
			expect(foreign.stderr).toContain(`LSP_SESSION_NOT_FOUND: Session ${id} belongs to another workspace`);
			await ws.cli(["simulate_edit", id, "src/greet.ts", ...replace("'x'", "1")]);
			const late = await ws.cli(["simulate_evaluate", id, "--timeout", "1", "--json"]);
			expect(JSON.parse(late.stdout)).toMatchObject({ confidence: "partial", new: 0 });
			expect(late.code).toBe(3);
			ws.write("src/greet.ts", `${PROJECT["src/greet.ts"]}// Somebody else's.\n`);
			for (const words of [
				["simulate_evaluate", id],
				["simulate_commit", id],
				["simulate_commit", id, "--apply"],
			]) {
				const moved = await ws.cli(words);
				expect(moved.stderr, words.join(" ")).toContain("LSP_FILE_CHANGED: src/greet.ts has changed on disk");
				expect(moved.code, words.join(" ")).toBe(2);
			}
			expect(ws.read("src/greet.ts")).toContain("Somebody else's.");
			await ws.cli(["simulate_discard", id]);
			expect((await ws.cli(["simulate_commit", id])).stderr).toContain("LSP_SESSION_STATE");
			await ws.cli(["simulate_end", id]);
			expect((await ws.cli(["simulate_edit", id, "src/app.ts", "--content", "-"], { input: "" })).stderr).toContain(
				`LSP_SESSION_NOT_FOUND: Session ${id} has ended: it was ended.`,
			);
		}));

	test("has agent-lsp's names and forms in its profile", () =>
		withWorkspace(PROJECT, (ws) =>
			withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ text, call }) => {
				const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
				const { session_id, status } = await ask("create_simulation_session", {
					workspace_root: ws.root,
					language: "typescript",
				});
				expect(status).toBe("created");
				const of = { session_id };
				const range = (file: string, line: number, from: number, to: number, new_text: string) => ({
					...{
						file_path: ws.path(file),
						start_line: line,
						start_column: from,
						end_line: line,
						end_column: to,
						new_text,
					},
				});
				const breaking = range("src/greet.ts", 1, 29, 35, "number");
				expect(await ask("simulate_edit", { ...of, ...breaking })).toEqual({
					...of,
					edit_applied: true,
					version_after: 1,
				});
				const own = await ask("evaluate_session", of);
				expect(own).toMatchObject({
					...of,
					errors_introduced: [{ line: 2, col: 2, severity: "error", source: "ts" }],
					...{ errors_resolved: null, net_delta: 1, scope: "file", confidence: "high", timeout: false },
				});
				const all = await ask("evaluate_session", { ...of, scope: "workspace", timeout_ms: 60_000 });
				expect(all).toMatchObject({ net_delta: 2, scope: "workspace", confidence: "high" });
				const chain = await ask("simulate_chain", { ...of, edits: [range("src/greet.ts", 1, 29, 35, "string")] });
				expect(chain).toEqual({
					...{ ...of, steps: [{ step: 1, net_delta: 0, errors_introduced: [] }] },
					...{ safe_to_apply_through_step: 1, cumulative_delta: 0 },
				});
				await ask("simulate_edit", { ...of, ...range("src/greet.ts", 4, 28, 31, "1") });
				expect(await ask("evaluate_session", of)).toMatchObject({
					errors_introduced: null,
					errors_resolved: [{ line: 4, severity: "error" }],
					net_delta: -1,
				});
				const committed = await ask("commit_session", of);
				expect(committed.files_written).toEqual([]);
				expect(Object.values(committed.patch.changes)).toEqual([
					[
						{
							range: { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } },
							newText: "export const old: number = 1;\n",
						},
					],
				]);
				const discarded = await call("discard_session", of);
				expect(discarded.isError).toBe(true);
				expect(textOf(discarded)).toContain("LSP_SESSION_STATE");
				expect(await ask("destroy_session", of)).toEqual({ ...of, status: "destroyed" });
				expect(await ask("destroy_session", of)).toMatchObject({ status: "already_destroyed" });
				const alone = { workspace_root: ws.root, language: "typescript", ...breaking };
				for (const name of ["simulate_edit_atomic", "preview_edit"])
					expect(await ask(name, { ...alone, scope: "workspace" }), name).toMatchObject({ net_delta: 2 });
				expect(ws.read("src/greet.ts")).toBe(PROJECT["src/greet.ts"]);
			}),
		));
});
