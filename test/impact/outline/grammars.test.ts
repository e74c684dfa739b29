import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { languageOf } from "../../../src/impact/outline/languages.ts";
import { parserOf, unloadIfLarge } from "../../../src/impact/outline/syntax.ts";
import { visibleChange } from "../../../src/impact/visible-change.ts";
import { collectGarbage } from "../../../src/util/collect-garbage.ts";
import { REPOSITORY } from "../../support/repository.ts";

test("a copy of the build finds its grammars next to it, in a package of ES modules without node_modules", async () => {
	const directory = mkdtempSync(join(tmpdir(), "pl-grammars-"));
	try {
		cpSync(join(REPOSITORY, "dist/grammars"), join(directory, "dist/grammars"), { recursive: true });
		writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
		await build({
			entryPoints: [join(REPOSITORY, "src/impact/visible-change.ts")],
			outfile: join(directory, "dist/visible-change.cjs"),
			bundle: true,
			platform: "node",
			format: "cjs",
			define: { "import.meta.url": "importMetaUrl" },
			banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
		});
		writeFileSync(
			join(directory, "run.cjs"),
			`const { visibleChange } = require("./dist/visible-change.cjs");
			const texts = {
				"a.ts": ["export const a: A = 1", "export const a: B = 1"],
				"a.tsx": ["export const a: A = <a />", "export const a: B = <a />"],
				"a.py": ["a: A = 1", "a: B = 1"],
				"a.go": ["package p\\nvar a A", "package p\\nvar a B"],
				"a.rs": ["const a: A = 1;", "const a: B = 1;"],
				"a.h": ["A a;", "B a;"],
			};
			(async () => {
				for (const [name, [before, after]] of Object.entries(texts))
					console.log(name, ...((await visibleChange("/p/" + name, before, after)).changed ?? ["any"]));
			})();`,
		);
		const output = execFileSync(process.execPath, ["run.cjs"], { cwd: directory, encoding: "utf8" });
		expect(output.trim().split("\n")).toEqual(["a.ts a", "a.tsx a", "a.py a", "a.go a", "a.rs a", "a.h a"]);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
});

test("Texts that take much memory to parse leave little memory in use", async () => {
	for (const open of ["(", "{"])
		for (const name of ["a.py", "a.go"]) await visibleChange(`/p/${name}`, "", open.repeat(2 ** 20));
	const { changed } = await visibleChange("/p/a.ts", "export const a: A = 1", "export const a: B = 1");
	expect(changed).toEqual(new Set(["a"]));
	// The library begins with 32 MB; each of these texts makes it grow to 100 and more.
	const external = () => {
		collectGarbage("all");
		return process.memoryUsage().external;
	};
	await expect.poll(external, { timeout: 10_000 }).toBeLessThan(70e6);
});

test("The library is unloaded after a large text only, and the next text is read as before", async () => {
	unloadIfLarge();
	const seen = async (text: string) => {
		const of = (type: string) => `export const a: ${type} = "${text}"`;
		return (await visibleChange("/p/a.ts", of("A"), of("B"))).changed;
	};
	expect(await seen("")).toEqual(new Set(["a"]));
	expect(unloadIfLarge()).toBe(false);
	expect(await seen("x".repeat(2 ** 19))).toEqual(new Set(["a"]));
	expect(unloadIfLarge()).toBe(true);
	expect(unloadIfLarge()).toBe(false);
	expect(await seen("")).toEqual(new Set(["a"]));
});

test("The library is unloaded after a text of some kilobytes that takes much memory to parse", async () => {
	unloadIfLarge();
	const c = languageOf("/p/a.c");
	if (!c) throw new Error("there is no grammar of C");
	const code = "a(".repeat(20_000);
	const parser = await parserOf(c);
	// `parse` ends after 100 ms, on a slow machine before the parser needs the memory.
	expect(await parser.parseWhole(code, code, 60_000)).toMatchObject({ hasError: true });
	expect(unloadIfLarge()).toBe(true);
});
