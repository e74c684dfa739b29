import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { limitText } from "../../../src/faces/hooks/limit-text.ts";
import { answerEvent } from "../../../src/faces/hooks/run.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";

const large = "x".repeat(300_000);
const values: readonly unknown[] = [
	null,
	0,
	true,
	"",
	"\0",
	large,
	[],
	[[]],
	{},
	{ a: {} },
	"__proto__",
	"../../../../etc/passwd",
];

/** Payloads that no host sends, or another version of one. */
function payloads(cwd: string): string[] {
	const edit = {
		session_id: "s",
		cwd,
		hook_event_name: "PostToolUse",
		tool_name: "Edit",
		tool_input: { file_path: join(cwd, "src/c.ts"), old_string: "a", new_string: "b" },
		tool_response: { originalFile: "" },
		tool_use_id: "t",
	};
	const fields = Object.keys(edit) as (keyof typeof edit)[];
	const wrong = fields.flatMap((field) => values.map((value) => ({ ...edit, [field]: value })));
	const missing = fields.map((field) => ({ ...edit, [field]: undefined }));
	const paths = [
		"/dev/zero",
		"/proc/self/mem",
		"/",
		".",
		"~",
		`${large}.ts`,
		"a\0b.ts",
		"\n*** Begin Patch",
		"https://x/y.ts",
		"src",
	];
	const files = paths.map((path) => ({ ...edit, tool_input: { file_path: path } }));
	const patch = `*** Begin Patch\n${Array.from({ length: 20_000 }, (_, index) => `*** Update File: f${index}.ts\n`).join("")}`;
	const others = [
		{ ...edit, tool_name: "apply_patch", tool_input: { command: patch } },
		{ ...edit, tool_name: "apply_patch", tool_input: patch },
		{ ...edit, tool_name: "Bash", tool_input: { command: large } },
		{ ...edit, tool_name: "Bash", hook_event_name: "PreToolUse", tool_input: { command: ["sed"] } },
		{ ...edit, hook_event_name: "constructor" },
		{ ...edit, tool_name: "toString" },
		{ sessionId: "s", cwd, toolName: "edit", toolArgs: "{not json", toolResult: null },
		{ sessionId: "s", cwd, toolName: "edit", toolArgs: JSON.stringify(values), toolResult: [] },
		{
			session_id: "s",
			cwd,
			hook_event_name: "AfterTool",
			tool_name: "replace",
			tool_input: [],
			tool_response: { returnDisplay: "text" },
		},
		{ session_id: "s", cwd, hook_event_name: "Stop", stop_hook_active: "yes" },
		{ session_id: "s", cwd: "relative", hook_event_name: "SessionEnd" },
	];
	const texts = [
		"",
		" ",
		"null",
		"[]",
		"1",
		'"text"',
		"{",
		"}{",
		"\0",
		'{"a":',
		`{"__proto__":{"session_id":"s"}}`,
		large,
		`${"[".repeat(20_000)}`,
		"\ud800",
		"{}{}",
	];
	return [...texts, ...[...wrong, ...missing, ...files, ...others].map((payload) => JSON.stringify(payload))];
}

/** Payloads without the event's name, with it added. */
const hosts = [
	["claude-code"],
	["codex"],
	["gemini"],
	["copilot"],
	["opencode"],
	["cursor"],
	["vscode"],
	["antigravity", "PostToolUse"],
	["antigravity", "PreInvocation"],
	["cline", "PostToolUse"],
] as const;

test(
	"any payload is answered with one object that blocks nothing",
	() =>
		withWorkspace(
			{ ...TYPESCRIPT_PROJECT, ".git/HEAD": "ref: refs/heads/main\n", "src/c.ts": "export const c = 1;\n" },
			async (ws) => {
				for (const [name, value] of Object.entries(ws.env)) vi.stubEnv(name, value);
				try {
					const all = payloads(ws.root);
					expect(all.length).toBeGreaterThan(120);
					for (const [host, event] of hosts)
						for (const payload of all) {
							const answer: unknown = JSON.parse(await answerEvent(host, event, payload));
							expect(Object.keys(answer as object), payload.slice(0, 300)).toEqual([]);
						}
					expect(await answerEvent("nobody", "x", "{}")).toBe("{}");
				} finally {
					vi.unstubAllEnvs();
				}
			},
		),
	120_000,
);

test("a text is cut at whole lines, in the unit of the host, and states how much is missing", () => {
	const text = [
		'<diagnostics file="a.ts">',
		...Array.from({ length: 100 }, () => `ERROR ${"é".repeat(40)}`),
		"</diagnostics>",
	].join("\n");
	expect(limitText("short", { unit: "bytes", most: 5 })).toBe("short");
	for (const [unit, most] of [
		["bytes", 2_000],
		["characters", 2_000],
	] as const) {
		const cut = limitText(text, { unit, most });
		expect(unit === "bytes" ? Buffer.byteLength(cut) : cut.length).toBeLessThanOrEqual(most);
		expect(cut).toMatch(/\n<\/diagnostics>\n… and \d+ more lines; `pi-lsp check FILE` has all\.$/);
	}
});
