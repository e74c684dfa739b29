import { chmodSync, symlinkSync } from "node:fs";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import type { SandboxMode } from "../../src/contract/doctor-report.ts";
import { examineWorkspace } from "../../src/doctor/examine.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { doctor } from "../../src/operations/doctor.ts";
import { Pool } from "../../src/pool/pool.ts";
import { entryKey } from "../../src/pool/server-entry.ts";
import type { Environment } from "../../src/process/environment.ts";
import type { LaunchCommand } from "../../src/process/server-process.ts";
import { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type Tree, withTree } from "../config/tree.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import { withServers } from "../live/languages.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";
import { named, noSandbox, sandboxProgram } from "./sandbox-program.ts";

/** A PATH without a sandbox's program. */
const bare = { PATH: "/nonexistent" };

describe("the sandbox of servers of untrusted trees", () => {
	const settings = (tree: Tree, sandbox?: string) =>
		readSettings(tree.path("ws"), { env: { XDG_CONFIG_HOME: tree.path("config") }, sandbox });

	test("is automatic, or set by the user's configuration", () =>
		withTree(["ws/"], async (tree) => {
			expect((await settings(tree)).sandbox).toBe("auto");
			tree.write("config/pi-lsp/config.json", '{"sandbox":"require"}');
			expect(await settings(tree)).toMatchObject({ sandbox: "require", problems: [] });
			tree.write("config/pi-lsp/config.json", '{"sandbox":true}');
			expect(await settings(tree)).toMatchObject({
				sandbox: "auto",
				problems: [expect.stringContaining('"sandbox" must be one of auto, require, off, not true')],
			});
		}));

	test("is not set by a repository, trusted or not", () =>
		withTree(["ws/"], async (tree) => {
			tree.write("ws/.pi-lsp.json", '{"sandbox":"off"}');
			const problems = [expect.stringContaining("counts in the user's own configuration only")];
			expect(await settings(tree)).toMatchObject({ sandbox: "auto", problems });
			const env = { XDG_CONFIG_HOME: tree.path("config") };
			expect(await readSettings(tree.path("ws"), { env, trust: true })).toMatchObject({ sandbox: "auto", problems });
		}));

	test("is set by PI_LSP_SANDBOX, over the configuration; a mistake in it is reported and changes nothing", () =>
		withTree(["ws/"], async (tree) => {
			tree.write("config/pi-lsp/config.json", '{"sandbox":"require"}');
			expect(await settings(tree, "off")).toMatchObject({ sandbox: "off", problems: [] });
			expect(await settings(tree, "never")).toMatchObject({
				sandbox: "require",
				problems: ['PI_LSP_SANDBOX must be one of auto, require, off, not "never"'],
			});
		}));

	test("is set by each caller for itself, over a daemon that another one started", () =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": "export const a = 1;\n" }, async (ws) => {
			const check = (PI_LSP_SANDBOX: string) =>
				ws.cli(["check", "src/a.ts"], { env: { ...ws.env, ...bare, PI_LSP_SANDBOX } });
			expect((await check("off")).code).toBe(0);
			const refused = await check("require");
			expect(refused.code).toBe(3);
			expect(refused.stdout).toContain(
				"typescript is not started without a sandbox, and there is none: bwrap (bubblewrap) is not on PATH)",
			);
			const trusting = { ...ws.env, ...bare, PI_LSP_SANDBOX: "require", PI_LSP_TRUST: "1" };
			expect((await ws.cli(["check", "src/a.ts"], { env: trusting })).code).toBe(0);
			const hover = await ws.cli(["hover", "src/a.ts:1:14"], {
				env: { ...ws.env, ...bare, PI_LSP_SANDBOX: "require" },
			});
			expect(hover.stderr).toContain("LSP_SERVER_UNTRUSTED");
			expect(hover.stderr).toContain("Install bubblewrap");
		}));
});

/** The command line with which the pool starts a fake server. */
async function launchOf(fake: Fake, sandbox: SandboxMode, env: Environment): Promise<LaunchCommand> {
	const pool = new Pool(() => {});
	try {
		const caller = { workspace: fake.root, env: async () => env };
		return await pool.use({ ...fake.route, sandbox }, caller, async ({ launch }) => launch);
	} finally {
		await pool.close();
	}
}

