import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/**
 * Loads one of our bundles with the code that V8 compiled when it was built (`FILE.cache`, made by scripts/build.mjs): 12
 * milliseconds instead of 28 for the engine. V8 checks the cache against source, version and flags, and compiles as ever
 * if it does not fit, as after another Node was installed.
 */
export function requireWithCache<Exports>(file: string): Exports {
	const cachedData = readCache(`${file}.cache`);
	const wrapper = new Script(Module.wrap(readFileSync(file, "utf8")), {
		filename: file,
		...(cachedData ? { cachedData } : {}),
	});
	const module = { exports: {} };
	const run = wrapper.runInThisContext() as (...parts: unknown[]) => void;
	run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
	return module.exports as Exports;
}

function readCache(file: string): Buffer | undefined {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
}
