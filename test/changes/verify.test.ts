import { describe, expect, test } from "vitest";
import type { Verification } from "../../src/operations/verify.ts";
import { isThere, withServers } from "../live/languages.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";
import { commitAll } from "./repository.ts";

const shop: Files = {
	...TYPESCRIPT_PROJECT,
	"package.json": '{ "name": "sample", "type": "module", "scripts": { "test": "node run.js" } }',
	".pi-lsp.json": '{ "graceMs": 20000 }',
	"run.js":
		'import { readFileSync } from "node:fs";\nif (readFileSync("src/cart.ts", "utf8").includes("wrong")) process.exit(1);\n',
	"src/cart.ts": "export function total(n: number) {\n\treturn n;\n}\n",
	"src/app.ts":
		'import { total } from "./cart.ts";\nexport const sum = total(1);\nexport const old: number = "was wrong before";\n',
	"test/cart.test.ts": 'import { total } from "../src/cart.ts";\ntotal(1);\n',
};

interface Verified {
	readonly code: number | string;
	readonly verification: Verification;
}

async function verify(ws: Workspace, trusted: boolean, ...args: readonly string[]): Promise<Verified> {
	const env = { ...withServers(ws.env), ...(trusted ? { PI_LSP_TRUST: "1" } : {}) };
	const { code, stdout } = await ws.cli(["verify", "--json", ...args], { env, timeoutMs: 180_000 });
	return { code, verification: JSON.parse(stdout) as Verification };
}

describe("verify", { timeout: 240_000 }, () => {
	test("passes without a change, and with a change whose files and tests are proven", () =>
		withWorkspace(shop, async (ws) => {
			commitAll(ws);
			expect(await verify(ws, true)).toMatchObject({ code: 0, verification: { verdict: "good", changed: [] } });
			ws.write("src/cart.ts", ws.read("src/cart.ts").replace("return n;", "return n + 0;"));
			const { code, verification } = await verify(ws, true);
			expect(verification).toMatchObject({
				verdict: "good",
				changed: ["src/cart.ts"],
				errors: [],
				unproven: [],
				tests: { outcome: "passed", ranAll: true, command: "npm test" },
			});
			expect(code).toBe(0);
		}));

	test("names new errors in other files and no old ones, unused symbols, and failing tests", () =>
		withWorkspace(shop, async (ws) => {
			commitAll(ws);
			ws.write("src/cart.ts", 'export function total(n: string) {\n\treturn n + "wrong";\n}\nfunction left() {}\n');
			const { code, verification } = await verify(ws, true);
			expect(verification.errors).toMatchObject([
				{ file: "src/app.ts", line: 2, code: "2345" },
				{ file: "test/cart.test.ts", line: 2, code: "2345" },
			]);
			expect(verification.unused).toEqual([{ symbol: "left", file: "src/cart.ts", line: 4 }]);
			expect(verification).toMatchObject({ verdict: "bad", tests: { outcome: "failed" } });
			expect(code).toBe(1);
			const text = await ws.cli(["verify", "--tests", "none"]);
			expect(text.stdout).toContain("Not good: 1 file differs from HEAD");
			expect(text.stdout).toContain("nothing uses what is new:\n  left  src/cart.ts:4");
			expect(text.code).toBe(1);
		}));

	test("is not proven if the tests to run are not trusted, and names the users that a removed symbol breaks", () =>
		withWorkspace(shop, async (ws) => {
			commitAll(ws);
			ws.write("src/cart.ts", ws.read("src/cart.ts").replace("return n;", "return n + 0;"));
			const untrusted = await verify(ws, false);
			expect(untrusted).toMatchObject({
				code: 3,
				verification: { verdict: "unproven", unproven: [{ what: "tests" }] },
			});
			ws.write("src/cart.ts", "export {};\n");
			const removed = await verify(ws, false, "--tests", "none");
			expect(removed.verification.errors).toMatchObject([
				{ file: "src/app.ts", line: 1 },
				{ file: "test/cart.test.ts", line: 1 },
			]);
			expect(removed.code).toBe(1);
		}));

	test("fails with a clear error without a repository, and for an unknown revision", () =>
		withWorkspace(shop, async (ws) => {
			expect(await ws.cli(["verify"])).toMatchObject({ code: 2, stderr: expect.stringContaining("no git repository") });
			commitAll(ws);
			const unknown = await ws.cli(["verify", "--base", "nowhere"]);
			expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('git knows no revision "nowhere"') });
		}));

	test.skipIf(!isThere("gopls"))("names files that lost their formatting (gopls)", () =>
		withWorkspace(
			{
				"go.mod": "module example.org/shop\n\ngo 1.21\n",
				"cart.go": "package shop\n\nfunc Total() int { return 1 }\n",
				"odd.go": "package shop\n\nfunc   Odd() int { return 1 }\n",
			},
			async (ws) => {
				commitAll(ws);
				ws.write("cart.go", "package shop\n\nfunc Total()   int { return 2 }\n");
				ws.write("odd.go", "package shop\n\nfunc   Odd() int { return 2 }\n");
				const { verification } = await verify(ws, false, "--tests", "none");
				expect(verification).toMatchObject({ verdict: "bad", unformatted: ["cart.go"], errors: [] });
			},
		),
	);
});
