import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { readSettings } from "../../src/config/read-settings.ts";
import type { ServerExamination } from "../../src/contract/doctor-report.ts";
import { collectPushes } from "../../src/diagnostics/sources/push.ts";
import { examineFile } from "../../src/doctor/examine.ts";
import { operations } from "../../src/operations/index.ts";
import { Pool } from "../../src/pool/pool.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";

const text = "one\nWRONG\nthree\n";

/** Examines one file with the fake as its only server, and looks at the pool while it exists. */
function examined(
	script: Script,
	config: Partial<ServerConfig>,
	look: (server: ServerExamination, fake: Fake, pool: Pool) => Promise<void> | void,
	during: (fake: Fake, pool: Pool) => Promise<void> = async () => {},
): Promise<void> {
	return withFake(
		script,
		async (fake) => {
			const path = fake.write("a.fake", text);
			const pool = new Pool(() => {});
			pool.onStarted = collectPushes;
			try {
				const own = await readSettings(fake.root);
				const settings = { ...own, sandbox: "off" as const, servers: [fake.config], disabled: new Set<string>() };
				const { signal } = new AbortController();
				const patient = { pool, settings, cwd: fake.root, env: async () => fake.env, signal, operations };
				const [{ servers }] = await Promise.all([examineFile(patient, "a.fake"), during(fake, pool)]);
				expect(servers).toHaveLength(1);
				expect(readFileSync(path, "utf8")).toBe(text);
				await look(servers[0] as ServerExamination, fake, pool);
			} finally {
				await pool.stop();
			}
		},
		config,
	);
}

const pushing = { diagnosticProvider: null, documentSymbolProvider: true };

describe("a probe of a server detects", () => {
	test("an answer to a pull", () =>
		examined({}, { strategy: "pull" }, ({ condition, version, strategy, capabilities, operations, probe }) => {
			expect({ condition, version, strategy }).toEqual({ condition: "running", version: "1.0.0", strategy: "pull" });
			expect(capabilities).toEqual(["definition", "diagnostic", "hover", "references"]);
			expect(operations?.slice(0, 5)).toEqual(["check", "diagnostics", "hover", "definition", "references"]);
			// A feature of several requests is present if one of them is.
			expect(operations?.slice(5)).toEqual([
				...["delete_symbol", "preview", "apply_if_clean", "compare", "simulate_evaluate", "simulate_chain"],
				...["explore", "documentation", "impact", "cross_repo", "unused"],
			]);
			expect(probe).toMatchObject({ offersPull: true, detected: "pull", differs: [] });
			expect([probe?.pullMs, probe?.errorSeenMs, probe?.errorGoneMs].every((ms) => ms !== undefined)).toBe(true);
			expect(probe?.pushMs).toBeUndefined();
		}));

	test("pushes with the document's version", () =>
		examined({ publishes: "versioned", capabilities: pushing }, {}, ({ strategy, detected, probe }) => {
			expect({ strategy, detected }).toEqual({ strategy: "push", detected: true });
			expect(probe).toMatchObject({ offersPull: false, pushVersioned: true, pushesUnchanged: true, differs: [] });
			expect(probe?.detected).toBe("versioned-push");
			expect(probe?.errorGoneMs).toEqual(expect.any(Number));
		}));

	test("pushes without a version, and none for an unchanged result", () =>
		examined({ publishes: "changes", capabilities: pushing }, { strategy: "push" }, ({ probe }) => {
			expect(probe).toMatchObject({ pushVersioned: false, pushesUnchanged: false, detected: "push", differs: [] });
			expect(probe?.errorSeenMs).toEqual(expect.any(Number));
		}));

	test("a declared strategy that the server does not follow", () =>
		examined({ publishes: "plain", capabilities: pushing }, { strategy: "versioned-push" }, ({ probe }) => {
			expect(probe?.detected).toBe("push");
			expect(probe?.differs).toEqual(["versioned-push is declared, push is what it does"]);
		}));

	test("a pull that is answered with outdated results", () =>
		examined(
			{ on: [{ method: "textDocument/diagnostic", nth: 3, do: [{ reply: { kind: "full", items: [stale] } }] }] },
			{},
			({ probe }) => {
				expect(probe?.errorSeenMs).toEqual(expect.any(Number));
				expect(probe?.errorGoneMs).toBeUndefined();
				expect(probe?.differs).toEqual(["the syntax error is still reported after the true text was restored"]);
			},
		));

	test("diagnostics of a server that is declared to have none", () =>
		examined({ publishes: "plain" }, { diagnoses: false }, ({ strategy, operations, probe }) => {
			expect(strategy).toBeUndefined();
			expect(operations).not.toContain("check");
			expect(probe?.differs).toEqual(["it is declared to report no diagnostics, and reports some"]);
		}));
});

/** The fake's diagnostics for the syntax error, which is after the last line. */
const stale = {
	range: { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } },
	severity: 1,
	code: "wrong",
	source: "fake",
	message: "This is WRONG.",
};

test("no other caller sees the syntax error, and the original text is restored", () =>
	examined(
		{},
		{},
		async (_, fake, pool) => {
			expect(pool.servers()[0]?.documents.get(`${fake.root}/a.fake`)?.text).toBe(text);
			const sent = fake.received("textDocument/didChange").map(({ params }) => JSON.stringify(params));
			expect(sent.some((params) => params.includes(")]}"))).toBe(true);
			expect(sent.at(-1)).toContain(JSON.stringify(text));
			const answers = fake.received("textDocument/hover");
			expect(answers.length).toBeGreaterThan(0);
			// Before each request, the fake had got the original text last.
			let broken = false;
			for (const { got } of fake.record()) {
				if (got?.method === "textDocument/didChange") broken = JSON.stringify(got.params).includes(")]}");
				if (got?.method === "textDocument/hover") expect(broken).toBe(false);
			}
		},
		async (fake, pool) => {
			for (let round = 0; round < 10; round++)
				await pool.use(fake.route, { workspace: fake.root, env: async () => fake.env }, (server) =>
					server.turns.read(async () => {
						await server.request("textDocument/hover", { textDocument: { uri: "file:///a" } });
						await new Promise((resolve) => setTimeout(resolve, 20));
					}),
				);
		},
	));

test("a server that crashes is broken, and its last output is shown", () =>
	examined(
		{ start: [{ stderr: "reading\nno license\n" }, { crash: 9 }] },
		{},
		({ condition, error, stderr, probe }) => {
			expect(condition).toBe("broken");
			expect(error).toContain("exited with code 9");
			expect(stderr).toBe("reading\nno license");
			expect(probe).toBeUndefined();
		},
	));

test("a server that crashes at the syntax error is broken as well, and is not asked twice", () =>
	examined(
		{ on: [{ method: "textDocument/diagnostic", nth: 2, do: [{ stderr: "panic\n" }, { crash: 3 }] }] },
		{},
		({ condition, error, stderr }, fake) => {
			expect({ condition, stderr }).toEqual({ condition: "broken", stderr: "panic" });
			expect(error).toContain("exited with code 3");
			expect(fake.starts()).toBe(1);
		},
	));
