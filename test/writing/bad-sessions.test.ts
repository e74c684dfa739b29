import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

/** Mistakes with edits that are only tried, in the words of each face: each is refused by a code of the catalogue. */

const PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "coldMs": 60000, "warmMs": 60000 }`,
	"src/greet.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
};
const OTHER: Files = { "../other/package.json": "{}", "../other/.git/HEAD": "ref: refs/heads/main\n" };

interface Mistake {
	readonly what: string;
	/** The input with pi-lsp's own names, as the tool `lsp` and the command line take it. */
	readonly own: readonly [operation: string, input: Readonly<Record<string, unknown>>];
	/** The input with agent-lsp's names; absent if they cannot express it. */
	readonly agentLsp?: readonly [tool: string, input: Readonly<Record<string, unknown>>];
	readonly says: string;
}

interface Sessions {
	/** With an edit. */
	readonly session: string;
	readonly empty: string;
	readonly ended: string;
	readonly foreign: string;
}

const unknown = "s0123456789abcdef";

function mistakes(ws: Workspace, { session, empty, ended, foreign }: Sessions): Mistake[] {
	const file = "src/greet.ts";
	const edit = { file, old_text: "return name", new_text: "return nam" };
	const piece = (line: number, column: number, endLine = line, endColumn = column, path = ws.path(file)) => ({
		...{ file_path: path, start_line: line, start_column: column },
		...{ end_line: endLine, end_column: endColumn, new_text: "x" },
	});
	const at = (line: number, column: number) => ({ file, line, column, new_text: "x" });
	const overlapping = ["return name", "name;"].map((old) => ({ old_text: old, new_text: "x" }));
	const outside = "/etc/hostname";
	return [
		{
			what: "a line past the end",
			own: ["simulate_edit", { session, ...at(90, 1) }],
			agentLsp: ["simulate_edit", { session_id: session, ...piece(90, 1) }],
			says: "LSP_INVALID_INPUT: Line 90 is past the end: the file has 4 lines.",
		},
		{
			what: "a column past the end",
			own: ["simulate_edit", { session, ...at(2, 90) }],
			agentLsp: ["simulate_edit", { session_id: session, ...piece(2, 90) }],
			says: "LSP_INVALID_INPUT: Column 90 is past the end",
		},
		{
			what: "a piece that ends before it begins",
			own: ["simulate_edit", { session, ...at(2, 5), end_line: 1, end_column: 1 }],
			agentLsp: ["simulate_edit", { session_id: session, ...piece(2, 5, 1, 1) }],
			says: "LSP_INVALID_INPUT: The piece ends before it begins.",
		},
		{
			what: "a place past the end in a preview",
			own: ["preview", at(90, 1)],
			agentLsp: ["preview_edit", piece(90, 1)],
			says: "LSP_INVALID_INPUT: Line 90 is past the end",
		},
		{
			what: "edits that overlap",
			own: ["simulate_edit", { session, file, edits: overlapping }],
			says: "two edits of it overlap",
		},
		{
			what: "a path outside",
			own: ["simulate_edit", { session, file: outside, content: "x" }],
			agentLsp: ["simulate_edit", { session_id: session, ...piece(1, 1, 1, 1, outside) }],
			says: "LSP_EDIT_REFUSED: /etc/hostname cannot be changed: it is outside of",
		},
		{
			what: "a path outside in a preview",
			own: ["preview", { file: outside, content: "x" }],
			agentLsp: ["simulate_edit_atomic", piece(1, 1, 1, 1, outside)],
			says: "LSP_EDIT_REFUSED: /etc/hostname cannot be changed: it is outside of",
		},
		{
			what: "an unknown session",
			own: ["simulate_evaluate", { session: unknown }],
			agentLsp: ["evaluate_session", { session_id: unknown }],
			says: `LSP_SESSION_NOT_FOUND: There is no session ${unknown}.`,
		},
		{
			what: "a path for a session",
			own: ["simulate_commit", { session: "../../config" }],
			agentLsp: ["commit_session", { session_id: "../../config" }],
			says: "LSP_SESSION_NOT_FOUND: There is no session",
		},
		{
			what: "an ended session",
			own: ["simulate_edit", { session: ended, ...edit }],
			agentLsp: ["simulate_edit", { session_id: ended, ...piece(1, 1) }],
			says: `LSP_SESSION_NOT_FOUND: Session ${ended} has ended: it was ended.`,
		},
		{
			what: "an ended session in a preview",
			own: ["preview", { session: ended, ...edit }],
			agentLsp: ["preview_edit", { session_id: ended, ...piece(1, 1) }],
			says: `LSP_SESSION_NOT_FOUND: Session ${ended} has ended`,
		},
		{
			what: "a session of another workspace",
			own: ["simulate_discard", { session: foreign }],
			agentLsp: ["discard_session", { session_id: foreign }],
			says: `LSP_SESSION_NOT_FOUND: Session ${foreign} belongs to another workspace`,
		},
		{
			what: "a chain with an impossible step",
			own: ["simulate_chain", { session: empty, edits: [edit, { file, old_text: "absent", new_text: "x" }] }],
			agentLsp: ["simulate_chain", { session_id: empty, edits: [piece(1, 1), piece(90, 1)] }],
			says: ": Step 2: ",
		},
		{
			what: "a session without an edit that is evaluated",
			own: ["simulate_evaluate", { session: empty }],
			agentLsp: ["evaluate_session", { session_id: empty }],
			says: `LSP_SESSION_STATE: Session ${empty} cannot be evaluated: it has no edit (it is created).`,
		},
		{
			what: "a session without an edit that is committed",
			own: ["simulate_commit", { session: empty, apply: true }],
			agentLsp: ["commit_session", { session_id: empty, apply: true }],
			says: `LSP_SESSION_STATE: Session ${empty} cannot be committed: it has no edit`,
		},
	];
}

/** Sessions that the mistakes are made with; `begin` is called by a face, in a directory. */
async function sessionsOf(ws: Workspace): Promise<Sessions> {
	const begin = async (cwd = ws.root): Promise<string> =>
		JSON.parse((await ws.cli(["simulate_begin", "--json"], { cwd })).stdout).session;
	const [session, empty, ended, foreign] = [
		await begin(),
		await begin(),
		await begin(),
		await begin(join(ws.base, "other")),
	];
	await ws.cli(["simulate_edit", session, "src/greet.ts", "--line", "1", "--new-text", "// One.\n"]);
	await ws.cli(["simulate_edit", session, "src/greet.ts", "--old-text", "// One.\n", "--new-text", ""]);
	await ws.cli(["simulate_end", ended]);
	return { session, empty, ended, foreign };
}

/** The command line of an input: objects as JSON, each entry of a list by itself. */
function words(input: Readonly<Record<string, unknown>>): string[] {
	return Object.entries(input).flatMap(([name, value]) => {
		const option = `--${name.replaceAll("_", "-")}`;
		if (value === true) return [option];
		// A whole text is in a file, or on standard input.
		if (name === "content") return [option, "-"];
		return [value].flat().flatMap((each) => [option, typeof each === "object" ? JSON.stringify(each) : String(each)]);
	});
}

function treeOf(ws: Workspace): string {
	const hash = createHash("sha256");
	for (const name of readdirSync(ws.path("src")).sort()) hash.update(name).update(readFileSync(ws.path("src", name)));
	return hash.digest("hex");
}

describe("a mistake with a session is refused by a code of the catalogue, and the tree is untouched", () => {
	test("on the command line", () =>
		withWorkspace({ ...PROJECT, ...OTHER }, async (ws) => {
			const sessions = await sessionsOf(ws);
			const before = treeOf(ws);
			for (const { what, own, says } of mistakes(ws, sessions)) {
				const [operation, { session, ...input }] = own;
				const named = session === undefined || operation === "preview" ? { session, ...input } : input;
				const first = session === undefined || operation === "preview" ? [] : [String(session)];
				const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
				const { code, stderr } = await ws.cli([operation, ...first, ...words(given)], { input: "x" });
				expect(stderr, what).toContain(says);
				expect(stderr, what).toMatch(/^LSP_[A-Z_]+: /);
				expect(code, what).toBe(2);
			}
			expect(treeOf(ws)).toBe(before);
		}));

	test("over MCP", () =>
		withWorkspace({ ...PROJECT, ...OTHER }, async (ws) => {
			const sessions = await sessionsOf(ws);
			const before = treeOf(ws);
			await withMcp(ws, {}, async ({ call }) => {
				for (const { what, own, says } of mistakes(ws, sessions)) {
					const [operation, input] = own;
					const answer = await call("lsp", { operation, input });
					expect(textOf(answer), what).toContain(says);
					expect(textOf(answer), what).toMatch(/^LSP_[A-Z_]+: /);
					expect(answer.isError, what).toBe(true);
				}
			});
			expect(treeOf(ws)).toBe(before);
		}));

	test("with agent-lsp's names", () =>
		withWorkspace({ ...PROJECT, ...OTHER }, async (ws) => {
			const sessions = await sessionsOf(ws);
			const before = treeOf(ws);
			await withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ call, text }) => {
				for (const { what, agentLsp, says } of mistakes(ws, sessions)) {
					if (!agentLsp) continue;
					const answer = await call(...agentLsp);
					expect(textOf(answer), what).toContain(says);
					expect(answer.isError, what).toBe(true);
				}
				const { session, ended } = sessions;
				const target = await call("commit_session", { session_id: session, apply: true, target: "/tmp/else.ts" });
				expect(textOf(target)).toContain("LSP_INVALID_INPUT: commit_session: target: ");
				for (const id of [unknown, ended])
					expect(JSON.parse(await text("destroy_session", { session_id: id }))).toMatchObject({
						status: "already_destroyed",
					});
			});
			expect(treeOf(ws)).toBe(before);
		}));
});

test("the session that was idle for the longest ends if there are too many, and the next caller that begins one is informed", () =>
	withWorkspace(PROJECT, (ws) =>
		withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ call, text }) => {
			const given = { workspace_root: ws.root, language: "typescript" };
			const begun: string[] = [];
			const ended: string[] = [];
			for (let count = 0; count < 150; count++) {
				const { session_id, ended_session_id } = JSON.parse(await text("create_simulation_session", given));
				begun.push(session_id);
				if (ended_session_id) ended.push(ended_session_id);
			}
			expect(ended).toEqual(begun.slice(0, 50));
			const answer = await call("evaluate_session", { session_id: begun[0] });
			expect(textOf(answer)).toContain(`LSP_SESSION_NOT_FOUND: Session ${begun[0]} has ended: another one began`);
		}),
	));
