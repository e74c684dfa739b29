import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "./support/repository.ts";
import { withWorkspace } from "./support/workspace.ts";

test("The package holds the licence of every package that its bundles contain", () => {
	const text = readFileSync(join(REPOSITORY, "dist/licenses.txt"), "utf8");
	expect(text).toMatch(/^@modelcontextprotocol\/server \d+\.\d+\.\d+ \(Apache-2\.0\)\n\n[\s\S]{0,400}Apache License/m);
	expect(text).toMatch(/^vscode-jsonrpc \d+\.\d+\.\d+ \(MIT\)\n\n.*Microsoft Corporation/m);
	expect(text).not.toMatch(/\(undefined\)/);
});

test("A bundled package is named once, also one inside another, and a package without a licence fails the build", () =>
	withWorkspace(
		{
			"node_modules/a/package.json": '{ "name": "a", "version": "1.0.0", "license": "MIT" }',
			"node_modules/a/LICENSE.md": "Text of a",
			"node_modules/a/node_modules/@s/b/package.json": '{ "name": "@s/b", "version": "2.0.0", "license": "ISC" }',
			"node_modules/c/package.json": '{ "name": "c", "version": "1.0.0" }',
		},
		async ({ root }) => {
			const { licensesOf }: { licensesOf(inputs: readonly string[], root: string): string } = await import(
				join(REPOSITORY, "scripts/licenses.mjs")
			);
			const inputs = [
				"src/x.ts",
				"node_modules/a/1.js",
				"node_modules/a/2.js",
				"node_modules/a/node_modules/@s/b/i.js",
			];
			const text = licensesOf(inputs, root);
			expect(text.match(/^.* \([A-Z]+\)$/gm)).toEqual(["@s/b 2.0.0 (ISC)", "a 1.0.0 (MIT)"]);
			expect(text).toContain("Text of a");
			expect(() => licensesOf(["node_modules/c/i.js"], root)).toThrow("c has no licence");
		},
	));
