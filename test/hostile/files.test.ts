import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { treeUsage } from "../../src/process/usage.ts";
import { daemonsOf } from "../daemon/daemon.ts";
import { FAKE_SERVER } from "../fakes/fake.ts";
import { isThere, withServers } from "../live/languages.ts";
import { named, noSandbox } from "../sandbox/sandbox-program.ts";
import { killProcessesOf } from "../support/processes.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const megabyte = 1024 * 1024;
const wrong = 'export const a: number = "1";\n';
const script: Files = { ...TYPESCRIPT_PROJECT, "src/a.ts": wrong, "src/lib/b.ts": "export const b = 1;\n" };
const python: Files = { "a.py": 'a: int = "1"\n', "pyproject.toml": "[project]\nname = 'x'\n" };

/**
 * The report of a check of `file`, and the most memory of the daemon alone and with its servers meanwhile and in the
 * two seconds after it.
 */
async function weighed(
	ws: Workspace,
	file: string,
	{ env = withServers(ws.env), args = [] }: { readonly env?: Record<string, string>; readonly args?: string[] } = {},
): Promise<{ readonly report: CheckReport; readonly alone: number; readonly together: number; readonly log: string }> {
	let alone = 0;
	let together = 0;
	const weigh = () => {
		for (const { pid } of daemonsOf(ws)) {
			alone = Math.max(alone, Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096);
			together = Math.max(together, treeUsage(pid)?.memoryBytes ?? 0);
		}
		// The limit is reached before the machine suffers.
		if (together > 2000 * megabyte) killProcessesOf(ws.runId);
	};
	const timer = setInterval(weigh, 50);
	try {
		const { stdout, stderr } = await ws.cli(["check", file, "--json", "--timeout", "20000", ...args], { env });
		// Trees are read and texts are indexed after the answer.
		for (let look = 0; look < 20; look++) await new Promise((resolve) => setTimeout(resolve, 100));
		// Only a daemon that still answers has a status.
		expect((await ws.cli(["status", "--json"])).code).toBe(0);
		const report = JSON.parse(stdout) as CheckReport;
		if (!report.files) throw new Error(stdout + stderr);
		const { stdout: log } = await ws.cli(["daemon", "logs", "--json"]);
		return { report, alone: alone / megabyte, together: together / megabyte, log };
	} finally {
		clearInterval(timer);
	}
}

function put(ws: Workspace, name: string, target = "/dev/zero"): void {
	mkdirSync(dirname(ws.path(name)), { recursive: true });
	rmSync(ws.path(name), { force: true });
	symlinkSync(target, ws.path(name));
}

describe.skipIf(process.platform !== "linux")("a link to /dev/zero costs one line in the log and no memory", () => {
	const harmless = [
		"src/.gitignore",
		".gitignore",
		".git/info/exclude",
		".pi-lsp.json",
		"node_modules/typescript/package.json",
	];
	const refused = ["package.json", "tsconfig.json"];
	for (const name of [...harmless, ...refused])
		test.concurrent(`if it is ${name} of a TypeScript project`, () =>
			withWorkspace(script, async (ws) => {
				execFileSync("git", ["init", "-q", "."], { cwd: ws.root, env: ws.env });
				put(ws, name);
				const { report, alone, together, log } = await weighed(ws, "src/a.ts");
				const [found] = report.files;
				if (harmless.includes(name)) expect(found?.diagnostics.map(({ code }) => code)).toEqual(["2322"]);
				else {
					expect(found?.state).toBe("unavailable");
					expect(found?.reason).toBe(`typescript would read ${name}, which leads to /dev/zero and is no regular file.`);
				}
				expect(log.match(/"event":"file refused".*/g) ?? []).toHaveLength(name === "tsconfig.json" ? 0 : 1);
				expect(alone).toBeLessThan(400);
				expect(together).toBeLessThan(1000);
			}));

	for (const typescript of ["7.0.2", "5.9.3"])
		test.skipIf(noSandbox).concurrent(named(`if "extends" names it, with TypeScript ${typescript}`), () => {
			const manifest = JSON.stringify({ devDependencies: { typescript } });
			const files = { ...script, "package.json": manifest, "tsconfig.json": '{ "extends": "./base.json" }\n' };
			return withWorkspace(files, async (ws) => {
				put(ws, "base.json");
				const env = { ...withServers(ws.env), PI_LSP_SANDBOX: "require" };
				const { report, together } = await weighed(ws, "src/a.ts", { env });
				expect(report.files[0]?.diagnostics.map(({ code }) => code)).toEqual(["2322"]);
				expect(together).toBeLessThan(1000);
			});
		});

	for (const name of ["pyproject.toml", "pyrightconfig.json"])
		test.skipIf(!isThere("pyright-langserver")).concurrent(`if it is ${name} of a project for pyright`, () =>
			withWorkspace(python, async (ws) => {
				execFileSync("git", ["init", "-q", "."], { cwd: ws.root, env: ws.env });
				put(ws, name);
				const { report, alone, together } = await weighed(ws, "a.py");
				expect(report.files[0]?.state).toBe("unavailable");
				expect(report.files[0]?.reason).toBe(
					`pyright would read ${name}, which leads to /dev/zero and is no regular file.`,
				);
				expect(alone).toBeLessThan(400);
				expect(together).toBeLessThan(1000);
			}),
		);
});

