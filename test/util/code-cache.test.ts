import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { requireWithCache } from "../../src/util/code-cache.ts";
import { REPOSITORY } from "../support/repository.ts";

/** Runs the work with a folder of bundles by their names, and removes it. */
function withBundles(bundles: Readonly<Record<string, string>>, work: (directory: string) => void): void {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "pl-bundles-")));
	try {
		writeFileSync(join(directory, "build-id"), "one\n");
		for (const [name, text] of Object.entries(bundles)) writeFileSync(join(directory, name), text);
		work(directory);
	} finally {
		rmSync(directory, { recursive: true });
	}
}

test("Bundles that are loaded separately share the modules that both require", () =>
	withBundles(
		{
			"first.cjs": `exports.common = require("./common.cjs");`,
			"second.cjs": `exports.common = require("./common.cjs");`,
			"common.cjs": "exports.state = {};",
		},
		(directory) => {
			const load = (name: string) => requireWithCache<{ common: object }>(join(directory, name)).common;
			expect(load("first.cjs")).toBe(load("second.cjs"));
		},
	));

test("A bundle gets the host's modules by their names, whatever could be found from its folder", () =>
	withBundles({ "program.cjs": `exports.host = require("the-host");` }, (directory) => {
		const host = {};
		expect(requireWithCache<{ host: object }>(join(directory, "program.cjs"), { "the-host": host }).host).toBe(host);
	}));

test("The first run writes V8's compiled code of every file that it loads, without any output", () =>
	withBundles({}, (directory) => {
		cpSync(join(REPOSITORY, "dist"), directory, { recursive: true, filter: (file) => !file.endsWith(".cache") });
		const run = () =>
			spawnSync(process.execPath, [join(directory, "cli.cjs"), "capabilities", "--help"], { encoding: "utf8" });
		const first = run();
		expect(first).toMatchObject({ status: 0, stderr: "" });
		const cached = readdirSync(directory).filter((name) => name.endsWith(".cache"));
		expect(cached.map((name) => name.split(".")[0])).toContain("cli-main");
		expect(cached.length).toBeGreaterThan(10);
		expect(run()).toEqual({ ...first, pid: expect.any(Number) });
	}));

test("A hook that has asked no daemon writes nothing, since every later one would compile what it has not compiled", () =>
	withBundles({}, (directory) => {
		cpSync(join(REPOSITORY, "dist"), directory, { recursive: true, filter: (file) => !file.endsWith(".cache") });
		const cachedAfterHook = () => {
			const args = [join(directory, "cli.cjs"), "hook", "claude-code"];
			expect(spawnSync(process.execPath, args, { input: "{}" }).status).toBe(0);
			return readdirSync(directory).filter((name) => name.endsWith(".cache"));
		};
		expect(cachedAfterHook()).toEqual([]);
		writeFileSync(join(directory, "hook-main.cjs"), "exports.isWorthCaching = () => true;");
		expect(cachedAfterHook()).toEqual([expect.stringMatching(/^hook-main\.cjs\./)]);
	}));
