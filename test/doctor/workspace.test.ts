import { mkdirSync } from "node:fs";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import "../../src/daemon/parse-input.ts";
import { readSettings, type Settings } from "../../src/config/read-settings.ts";
import type { Examination } from "../../src/contract/doctor-report.ts";
import { examineWorkspace } from "../../src/doctor/examine.ts";
import { doctor } from "../../src/operations/doctor.ts";
import { operations } from "../../src/operations/index.ts";
import { Pool } from "../../src/pool/pool.ts";
import { surveyLanguages } from "../../src/routing/survey-languages.ts";
import { withTree } from "../config/tree.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { processesOf } from "../support/processes.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

const plain: Omit<ServerConfig, "id" | "match"> = {
	command: "/no/such/program",
	args: [],
	rootMarkers: [],
	looseFiles: true,
	languageId: "plain",
};

describe("the languages of a workspace", () => {
	const servers: ServerConfig[] = [
		{ ...plain, id: "a", match: ["a"], languageId: "aye" },
		{ ...plain, id: "b", match: ["b"], languageId: "bee" },
		{ ...plain, id: "lint", match: ["a", "c"], role: "linter" },
	];
	const { signal } = new AbortController();

	test("are ranked by their files; files that are ignored, installed or of no server's language are not counted", () =>
		withTree(["1.b", "x/2.b", "x/y/3.b", "z/1.a", "z/2.a", "n.c", "node_modules/p/1.a", "out/1.a"], async (tree) => {
			tree.mkdir(".git");
			tree.write(".gitignore", "out/\n");
			const survey = await surveyLanguages(tree.base, servers, signal);
			expect(survey.languages.map(({ id, files }) => [id, files])).toEqual([
				["bee", 3],
				["aye", 2],
			]);
			expect(survey).toMatchObject({ files: 7, more: false });
			expect([...(survey.languages[0]?.samples.values() ?? [])].map((path) => path.slice(tree.base.length))).toEqual([
				"/1.b",
				"/x/2.b",
				"/x/y/3.b",
			]);
		}));

	test("are counted to a bound, near files first", () =>
		withTree(["deep/deep/1.b", ...Array.from({ length: 5000 }, (_, index) => `${index}.a`)], async (tree) => {
			const survey = await surveyLanguages(tree.base, servers, signal);
			expect(survey).toMatchObject({ files: 5000, more: true });
			expect(survey.languages.map(({ id, files }) => [id, files])).toEqual([["aye", 5000]]);
		}));
});

/** Examines the fake's directory with these servers next to the fake. */
function examined(
	script: Script,
	others: (fake: Fake) => readonly ServerConfig[],
	look: (found: Examination, fake: Fake) => void,
	{
		before = async () => {},
		over = {},
	}: { before?: (fake: Fake, pool: Pool) => Promise<void>; over?: Partial<Settings> } = {},
): Promise<void> {
	return withFake(script, async (fake) => {
		fake.write("a.fake", "one\n");
		mkdirSync(`${fake.root}/.git`);
		const pool = new Pool(() => {});
		try {
			await before(fake, pool);
			const own = await readSettings(fake.root);
			const settings = {
				...own,
				sandbox: "off" as const,
				servers: [fake.config, ...others(fake)],
				disabled: new Set<string>(),
				...over,
			};
			const { signal } = new AbortController();
			const env = async () => fake.env;
			const found = await examineWorkspace({ pool, settings, cwd: fake.root, env, signal, operations });
			expect([...Value.Errors(doctor.output, found)]).toEqual([]);
			look(found, fake);
		} finally {
			await pool.stop();
		}
	});
}

const ask = (fake: Fake, pool: Pool) =>
	pool.use(fake.route, { workspace: fake.root, env: async () => fake.env }, async () => {});

