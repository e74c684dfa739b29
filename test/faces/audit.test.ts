import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { describe, expect, test, vi } from "vitest";
import type { AuditRecord } from "../../src/contract/audit-record.ts";
import { AuditLog } from "../../src/faces/audit/audit-log.ts";
import { auditRecord, type EndedCall } from "../../src/faces/audit/audit-record.ts";
import { Screen } from "../../src/faces/pi/screen.ts";
import { Tools } from "../../src/faces/pi/tools.ts";
import { TurnMemory } from "../../src/faces/pi/turn-memory.ts";
import { withFakeServer } from "../query/fake-project.ts";
import { met, notYet, until } from "../support/until.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { textOf, withMcp } from "./mcp/client.ts";

const PROJECT = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": "export function greet(): string {\n\treturn 1;\n}\n",
	"src/app.ts": `import { greet } from "./greet.ts";\n\nexport const loud = greet();\nexport const hello = 1;\n`,
};
const fields = [
	"timestamp",
	"tool",
	"session_id",
	"files",
	"edit_summary",
	"diagnostics_before",
	"diagnostics_after",
	"net_delta",
	"success",
	"error_message",
	"duration_ms",
];

function recordsIn(path: string): AuditRecord[] {
	const lines = readFileSync(path, "utf8").trimEnd().split("\n");
	return lines.map((line) => JSON.parse(line) as AuditRecord);
}

test("the command line records nothing by default, and with the setting each call on one line of eleven fields", () =>
	withWorkspace(PROJECT, async (ws) => {
		const log = join(ws.base, "log", "audit.jsonl");
		await ws.cli(["rename", "src/greet.ts", "greet", "salute"]);
		expect(existsSync(join(ws.base, "state", "pi-lsp", "audit.jsonl"))).toBe(false);

		const env = { ...ws.env, PI_LSP_AUDIT_LOG: log, AGENT_LSP_AUDIT_LOG: join(ws.base, "other.jsonl") };
		await ws.cli(["rename", "src/greet.ts", "salute", "hello"], { env });
		await ws.cli(["hover", "src/greet.ts", "nothing"], { env });
		const other = join(ws.base, "flag.jsonl");
		await ws.cli(["definition", "src/app.ts", "loud", "--audit-log", other], { env });

		const [written, failed] = recordsIn(log) as [AuditRecord, AuditRecord];
		for (const record of [written, failed]) expect(Object.keys(record)).toEqual(fields);
		expect(written).toMatchObject({
			tool: "rename",
			session_id: null,
			files: [ws.path("src/greet.ts"), ws.path("src/app.ts")],
			edit_summary: {
				mode: "rename",
				file: ws.path("src/greet.ts"),
				rename: { from: "salute", to: "hello" },
				files_written: 2,
				lines_added: 3,
				lines_removed: 3,
				undo: "u2",
			},
			success: true,
			error_message: null,
		});
		// `return 1` is an error before and after; the name is taken in app.ts.
		expect(written.diagnostics_before).toEqual({ error_count: 1, warning_count: 0, files_checked: 2 });
		const after = written.diagnostics_after?.error_count ?? 0;
		expect(after).toBeGreaterThan(1);
		expect(written.net_delta).toEqual({ errors: after - 1, warnings: 0 });
		expect(failed).toMatchObject({
			tool: "hover",
			edit_summary: null,
			success: false,
			error_message: expect.stringMatching(/^LSP_SYMBOL_NOT_FOUND: [^{}\n]+$/),
		});
		expect(recordsIn(other)).toMatchObject([{ tool: "definition", files: [ws.path("src/app.ts")], success: true }]);
		expect(existsSync(join(ws.base, "other.jsonl"))).toBe(false);
		expect(statSync(log).mode & 0o777).toBe(0o600);

		const shown = await ws.cli(["audit"], { env });
		expect(shown.stdout.trimEnd().split("\n")).toEqual([
			expect.stringMatching(/ rename ok \d+ ms · .*greet\.ts, .*app\.ts · rename: 2 written, \+3 -3 · errors \+\d+$/),
			expect.stringMatching(/ hover failed \d+ ms · .*greet\.ts · LSP_SYMBOL_NOT_FOUND/),
		]);
		const json = await ws.cli(["audit", "--audit-log", other, "--limit", "1", "--json"], { env });
		expect(JSON.parse(json.stdout)).toEqual(recordsIn(other)[0]);
	}));

