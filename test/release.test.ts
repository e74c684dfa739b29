import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./support/repository.ts";
import { runCommand } from "./support/run-command.ts";

const workflow = readFileSync(join(REPOSITORY, ".github/workflows/release.yml"), "utf8");
const steps = [...workflow.matchAll(/^ +- run: (.+)$/gm)].map(([, command = ""]) => command);
const { version, scripts } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
	readonly version: string;
	readonly scripts: Readonly<Record<string, string>>;
};

describe("the release workflow", () => {
	test("has a first step that passes for the tag of this version alone", async () => {
		const [first = ""] = steps;
		const run = async (tag: string) => {
			const env = { PATH: process.env.PATH ?? "", GITHUB_REF_NAME: tag };
			return (await runCommand("bash", ["-e", "-c", first], { cwd: REPOSITORY, env })).code;
		};
		expect([await run(`v${version}`), await run(version), await run("v0.0.0")]).toEqual([0, 1, 1]);
	});

	test("has other steps that name existing scripts and tests", () => {
		const named = steps.flatMap((step) => [...step.matchAll(/npm run (\S+)/g)].map(([, name = ""]) => name));
		expect(named).toEqual(["check"]);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
		const tests = steps.flatMap((step) => step.match(/test\/\S+/g) ?? []);
		expect(tests.length).toBeGreaterThan(0);
		expect(tests.filter((path) => !existsSync(join(REPOSITORY, path)))).toEqual([]);
	});
});