describe("each server of a workspace", () => {
	test("is installed, missing, not trusted, without a project or disabled; none is started", () =>
		examined(
			{},
			() => [
				{ ...plain, id: "gone", match: ["fake"], command: "gone-ls", install: { npm: ["gone"] }, prerequisites: [] },
				{ ...plain, id: "lint", match: ["fake"], role: "linter", usedBy: { files: ["a.fake"] }, install: "get lint" },
				{ ...plain, id: "unused", match: ["fake"], role: "linter", usedBy: { files: ["nowhere"] } },
				{ ...plain, id: "wild", match: ["fake"], command: process.execPath, runsRepositoryCode: true },
				{ ...plain, id: "lost", match: ["fake"], looseFiles: false, rootMarkers: ["lost.toml"] },
				{ ...plain, id: "off", match: ["fake"] },
				{ ...plain, id: "needy", match: ["fake"], command: process.execPath, prerequisites: ["node", "no-such-jdk"] },
			],
			({ servers, languages, prerequisites, files, workspace }, fake) => {
				expect({ files, workspace }).toEqual({ files: 1, workspace: fake.root });
				const answering = ["fake", "gone", "wild", "lost", "needy", "lint"];
				expect(languages).toEqual([{ id: "fake", files: 1, servers: answering }]);
				expect(servers.map(({ id, condition }) => [id, condition])).toEqual([
					["fake", "installed"],
					["gone", "missing"],
					["wild", "untrusted"],
					["lost", "no_project"],
					["needy", "missing"],
					["lint", "missing"],
					["off", "disabled"],
				]);
				const [, gone, wild, lost, needy, lint] = servers;
				expect(gone?.install).toBe("npm install -g gone");
				expect(lint?.install).toBe("get lint");
				expect(wild?.allow).toContain("trust");
				expect(lost?.error).toContain("lost.toml");
				expect(needy?.error).toContain("no-such-jdk");
				expect(prerequisites).toContainEqual({ name: "no-such-jdk", neededBy: ["needy"] });
				expect(prerequisites).toContainEqual({ name: "node", path: expect.any(String), neededBy: ["needy"] });
				expect(prerequisites).toContainEqual(expect.objectContaining({ name: "npm", neededBy: ["gone"] }));
				expect(fake.starts()).toBe(0);
			},
			{ over: { disabled: new Set(["off"]) } },
		));

	test("reports its version, its strategy and its features if it runs", () =>
		examined(
			{},
			() => [],
			({ servers: [server] }) =>
				expect(server).toMatchObject({ condition: "running", version: "1.0.0", strategy: "pull", detected: true }),
			{ before: ask },
		));

	test("is broken if it failed to start, and its last output is shown", () =>
		examined(
			{ start: [{ stderr: "no license\n" }, { crash: 9 }] },
			() => [],
			({ servers: [server] }) => {
				expect(server).toMatchObject({ condition: "broken", stderr: "no license" });
				expect(doctor.render({ ...doctor.example.output, servers: server ? [server] : [] }, {})).toContain(
					"| no license",
				);
				expect(doctor.exitCode?.({ ...doctor.example.output, servers: server ? [server] : [] })).toBe(1);
			},
			{ before: (fake, pool) => ask(fake, pool).catch(() => {}) },
		));
});

test("every operation that reads names the server feature that it needs, unless it also answers without one", () => {
	const asksNone = ["servers", "capabilities", "tests_for", "architecture"];
	const silent = operations.filter(
		({ effect, requests, needsDiagnostics }) => effect === "read" && !requests?.length && !needsDiagnostics,
	);
	expect(silent.map(({ name }) => name).sort()).toEqual(asksNone.sort());
});

describe("pi-lsp doctor", () => {
	const files = { ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a = 1;\n", "b.py": "x = 1\n", "c.py": "y = 1\n" };
	const path = `${process.execPath.replace(/\/[^/]*$/, "")}:/usr/bin:/bin`;

	test("reports the same in its own process and through the daemon, and starts no server", () =>
		withWorkspace(files, async (ws) => {
			const env = { ...ws.env, PATH: path };
			const here = await ws.cli(["doctor", "--no-daemon"], { env });
			const there = await ws.cli(["doctor"], { env });
			expect(there.stdout).toBe(here.stdout);
			expect(here.code).toBe(0);
			expect(here.stdout).toMatch(/^ {2}python +2 {2}pyright/m);
			expect(here.stdout).toMatch(/^typescript: installed, pull as declared$/m);
			expect(here.stdout).toMatch(/^pyright: missing, pull as declared\n {2}Install it: .*pyright@[\d.]+$/m);
			const { languages } = JSON.parse((await ws.cli(["doctor", "--json"], { env })).stdout) as Examination;
			expect(languages[0]).toMatchObject({ id: "python", files: 2 });
			const others = processesOf(ws.runId).filter(({ argv }) => !argv.some((word) => word.includes("daemon.cjs")));
			expect(others).toEqual([]);
		}));

	test.each([[], ["--no-daemon"]])("names the variables of the caller that no server gets (%j)", (...args: string[]) =>
		withWorkspace(files, async (ws) => {
			const env = { ...ws.env, MY_TOKEN: "x", PYTHONPATH: "/lib" };
			const { stdout } = await ws.cli(["doctor", ...args], { env });
			expect(stdout).toMatch(/^No server gets [^;]*\bMY_TOKEN\b/m);
			expect(stdout).not.toContain("PYTHONPATH");
		}),
	);

	test("tests the server of a file if one is given", () =>
		withWorkspace(files, async (ws) => {
			const { code, stdout } = await ws.cli(["doctor", "src/a.ts", "--json"]);
			expect(code).toBe(0);
			const [server] = (JSON.parse(stdout) as Examination).servers;
			expect(server).toMatchObject({
				id: "typescript",
				condition: "running",
				strategy: "pull",
				probe: { differs: [] },
			});
			expect(server?.capabilities).toContain("rename");
			expect(ws.read("src/a.ts")).toBe(files["src/a.ts"]);
			expect((await ws.cli(["check", "src/a.ts"])).code).toBe(0);
			expect((await ws.cli(["doctor"])).stdout).toMatch(/^typescript 7\S+: running, pull$/m);
		}));

	test("reports a mistake in the file's name as every command does", () =>
		withWorkspace(files, async (ws) => {
			expect((await ws.cli(["doctor", "none.ts"])).code).toBe(2);
			const unknown = await ws.cli(["doctor", "a", "b"]);
			expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 2, stdout: "" });
		}));
});