test("under profile agent-lsp calls are recorded by default, also those that fail, and all of them are written when it exits", () =>
	withWorkspace(PROJECT, async (ws) => {
		const log = join(ws.base, "state", "pi-lsp", "audit.jsonl");
		const file_path = ws.path("src/app.ts");
		await withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ call }) => {
			await Promise.all([call("get_document_symbols", { file_path }), call("get_document_symbols", { nonsense: 1 })]);
		});
		expect(recordsIn(log).sort((a, b) => Number(a.success) - Number(b.success))).toMatchObject([
			{ tool: "get_document_symbols", success: false, error_message: expect.stringContaining("file_path") },
			{ tool: "get_document_symbols", success: true, files: [file_path] },
		]);
		// Neither another profile nor an empty path records.
		await withMcp(ws, {}, ({ call }) => call("lsp_symbols", { file: "src/app.ts" }));
		const off = { ...ws.env, PI_LSP_AUDIT_LOG: "" };
		await withMcp(ws, { args: ["--profile", "agent-lsp"], env: off }, ({ call }) =>
			call("get_document_symbols", { file_path }),
		);
		expect(recordsIn(log)).toHaveLength(2);
	}));

test("a log that cannot be written is reported, and changes no answer", () =>
	withWorkspace(PROJECT, async (ws) => {
		const args = ["--audit-log", ws.path("src")];
		const symbols = { file: "src/app.ts" };
		await withMcp(ws, { args }, async ({ call }) => {
			// The disk answers while a later call is under way.
			const answer = await until("an answer that tells of the log", async () => {
				const answer = await call("lsp_symbols", symbols);
				return textOf(answer).includes("audit") ? met(answer) : notYet(textOf(answer));
			});
			expect(answer.isError).not.toBe(true);
			expect(textOf(answer)).toMatch(/loud[\s\S]*the audit log .*src cannot be written/);
			expect(textOf(await call("lsp_symbols", symbols))).not.toContain("audit");
		});
		const { code, stderr } = await ws.cli(["symbols", "src/app.ts", ...args]);
		expect([code, stderr]).toEqual([0, expect.stringContaining("cannot be written")]);
	}));

test("calls of pi's tools are recorded too, with the name and the arguments that the model gave", () =>
	withLog(async (path) => {
		vi.stubEnv("PI_LSP_AUDIT_LOG", path);
		type Tool = { readonly name: string; execute(...given: unknown[]): Promise<unknown> };
		const registered: Tool[] = [];
		const pi = { registerTool: (tool: Tool) => registered.push(tool) } as unknown as ExtensionAPI;
		const link = { call: async () => ({ text: "number" }) } as never;
		const tools = new Tools(pi, link, new Screen(link), new TurnMemory());
		const hover = registered.find(({ name }) => name === "lsp_hover");
		await hover?.execute("1", { file: "a.ts", line: 1 }, undefined, undefined, { cwd: "/p", hasUI: false });
		await tools.close();
		vi.unstubAllEnvs();
		expect(recordsIn(path)).toMatchObject([{ tool: "lsp_hover", files: ["/p/a.ts"], success: true }]);
	}));

