import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { npmEnvironment, packed, succeed } from "../../install/packed.ts";
import { startLoopbackRegistry } from "../../support/loopback-registry.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const config = {
	compilerOptions: { module: "nodenext", target: "es2023", strict: true, types: ["node"], outDir: "built" },
	files: ["agent.mts", "events.mts", "smoke.mts", "common.cts"],
};

/** Code that an agent's host may write, and code that the compiler has to refuse. */
const smoke = `
import { createSession, type Diagnostic, type Session } from "pi-lsp";
import { createClient, type Client } from "pi-lsp/lsp";
import * as session from "pi-lsp/session";
import { type CheckReport, LspError, type Operations } from "pi-lsp/types";

const own: Session = createSession({ daemon: false });
const client: Client = createClient({ daemon: false });
const report: CheckReport = await own.check("src/a.ts", { timeout: 60_000 });
const found: readonly Diagnostic[] = report.files.flatMap(({ diagnostics }) => diagnostics);
console.log(report.files.map(({ state }) => state), found.map(({ code }) => code));
const edit: Operations["preview"]["input"] = { file: "src/a.ts", old_text: \`"one"\`, new_text: "1" };
const previewed = await own.preview(edit);
console.log(previewed.fixed, previewed.netDelta);
const { written, undo } = await own.apply(edit);
console.log(written, (await own.check("src/a.ts")).files.map(({ diagnostics }) => diagnostics.length));
if (undo !== undefined) await own.run("undo", { id: undo });
console.log((await own.check("src/a.ts")).files.map(({ diagnostics }) => diagnostics.length));
console.log(await own.ask("hover", { file: "src/a.ts", symbol: "a" }));
console.log(await client.request("textDocument/hover", { position: { line: 0, character: 13 } }, { file: "src/a.ts" }));
try {
	// @ts-expect-error There is no such operation.
	await own.run("nonsense", {});
} catch (thrown) {
	console.log(thrown instanceof LspError && thrown.code);
}
// @ts-expect-error A file is a text.
const wrong: Operations["hover"]["input"] = { file: 1 };
// @ts-expect-error This name has no values but one.
session.createClient;
await Promise.all([own.close(), client.close()]);
try {
	await own.check("src/a.ts");
} catch (thrown) {
	console.log(thrown instanceof LspError && thrown.message);
}
console.log(typeof session.createSession, typeof wrong);
`;

test(
	"a program imports the package, is compiled with its types, and gets the errors of an edit",
	{
		timeout: 240_000,
	},
	() =>
		withWorkspace({ ...TYPESCRIPT_PROJECT, "src/b.ts": "export const b = 1;\n" }, async (ws) => {
			const consumer = join(ws.base, "consumer");
			const env = await installInto(ws, consumer);
			writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(config));
			const [agentHost = "", events = ""] = examplesOf("docs/api.md");
			writeFileSync(join(consumer, "agent.mts"), agentHost);
			writeFileSync(join(consumer, "events.mts"), events);
			writeFileSync(join(consumer, "smoke.mts"), smoke);
			writeFileSync(
				join(consumer, "common.cts"),
				`import api = require("pi-lsp");\nimport session = require("pi-lsp/session");\nconsole.log(api.createSession === session.createSession);\n`,
			);
			await succeed(ws, join(consumer, "node_modules/.bin/tsc"), ["--project", consumer], env, consumer);
			const run = (file: string) => succeed(ws, process.execPath, [join(consumer, "built", file)], ws.env);

			const agent = await run("agent.mjs");
			expect(agent.stdout).toMatch(/^Wrote src\/a\.ts\.\n\n/);
			expect(agent.stdout).toContain("ERROR [1:14] Type 'string' is not assignable to type 'number'. (ts2322)");
			expect(agent.stdout).toMatch(/\nNothing was found late\.\n$/);

			const heard = await run("events.mjs");
			expect(heard.stdout).toContain("typescript is ready\n");
			expect(heard.stdout).toContain("src/a.ts: 1 now\n");

			const { stdout } = await run("smoke.mjs");
			expect(stdout).toContain("[ 'fresh' ] [ '2322' ]");
			expect(stdout).toContain("1 -1\n[ 'src/a.ts' ] [ 0 ]\n[ 1 ]\n");
			expect(stdout).toContain("const a: number");
			expect(stdout).toContain("contents");
			expect(stdout).toContain("LSP_UNKNOWN_OPERATION\nThe session is closed.\nfunction object\n");
			expect((await run("common.cjs")).stdout).toBe("true\n");
			await succeed(ws, process.execPath, [join(consumer, "node_modules/pi-lsp/dist/cli.cjs"), "stop"], ws.env);
		}),
);

async function installInto(ws: Workspace, consumer: string): Promise<Record<string, string>> {
	const tarball = await packed(ws);
	const registry = await startLoopbackRegistry(join(ws.base, "registry"), { "pi-lsp": tarball });
	try {
		const { npm_config_prefix: _, ...env } = npmEnvironment(ws, registry);
		mkdirSync(consumer);
		writeFileSync(join(consumer, "package.json"), `{ "name": "consumer", "private": true, "type": "module" }`);
		await succeed(ws, "npm", ["install", "pi-lsp", "@types/node"], env, consumer);
		return env;
	} finally {
		await registry.close();
	}
}

/** The TypeScript blocks of a page. */
function examplesOf(page: string): string[] {
	const blocks = readFileSync(join(REPOSITORY, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
	return [...blocks].map(([, block = ""]) => block);
}
