import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOSTS_FOLDER } from "../../../../faces/pi/hosts.ts";
import { REPOSITORY } from "../../../../support/repository.ts";
import { runCommand } from "../../../../support/run-command.ts";
import { met, notYet, until } from "../../../../support/until.ts";
import { type Workspace, withWorkspace } from "../../../../support/workspace.ts";

const modules = join(HOSTS_FOLDER, "node_modules");
const suite = join(modules, "@modelcontextprotocol/conformance");
/** The suite requires another Node than this repository. */
const node = join(modules, `node-${process.platform}-${process.arch}/bin/node`);
const isThere = existsSync(suite) && existsSync(node);

/** The scenarios that a revision of the protocol requires of servers. */
function required(revision: string): string[] {
	const text = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
	const [, list = ""] = /^server:\n((?: {2}.*\n|\n)*)/m.exec(text) ?? [];
	return [...list.matchAll(/^ {2}- (\S+)$/gm)].flatMap(([, name]) => name ?? []);
}

/**
 * The program is one file, since over standard streams each session is a process; it is next to the packages that it
 * loads.
 */
const server = join(REPOSITORY, `node_modules/.cache/pi-lsp/conformance-${process.pid}.mjs`);
const bridge = [join(REPOSITORY, "scripts/run-ts.mjs"), join(import.meta.dirname, "bridge.ts")];
const programs = {
	HTTP: [server],
	"standard input and output": [...bridge, process.execPath, server, "--stdio"],
};

beforeAll(async () => {
	const entryPoints = [join(import.meta.dirname, "server.ts")];
	await build({ entryPoints, outfile: server, bundle: true, packages: "external", platform: "node", format: "esm" });
});
afterAll(() => rmSync(server, { force: true }));

/** Runs `body` with the address of a program that answers for the suite. */
async function withFixtures(
	ws: Workspace,
	program: readonly string[],
	body: (url: string) => Promise<void>,
): Promise<void> {
	const child = spawn(process.execPath, program, {
		cwd: REPOSITORY,
		env: { ...ws.env },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const exit = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr += text;
	});
	try {
		await body(
			await until("it says where it listens", () => {
				const [, url] = /^listening on (\S+)$/m.exec(stderr) ?? [];
				return url === undefined ? notYet(stderr) : met(url);
			}),
		);
	} finally {
		child.kill("SIGTERM");
	}
	expect(await exit).toBe(0);
}

/** Over standard streams a process starts for each of some sixty sessions. */
const timeoutMs = 150_000;

// The suite comes with `node scripts/install-hosts.mjs`.
test.skipIf(!isThere).each([
	["2026-07-28", "HTTP", 37],
	["2025-11-25", "HTTP", 30],
	["2026-07-28", "standard input and output", 37],
	["2025-11-25", "standard input and output", 30],
] as const)(
	"the official suite finds every requirement of %s met over %s",
	async (revision, transport, count) => {
		const names = required(revision);
		expect(names).toHaveLength(count);
		await withWorkspace({}, (ws) =>
			withFixtures(ws, programs[transport], async (url) => {
				const args = [join(suite, "dist/index.js"), "server", "--url", url, "--requirements", revision];
				const options = { cwd: ws.root, env: ws.env, timeoutMs };
				const { code, stdout, stderr } = await runCommand(node, args, options);
				const passed = [...stdout.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, name]) => name);
				expect(
					names.filter((name) => !passed.includes(name)),
					stderr,
				).toEqual([]);
				expect(code).toBe(0);
			}),
		);
	},
	2 * timeoutMs,
);