test
	.skipIf(process.platform !== "linux")
	.concurrent("git exits soon if a link in an unpacked .git leads to /dev/zero", () =>
		withWorkspace(script, async (ws) => {
			execFileSync("git", ["init", "-q", "-b", "main", "."], { cwd: ws.root, env: ws.env });
			put(ws, ".git/refs/heads/main");
			await expect(weighed(ws, "src/a.ts", { args: ["--base", "HEAD"] })).rejects.toThrow("git knows no revision");
		}),
	);

for (const target of ["/dev/zero", "a FIFO", "a link to /dev/zero"])
	test
		.skipIf(process.platform !== "linux")
		.concurrent(
			`a server that reports diagnostics of ${target} in an answer for another file does not have it read`,
			() =>
				withWorkspace({ "go.mod": "module x\n", "a.go": "package a\n" }, async (ws) => {
					const named: Readonly<Record<string, string>> = { "a FIFO": "b.go", "a link to /dev/zero": "c.go" };
					execFileSync("mkfifo", [ws.path("b.go")]);
					symlinkSync("/dev/zero", ws.path("c.go"));
					const uri = `file://${named[target] ? ws.path(named[target]) : target}`;
					const relatedDocuments = { [uri]: { kind: "full", items: [] } };
					const reply = { kind: "full", items: [], relatedDocuments };
					const scripted = `${ws.base}/script.json`;
					writeFileSync(scripted, JSON.stringify({ on: [{ method: "textDocument/diagnostic", do: [{ reply }] }] }));
					const bin = `${ws.base}/bin`;
					mkdirSync(bin);
					const program = `#!/bin/sh\nexec "${process.execPath}" "${FAKE_SERVER}" "${scripted}"\n`;
					writeFileSync(`${bin}/gopls`, program, { mode: 0o755 });
					const { report, alone } = await weighed(ws, "a.go", { env: { ...ws.env, PATH: `${bin}:${ws.env.PATH}` } });
					expect(report.files[0]).toMatchObject({ state: "fresh", diagnostics: [] });
					expect(alone).toBeLessThan(400);
				}),
		);

const otherUser = 65_534;
const above: Readonly<Record<string, (ws: Workspace) => void>> = {
	"above a workspace without a repository": () => {},
	"above a repository": (ws) => void execFileSync("git", ["init", "-q", "."], { cwd: ws.root, env: ws.env }),
	"next to a .git of that user, above a workspace without a repository": (ws) => {
		mkdirSync(`${ws.base}/.git`);
		chownSync(`${ws.base}/.git`, otherUser, otherUser);
	},
};
for (const [where, prepare] of Object.entries(above))
	test
		.skipIf(process.getuid?.() !== 0)
		.concurrent(`another user's configuration ${where} runs nothing, also with PI_LSP_TRUST=1`, () =>
			withWorkspace(script, async (ws) => {
				prepare(ws);
				const command = `${ws.base}/evil`;
				writeFileSync(command, `#!/bin/sh\necho ran > '${ws.base}/was-run'\n`, { mode: 0o755 });
				writeFileSync(`${ws.base}/.pi-lsp.json`, JSON.stringify({ servers: [{ id: "typescript", command }] }));
				chownSync(`${ws.base}/.pi-lsp.json`, otherUser, otherUser);
				const env = { ...ws.env, PI_LSP_TRUST: "1" };
				const { stdout } = await ws.cli(["check", "src/a.ts", "--timeout", "20000"], { env });
				expect(existsSync(`${ws.base}/was-run`)).toBe(false);
				expect(stdout).toContain("(ts2322)");
			}),
		);

test.concurrent("a configuration that is no regular file, or a link that leads out of the repository, is reported and ignored", () =>
	withWorkspace(script, async (ws) => {
		execFileSync("git", ["init", "-q", "."], { cwd: ws.root, env: ws.env });
		const problems = async () => {
			const { stdout } = await ws.cli(["trust", "--json"]);
			return (JSON.parse(stdout) as { problems: string[] }).problems;
		};
		execFileSync("mkfifo", [ws.path(".pi-lsp.json")]);
		expect(await problems()).toEqual([`${ws.path(".pi-lsp.json")}: is no regular file`]);
		writeFileSync(`${ws.base}/secret`, "{ token-of-somebody }");
		put(ws, ".pi-lsp.json", `${ws.base}/secret`);
		expect(await problems()).toEqual([`${ws.path(".pi-lsp.json")}: is a link that leads elsewhere`]);
		ws.write("config/own.json", '{ "mode": "never" }');
		put(ws, ".pi-lsp.json", "config/own.json");
		expect(await problems()).toEqual([expect.stringContaining('"mode"')]);
	}));
