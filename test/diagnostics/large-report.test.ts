import { expect, test } from "vitest";
import { type CheckReport, limitSize } from "../../src/contract/check-report.ts";
import { namedFake } from "../faces/mcp/fake.ts";
import { withWorkspace } from "../support/workspace.ts";
import { error } from "./sample.ts";

function reportWith(files: Readonly<Record<string, CheckReport["files"][number]["diagnostics"]>>): CheckReport {
	const all = Object.entries(files).map(([path, diagnostics]) => {
		return { path, role: "affected", state: "fresh", diagnostics } as const;
	});
	return { files: all, servers: [], omitted: { diagnostics: 0, files: 0 } };
}

test("a report that is small enough is sent unchanged", () => {
	const report = reportWith({ "a.ts": [error(1)] });
	expect(limitSize(report)).toBe(report);
});

test("a file's hundred thousand errors displace none of another file, and those that are cut are counted", () => {
	const many = Array.from({ length: 150_000 }, (_, index) => error(index + 1));
	const report = limitSize(reportWith({ "r.ts": many, "c.ts": [error(7)] }));
	const [r, c] = report.files;
	expect(c?.diagnostics).toEqual([error(7)]);
	expect(r?.diagnostics.length).toBeGreaterThan(1000);
	expect((r?.diagnostics.length ?? 0) + report.omitted.diagnostics).toBe(150_000);
	expect(JSON.stringify(report).length).toBeLessThan(4 << 20);
});

test("ten thousand diagnostics and a message of a megabyte are sent whole", () => {
	const many = Array.from({ length: 10_000 }, (_, index) => error(index + 1, { message: `finding ${index}` }));
	const report = reportWith({ "a.ts": [...many, error(10_001, { message: "y".repeat(1 << 20) })] });
	expect(limitSize(report)).toBe(report);
});

test("the most severe diagnostics are kept, in their order", () => {
	const hints = Array.from({ length: 50_000 }, (_, index) => error(index + 1, { severity: "hint" }));
	const [file] = limitSize(reportWith({ "a.ts": [...hints, error(50_001), error(50_002)] })).files;
	expect(file?.diagnostics.slice(-2)).toEqual([error(50_001), error(50_002)]);
	expect(file?.diagnostics[0]?.severity).toBe("hint");
});

test("messages of megabytes are cut before diagnostics are", () => {
	const long = Array.from({ length: 20 }, (_, index) => error(index + 1, { message: "x".repeat(1 << 20) }));
	const [file] = limitSize(reportWith({ "a.ts": long })).files;
	expect(file?.diagnostics).toHaveLength(20);
	for (const { message } of file?.diagnostics ?? []) expect(message).toMatch(/^x{4000}…$/);
});

test("a server's report of 30 MB is sent over the daemon's socket, and the daemon survives", () =>
	withWorkspace({ "a.fake": "x\n".repeat(100_000) }, async (ws) => {
		const items = Array.from({ length: 160_000 }, (_, index) => {
			const at = { line: index % 100_000, character: 0 };
			return { range: { start: at, end: at }, severity: 1, message: `wrong ${index} ${"y".repeat(60)}` };
		});
		const { command } = namedFake(ws, {
			on: [
				{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items } }] },
				{ method: "textDocument/hover", do: [{ reply: { contents: "here" } }] },
			],
		});
		const servers = { fake: { command, match: ["fake"], languageId: "fake", looseFiles: true } };
		ws.write("../config/pi-lsp/config.json", JSON.stringify({ servers }));
		const { stdout, stderr, code } = await ws.cli(["check", "a.fake", "--json", "--timeout", "30000"]);
		expect([code, stderr]).toEqual([1, ""]);
		const report = JSON.parse(stdout) as CheckReport;
		expect(report.files[0]?.diagnostics.length).toBeGreaterThan(1000);
		expect((report.files[0]?.diagnostics.length ?? 0) + report.omitted.diagnostics).toBe(160_000);
		const text = await ws.cli(["check", "a.fake", "--timeout", "30000"]);
		expect(text.stdout).toMatch(/\.\.\. and \d+ more/);
		expect((await ws.cli(["hover", "a.fake", "x"])).stdout).toBe("here\n");
		const raw = await ws.cli(["lsp", "a.fake", "textDocument/diagnostic"]);
		expect(raw.stderr).toMatch(/^LSP_ANSWER_TOO_LARGE: The answer has \d\d MB, and no more than 16 are sent/);
	}));
