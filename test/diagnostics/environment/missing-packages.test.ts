import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/contract/check-report.ts";
import type { FaultyFile } from "../../../src/diagnostics/environment/fault.ts";
import { missingPackages } from "../../../src/diagnostics/environment/missing-packages.ts";
import { type Files, withWorkspace } from "../../support/workspace.ts";

const lodash = error("2307", "Cannot find module 'lodash/fp' or its corresponding type declarations.");
const scoped = error("7016", "Could not find a declaration file for module '@scope/pkg'.");
const jsx = error(
	"2875",
	"This JSX tag requires the module path 'react/jsx-runtime' to exist, but none could be found.",
);
const element = error(
	"7026",
	"JSX element implicitly has type 'any' because no interface 'JSX.IntrinsicElements' exists.",
);
const process = error("2591", "Cannot find name 'process'. Do you need to install type definitions for node?");
const fetching = error("2304", "Cannot find name 'fetch'.");
const describing = error(
	"2593",
	"Cannot find name 'describe'. Do you need to install type definitions for a test runner?",
);
const expecting = error("2304", "Cannot find name 'expect'.");
const own = error("2304", "Cannot find name 'ownName'.");
const relative = error("2307", "Cannot find module './lodash' or its corresponding type declarations.");

const manifest = (names: readonly string[], more = {}) =>
	JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "1"])), ...more });

describe("packages that are declared and not installed", () => {
	test.each([
		["package-lock.json", "npm install"],
		["pnpm-lock.yaml", "pnpm install"],
		["yarn.lock", "yarn install"],
		["bun.lock", "bun install"],
	])("with %s are installed by `%s`, also from a nested package", async (lockfile, command) => {
		const files = {
			"package.json": manifest(["lodash"]),
			[lockfile]: "",
			"packages/a/package.json": manifest(["react"]),
		};
		expect(await faults(files, [lodash, jsx, element, relative, own], "packages/a/src/x.tsx")).toEqual([
			[
				`node_modules is missing: packages/a/package.json names 1 dependency; run \`${command}\`.`,
				[lodash, jsx, element],
			],
		]);
	});

	test("are installed by the manifest's package manager rather than that of a lockfile", async () => {
		const files = { "package.json": manifest(["lodash", "react"], { packageManager: "pnpm@9.1.0" }), "yarn.lock": "" };
		const [[sentence] = []] = await faults(files, [lodash, jsx]);
		expect(sentence).toContain("2 dependencies; run `pnpm install`.");
	});

	test("do not include packages that are installed, undeclared or kept elsewhere by Yarn", async () => {
		const files = { "package.json": manifest(["lodash", "react"]) };
		const there = { "node_modules/lodash/package.json": "{}", "node_modules/react/package.json": "{}" };
		expect(await faults({ ...files, ...there }, [lodash, jsx])).toEqual([]);
		expect(await faults({ "package.json": "{}" }, [lodash, jsx])).toEqual([]);
		expect(await faults({ ...files, ".pnp.cjs": "" }, [lodash, jsx])).toEqual([]);
	});

	test("include packages of types if only the types are missing", async () => {
		const files = {
			"package.json": manifest(["@scope/pkg", "@types/scope__pkg", "@types/node"]),
			"node_modules/@scope/pkg/package.json": "{}",
		};
		expect(await faults(files, [scoped, process, fetching])).toEqual([
			[
				"`@types/scope__pkg` and `@types/node` are in package.json and not in node_modules; run `npm install`.",
				[scoped, process, fetching],
			],
		]);
	});

	test("include undeclared packages of types if the compiler names them", async () => {
		expect(await faults({ "package.json": "{}", "yarn.lock": "" }, [describing, expecting, own])).toEqual([
			[
				"`@types/jest` is neither in package.json nor in node_modules; run `yarn add --dev @types/jest`.",
				[describing, expecting],
			],
		]);
		expect(await faults({ "package.json": "{}" }, [expecting, fetching])).toEqual([]);
	});
});

type Fault = readonly [sentence: string, caused: readonly Diagnostic[]];

function error(code: string, message: string): Diagnostic {
	return { line: 1, column: 1, endLine: 1, endColumn: 2, severity: "error", code, source: "ts", message };
}

function faults(files: Files, diagnostics: readonly Diagnostic[], file = "src/x.tsx"): Promise<Fault[]> {
	return withWorkspace(files, async (ws) => {
		const { signal } = new AbortController();
		// The function only reads the disk.
		const server = undefined as unknown as FaultyFile["server"];
		const found = await missingPackages({ path: ws.path(file), workspace: ws.root, diagnostics, server, signal });
		return found.map(({ sentence, caused }): Fault => [sentence, caused]);
	});
}
