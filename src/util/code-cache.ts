import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { Script } from "node:vm";

/** Most functions that a start needs are compiled by then. */
const writtenAfterMs = 10_000;

/**
 * Loads a bundle with the code that V8 compiled in an earlier run. The first run of a Node version writes it into the
 * folder of the bundle, where others can write no code either, and nowhere if that folder is read-only.
 */
export function requireWithCache<Exports>(file: string): Exports {
	// V8 takes a cache for any source of the same length.
	const cache = `${file}.${buildId(dirname(file))}.${process.version}.cache`;
	const cachedData = readCache(cache);
	const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
		filename: file,
		...(cachedData ? { cachedData } : {}),
	});
	if (!cachedData) writeLater(cache, script);
	const module = { exports: {} };
	const run = script.runInThisContext() as (...parts: unknown[]) => void;
	run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
	return module.exports as Exports;
}

/** Of the contents of `dist/`; scripts/build.mjs writes it. */
export function buildId(directory: string): string {
	return readFileSync(join(directory, "build-id"), "utf8").trim();
}

function readCache(file: string): Buffer | undefined {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
}

function writeLater(file: string, script: Script): void {
	const write = () => {
		clearTimeout(timer);
		process.off("exit", write);
		const partial = `${file}.${process.pid}`;
		try {
			writeFileSync(partial, script.createCachedData());
			renameSync(partial, file);
		} catch {}
	};
	const timer = setTimeout(write, writtenAfterMs).unref();
	process.once("exit", write);
}
