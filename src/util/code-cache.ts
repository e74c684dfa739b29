import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** Loads V8's code in `FILE.cache` too (scripts/build.mjs); an unfit cache is ignored. */
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
