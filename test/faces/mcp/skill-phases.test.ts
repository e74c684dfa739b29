import { expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { type Mcp, textOf, withMcp } from "./client.ts";

const greet = "export function greet(name: string): string {\n\treturn name;\n}\n";
const app = 'import { greet } from "./greet.ts";\n\nexport const said: string = greet("you");\n';
const project: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": `{ "warmMs": 50000, "coldMs": 50000, "graceMs": 20000 }`,
	"src/greet.ts": greet,
	"src/app.ts": app,
};
const target = { file: "src/greet.ts", symbol: "greet", new_name: "welcome" };

const lsp = ({ call }: Mcp, operation: string, input: object = {}) => call("lsp", { operation, input });

/** The answer to a refused call. */
async function refused(mcp: Mcp, operation: string, input: object) {
	const result = await lsp(mcp, operation, input);
	expect(result.isError, textOf(result)).toBe(true);
	const violation = JSON.parse(textOf(result)) as Record<string, string>;
	expect(violation).toEqual({
		error: "phase_violation",
		tool: operation,
		skill: expect.any(String),
		current_phase: expect.any(String),
		reason: expect.any(String),
		recovery: expect.stringMatching(/^Next: lsp\w* \{/),
	});
	return violation as { readonly current_phase: string; readonly recovery: string };
}

async function follow({ call }: Mcp, { recovery }: { readonly recovery: string }): Promise<string> {
	const [, tool = "", args = "{}"] = /^Next: (\S+) (\{.*\})$/s.exec(recovery) ?? [];
	const result = await call(tool, JSON.parse(args) as object);
	expect(result.isError ?? false, textOf(result)).toBe(false);
	return textOf(result);
}

/** Every operation that writes, with valid arguments. */
const writers: readonly (readonly [string, object])[] = [
	["rename", target],
	["rename", { ...target, dry_run: false }],
	["rename", { ...target, dry_run: "false" }],
	["replace_symbol", { file: "src/greet.ts", symbol: "greet", code: "export const greet = 1;" }],
	["insert_before", { file: "src/greet.ts", symbol: "greet", code: "export const a = 1;" }],
	["insert_after", { file: "src/greet.ts", symbol: "greet", code: "export const a = 1;" }],
	["delete_symbol", { file: "src/greet.ts", symbol: "greet" }],
	["move_file", { from: "src/greet.ts", to: "src/hello.ts" }],
	["apply_edit", { file: "src/greet.ts", old_text: "name;", new_text: '"";' }],
	["apply_if_clean", { file: "src/greet.ts", old_text: "name;", new_text: '"";' }],
	["simulate_commit", { session: "s0", apply: true }],
	["apply_code_action", { file: "src/greet.ts", title: "x" }],
	["fix", { file: "src/greet.ts" }],
	["organize_imports", { file: "src/app.ts" }],
	["format", { file: "src/greet.ts" }],
	["execute_command", { file: "src/greet.ts", command: "x" }],
];

test("lsp-rename over MCP refuses every writer before the preview, and after it all but the previewed rename", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			const status = textOf(await lsp(mcp, "activate_skill", { name: "lsp-rename" }));
			expect(status).toContain('lsp-rename is active (block): phase "preview" of 3');
			for (const [operation, input] of writers)
				expect((await refused(mcp, operation, input)).current_phase).toBe("preview");
			expect([ws.read("src/greet.ts"), ws.read("src/app.ts")]).toEqual([greet, app]);
			expect(await follow(mcp, await refused(mcp, "rename", target))).toContain("Nothing was written");
			for (const [operation, input] of [
				["rename", { ...target, new_name: "hello" }],
				["rename", { ...target, symbol: "name" }],
				["apply_edit", { file: "src/greet.ts", old_text: "name;", new_text: '"";' }],
				["fix", { file: "src/greet.ts" }],
			] as const)
				expect((await refused(mcp, operation, input)).current_phase).toBe("apply");
			expect(ws.read("src/greet.ts")).toBe(greet);
			// Only the last preview may be written.
			await follow(mcp, await refused(mcp, "delete_symbol", { file: "src/greet.ts", symbol: "greet" }));
			expect(ws.read("src/app.ts")).toContain("welcome");
			await follow(mcp, await refused(mcp, "rename", { ...target, symbol: "welcome", new_name: "greet" }));
			expect(textOf(await lsp(mcp, "get_skill_phase"))).toMatch(/^No skill is active/);
			expect(textOf(await lsp(mcp, "undo"))).toContain("taken back");
		}),
	));