describe("a started server", () => {
	test("is not in a sandbox if there is none, and refused if one is required", () =>
		withFake({}, async (fake) => {
			const start = (mode: "auto" | "require" | "off") => launchOf(fake, mode, { ...fake.env, ...bare });
			expect((await start("off")).sandbox).toBeUndefined();
			expect((await start("auto")).sandbox).toBeUndefined();
			await expect(start("require")).rejects.toMatchObject({
				code: "LSP_SERVER_UNTRUSTED",
				message: expect.stringContaining("is not on PATH"),
				details: { server: "fake", suggestion: expect.stringContaining("bubblewrap") },
			});
		}));

	test("is not shared by callers with different settings", () =>
		withFake({}, async ({ route }) => {
			const keys = (["auto", "require", "off"] as const).map((sandbox) => entryKey({ ...route, sandbox }));
			expect(new Set(keys).size).toBe(3);
			expect(entryKey(route)).toBe(keys[2]);
		}));

	test.skipIf(noSandbox)(
		named("has directories of its own for what it writes, and the person's for what it reads"),
		() =>
			withFake(
				{},
				async (fake) => {
					const env = { ...withServers(fake.env), XDG_CACHE_HOME: `${fake.root}/../cache`, GOCACHE: "/home/me/go" };
					const { config, root } = fake;
					const command = await launchCommand(config, { root, workspace: root, trusted: false }, env);
					const sandboxed = { config, root, workspace: root, env, mode: "auto" } as const;
					const launch = await new Sandbox().around(command, sandboxed);
					const own = launch.env.XDG_CACHE_HOME ?? "";
					expect(own).toMatch(/\/cache\/pi-lsp\/untrusted\/fake\/[0-9a-f]{16}$/);
					expect(launch.env).toMatchObject({ GOCACHE: `${own}/go-build`, TMPDIR: "/tmp", GOPROXY: "off" });
					expect(launch.env.DENO_DIR).toMatch(/\/cache\/deno$/);
					expect(launch.env.XDG_RUNTIME_DIR).toBeUndefined();
					expect(launch.sandbox?.file).toBe(sandboxProgram);
					// The report names the server, not the program through which it is started.
					expect(launch.file).toBe(fake.config.command);
				},
				{ sandbox: { writes: { GOCACHE: "go-build" }, reads: { DENO_DIR: "deno" }, environment: { GOPROXY: "off" } } },
			),
	);

	test.skipIf(noSandbox)(named("is not put into a sandbox by a program of the workspace"), () =>
		withFake({}, async (fake) => {
			symlinkSync(sandboxProgram, `${fake.root}/bwrap`);
			const state = await new Sandbox().state(fake.root, { PATH: fake.root });
			expect(state).toEqual({ reason: "bwrap (bubblewrap) is not on PATH" });
		}),
	);

	test("is reported with the reason why an installed program makes no sandbox", () =>
		withTree(["ws/"], async (tree) => {
			chmodSync(tree.write("bin/bwrap", '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n'), 0o755);
			const state = await new Sandbox().state(tree.path("ws"), { PATH: `${tree.path("bin")}:/usr/bin:/bin` });
			expect(state).toEqual({ reason: "bwrap: No permissions" });
		}));
});

describe("doctor", () => {
	const { example } = doctor;
	const line = (sandbox: typeof example.output.sandbox) =>
		doctor.render({ ...example.output, sandbox }, {}).split("\n")[2];

	test("reports whether there is a sandbox, and why not", () => {
		expect(line({ mode: "auto", program: "/usr/bin/bwrap" })).toBe(
			"sandbox: servers of trees that are not trusted run in one, by /usr/bin/bwrap",
		);
		expect(line({ mode: "auto", reason: "bwrap: No permissions" })).toBe(
			"sandbox: none, servers of trees that are not trusted run without one: bwrap: No permissions",
		);
		expect(line({ mode: "require", reason: "none for win32" })).toBe(
			"sandbox: none, servers of trees that are not trusted do not run: none for win32",
		);
		expect(line({ mode: "off", program: "/usr/bin/bwrap" })).toBe("sandbox: switched off");
	});

	test("reports the result on this machine", () =>
		withTree(["ws/"], async (tree) => {
			const settings = await readSettings(tree.path("ws"), { env: {} });
			const { signal } = new AbortController();
			const env = async () => withServers({ PATH: process.env.PATH ?? "" });
			const patient = { pool: new Pool(() => {}), settings, cwd: tree.path("ws"), env, signal, operations: [] };
			const { sandbox } = await examineWorkspace(patient);
			expect(sandbox).toEqual({ mode: "auto", ...(noSandbox ? { reason: noSandbox } : { program: sandboxProgram }) });
		}));
});
