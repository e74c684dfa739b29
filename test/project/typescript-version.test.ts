import { describe, expect, test } from "vitest";
import { typescriptMajor } from "../../src/project/typescript-version.ts";
import { withTree } from "../config/tree.ts";

const installed = "node_modules/typescript/package.json";
const manifest = (range: unknown, section = "devDependencies") => JSON.stringify({ [section]: { typescript: range } });

function majorIn(
	files: Readonly<Record<string, string>>,
	file = "src/a.ts",
	ceiling = "",
): Promise<number | undefined> {
	return withTree([file], async (tree) => {
		for (const [name, text] of Object.entries(files)) tree.write(name, text);
		return typescriptMajor(tree.path(file), tree.path(ceiling));
	});
}

describe("a declared range gives the major version", () => {
	test.each([
		["5.9.3", 5],
		["^5.9.3", 5],
		["~5.4", 5],
		["5.x", 5],
		["5", 5],
		["v5.1.0", 5],
		["=5.1.0", 5],
		[" 5.4 ", 5],
		[">=4.7 <6", 4],
		["4.9 - 5.2", 4],
		["^4.9 || ^5", 4],
		["<6", 5],
		["<=5.9", 5],
		["<6.0.0-0", 5],
		["~7.0.2", 7],
		["7.0.0-dev.20260101", 7],
		["npm:typescript@~5.4", 5],
		["npm:@typescript/native-preview@7.0.0-dev.1", 7],
		["github:microsoft/TypeScript#v5.4.5", 5],
	])("%j", async (range, major) => {
		expect(await majorIn({ "package.json": manifest(range) })).toBe(major);
	});

	test.each([
		"latest",
		"next",
		"beta",
		"*",
		"",
		"workspace:*",
		"catalog:",
		"catalog:ts",
		"file:../typescript",
		5,
		null,
		{},
	])("%j gives none", async (range) => {
		expect(await majorIn({ "package.json": manifest(range) })).toBeUndefined();
	});

	test.each(["dependencies", "devDependencies", "peerDependencies"])("in %s", async (section) => {
		expect(await majorIn({ "package.json": manifest("^5.0.0", section) })).toBe(5);
	});
});

describe("the nearest declaration counts", () => {
	test("an installed version overrides a declared one", async () => {
		const files = { "package.json": manifest("^7.0.0"), [installed]: '{"version":"5.9.3"}' };
		expect(await majorIn(files)).toBe(5);
	});

	test("a package of a workspace has its own version", async () => {
		const files = { "package.json": manifest("^7"), "packages/a/package.json": manifest("^5") };
		expect(await majorIn(files, "packages/a/src/x.ts")).toBe(5);
		expect(await majorIn(files, "packages/b/src/x.ts")).toBe(7);
	});

	test("a package without a version has its parent's", async () => {
		const files = { [installed]: '{"version":"5.1.0"}', "packages/a/package.json": "{}" };
		expect(await majorIn(files, "packages/a/x.ts")).toBe(5);
	});

	test("a declaration above the workspace does not count", async () => {
		expect(await majorIn({ [installed]: '{"version":"5.1.0"}' }, "ws/src/a.ts", "ws")).toBeUndefined();
	});
});

test.each(["", "{", "[]", "null", "5", '{"devDependencies":5}', '{"devDependencies":null}', '{"devDependencies":[]}'])(
	"a package.json with the content %j is no failure",
	async (text) => {
		expect(await majorIn({ "package.json": text, [installed]: text })).toBeUndefined();
	},
);