test("another session neither sees nor ends a skill", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, (mcp) =>
			withMcp(ws, {}, async (other) => {
				await lsp(mcp, "activate_skill", { name: "lsp-rename" });
				expect(textOf(await lsp(other, "get_skill_phase"))).toMatch(/^No skill is active/);
				expect(textOf(await lsp(other, "deactivate_skill"))).toBe("No skill was active.");
				await lsp(other, "activate_skill", { name: "lsp-verify" });
				await refused(mcp, "rename", target);
				expect(textOf(await lsp(mcp, "get_skill_phase"))).toContain("lsp-rename is active");
				expect(textOf(await lsp(mcp, "deactivate_skill"))).toBe("lsp-rename is not active any more.");
				expect((await lsp(mcp, "format", { file: "src/greet.ts", dry_run: true })).isError ?? false).toBe(false);
			}),
		),
	));

test("profile agent-lsp has the three skill tools by name and in its form, and its rename is allowed", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ client, call, text }) => {
			const { tools } = await client.listTools();
			const names = tools.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(["activate_skill", "get_skill_phase", "deactivate_skill"]));
			expect(JSON.parse(await text("activate_skill", { skill_name: "rename", mode: "block" }))).toEqual({
				status: "activated",
				skill: "lsp-rename",
				mode: "block",
				current_phase: "preview",
				total_phases: 3,
				allowed_tools: expect.any(Array),
				forbidden_tools: expect.any(Array),
			});
			const file_path = ws.path("src/greet.ts");
			const position = { file_path, line: 1, column: 17, new_name: "welcome" };
			const early = await call("apply_edit", { file_path, old_text: "name;", new_text: '"";' });
			expect(JSON.parse(textOf(early))).toMatchObject({ error: "phase_violation", current_phase: "preview" });
			const { workspace_edit } = JSON.parse(await text("rename_symbol", { ...position, dry_run: true }));
			const other = await call("apply_edit", { workspace_edit: { changes: {} } });
			expect(JSON.parse(textOf(other))).toMatchObject({ error: "phase_violation", current_phase: "apply" });
			await text("apply_edit", { workspace_edit });
			expect(ws.read("src/app.ts")).toContain("welcome");
			expect(JSON.parse(await text("get_skill_phase", {}))).toMatchObject({ active: true, current_phase: "verify" });
			await text("get_diagnostics", { file_path });
			expect(JSON.parse(await text("get_skill_phase", {}))).toEqual({
				active: false,
				available_skills: expect.arrayContaining(["lsp-rename"]),
			});
			expect(JSON.parse(await text("deactivate_skill", {}))).toEqual({ status: "deactivated" });
		}),
	));

test("answers during a skill end with the call that is allowed next, unless the configuration leaves that out", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			const lastLine = async (operation: string, input: object) =>
				textOf(await lsp(mcp, operation, input))
					.split("\n")
					.at(-1) ?? "";
			const asked = { file: "src/greet.ts", symbol: "greet" };
			expect(await lastLine("hover", asked)).not.toContain("next:");
			await lsp(mcp, "activate_skill", { name: "lsp-rename" });
			expect(await lastLine("hover", asked)).toMatch(/^next: lsp_rename \{"file":"src\/greet\.ts","symbol":"greet",/);
			const { dry_run: _, ...shown } = { ...target, dry_run: true };
			expect(await lastLine("rename", { ...target, dry_run: true })).toBe(`next: lsp_rename ${JSON.stringify(shown)}`);
			expect(await lastLine("rename", target)).toBe('next: lsp_check {"files":["src/app.ts"],"scope":"affected"}');
			ws.write(".pi-lsp.json", `{ "nextStep": false }`);
			expect(await lastLine("hover", { ...asked, symbol: "welcome" })).not.toContain("next:");
		}),
	));

test("a call in mode warn is made, and its answer reports what was not allowed", () =>
	withWorkspace(project, (ws) =>
		withMcp(ws, {}, async (mcp) => {
			await lsp(mcp, "activate_skill", { name: "lsp-rename", mode: "warn" });
			const answer = textOf(await lsp(mcp, "rename", target));
			expect(answer).toMatch(/renamed greet → welcome[\s\S]*"error":"phase_violation"/);
		}),
	));

test("a command of the shell has no session that a skill could bind", () =>
	withWorkspace(project, async (ws) => {
		const { code, stderr } = await ws.cli(["activate_skill", "lsp-rename"]);
		expect([code, stderr]).toEqual([2, expect.stringContaining("LSP_SESSION_NOT_FOUND")]);
	}));