const call: EndedCall = {
	tool: "lsp_apply_edit",
	cwd: "/p",
	begunAt: 0,
	ms: 1.6,
	args: {},
	asked: [],
	failure: undefined,
	preview: false,
	secrets: [],
};
const secret = "hunter2hunter2";
const edited = (oldText: string, newText: string, more: Partial<EndedCall> = {}) =>
	auditRecord({
		...call,
		asked: [{ operation: "apply_edit", input: { file: "a.ts", old_text: oldText, new_text: newText } }],
		...more,
	});

describe("a record", () => {
	test("has sizes, and texts only if they are requested, cut and without secrets", () => {
		expect(edited("old", "newer").edit_summary).toEqual({
			mode: "apply_edit",
			file: "/p/a.ts",
			old_size: 3,
			new_size: 5,
			files_written: 0,
			lines_added: 0,
			lines_removed: 0,
		});
		const long = edited("x".repeat(500), "new", { preview: true }).edit_summary;
		expect([long?.old_text, long?.new_text]).toEqual([`${"x".repeat(79)}…`, "new"]);
	});

	test.each([
		`const password = "${secret}";`,
		`API_KEY: ${secret}`,
		`"client_secret": "${secret}"`,
		`headers: { Authorization: "Bearer ${secret}" }`,
		`postgres://me:${secret}@host/base`,
		`ghp_${secret}`,
		`-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
		`of the environment: ${secret}`,
	])("never has a secret: %j", (text) => {
		const record = edited(text, text, {
			preview: true,
			secrets: text.startsWith("of the environment") ? [secret] : [],
			failure: new Error(text),
		});
		expect(JSON.stringify(record)).not.toContain("hunter2");
		expect(record.edit_summary?.old_text).toContain("<secret>");
	});
});

async function withLog(body: (path: string) => Promise<void>): Promise<void> {
	const directory = mkdtempSync("/tmp/pl-audit-");
	try {
		await body(join(directory, "audit.jsonl"));
	} finally {
		rmSync(directory, { recursive: true });
	}
}

describe("the log", () => {
	test("keeps 256 waiting records, drops the others, reports how many, and is drained when it is closed", () =>
		withLog(async (path) => {
			const log = new AuditLog(path);
			// The first one is being written when the others come.
			for (let index = 0; index < 300; index++) log.add({ ...auditRecord(call), tool: `t${index}` });
			await log.close();
			const records = recordsIn(path);
			expect(records.filter(({ tool }) => tool.startsWith("t"))).toHaveLength(257);
			expect(records.find(({ tool }) => tool === "audit")?.error_message).toContain("43 calls are not recorded");
		}));

	test("is rotated at 5 MB into one old file", () =>
		withLog(async (path) => {
			writeFileSync(path, `${"x".repeat(5 * 1024 * 1024)}\n`);
			const log = new AuditLog(path);
			log.add(auditRecord(call));
			await log.close();
			log.add(auditRecord(call));
			await log.close();
			expect(statSync(`${path}.1`).size).toBeGreaterThan(5 * 1024 * 1024);
			expect(recordsIn(path)).toHaveLength(1);
		}));
});

test("warnings are counted before and after a change", () => {
	const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
	const warning = (code: string) => ({ range, severity: 2, code, message: code });
	const items = [warning("one"), warning("two")];
	const pull = "textDocument/diagnostic";
	return withFakeServer(
		{
			on: [
				{ method: pull, nth: 1, do: [{ reply: { kind: "full", items } }] },
				{ method: pull, do: [{ reply: { kind: "full", items: items.slice(1) } }] },
			],
		},
		async ({ ws }) => {
			const log = join(ws.base, "audit.jsonl");
			const words = ["apply_edit", "a.zzz", "name(name)", "other(name)", "--audit-log", log];
			expect((await ws.cli(words)).code).toBe(0);
			expect(recordsIn(log)).toMatchObject([
				{
					diagnostics_before: { error_count: 0, warning_count: 2, files_checked: 1 },
					diagnostics_after: { error_count: 0, warning_count: 1, files_checked: 1 },
					net_delta: { errors: 0, warnings: -1 },
				},
			]);
		},
	);
});
