import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

const writtenAfterMs = 10_000;

/**
 * Loads a bundle, and files of its folder that it requires, with code that V8 compiled in an earlier run. The first run
 * of a Node version writes it into that folder, where others cannot write code either. A bundle's `isWorthCaching` says
 * whether this run used most functions: later runs compile the others again. Modules in `given` are the host's.
 */
export function requireWithCache<Exports>(file: string, given: Readonly<Record<string, unknown>> = {}): Exports {
	return new BundleLoader(dirname(file), given).load(file) as Exports;
}

/** Of `dist/`; scripts/build.mjs writes it. */
export function buildId(directory: string): string {
	return readFileSync(join(directory, "build-id"), "utf8").trim();
}

class BundleLoader {
	readonly #directory: string;
	readonly #given: Readonly<Record<string, unknown>>;
	/** V8 takes a cache for any source of the same length. */
	readonly #suffix: string;
	/** Loaded without a cache; by the file to write. */
	readonly #compiled = new Map<string, { readonly script: Script; readonly module: Module }>();

	constructor(directory: string, given: Readonly<Record<string, unknown>>) {
		this.#directory = directory;
		this.#given = given;
		this.#suffix = `${buildId(directory)}.${process.version}.cache`;
	}

	load(file: string): unknown {
		const require = createRequire(file);
		const loaded = require.cache[file];
		if (loaded) return loaded.exports;
		const cache = `${file}.${this.#suffix}`;
		const cachedData = readCache(cache);
		const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
			filename: file,
			...(cachedData ? { cachedData } : {}),
		});
		const module = new Module(file);
		if (!cachedData) this.#writeLater(cache, script, module);
		require.cache[file] = module;
		const required = (name: string): unknown => {
			if (Object.hasOwn(this.#given, name)) return this.#given[name];
			return name.startsWith("./") && name.endsWith(".cjs") ? this.load(join(this.#directory, name)) : require(name);
		};
		const run = script.runInThisContext() as (...parts: unknown[]) => void;
		run.call(module.exports, module.exports, required, module, file, this.#directory);
		return module.exports;
	}

	#writeLater(file: string, script: Script, module: Module): void {
		this.#compiled.set(file, { script, module });
		if (this.#compiled.size > 1) return;
		const write = () => {
			clearTimeout(timer);
			process.off("exit", write);
			for (const [cache, compiled] of this.#compiled)
				if (compiled.module.exports.isWorthCaching?.() !== false) writeCache(cache, compiled.script);
			this.#compiled.clear();
		};
		const timer = setTimeout(write, writtenAfterMs).unref();
		process.once("exit", write);
	}
}

function readCache(file: string): Buffer | undefined {
	try {
		return readFileSync(file);
	} catch {
		return undefined;
	}
}

function writeCache(file: string, script: Script): void {
	const partial = `${file}.${process.pid}`;
	try {
		writeFileSync(partial, script.createCachedData());
		renameSync(partial, file);
	} catch {}
}
