import { basename, dirname, relative } from "node:path";
import type { ChosenTests } from "../builds/tool.ts";
import { Fingerprints } from "./fingerprint.ts";
import type { RecordedTest } from "./recorded-tests.ts";
import type { Surroundings } from "./surroundings.ts";

/** Says of recorded runs whether all that they executed is as it was. */
export class AffectedTests {
	readonly #workspace: string;
	readonly #records: readonly RecordedTest[];
	readonly #surroundings: Surroundings;
	readonly #fingerprints = new Fingerprints();
	readonly #differing = new Map<RecordedTest, Promise<boolean>>();

	constructor(workspace: string, records: readonly RecordedTest[], surroundings: Surroundings) {
		this.#workspace = workspace;
		this.#records = records;
		this.#surroundings = surroundings;
	}

	/**
	 * Those of the tests that may behave otherwise than when they passed. A recorded run is trusted only if it has loaded all
	 * that changed, `paths` (absolute): what it did not load may have run elsewhere, from a build or in another process.
	 */
	async among(chosen: ChosenTests, paths: readonly string[]): Promise<ChosenTests | undefined> {
		const names = paths.map((file) => relative(this.#workspace, file));
		const isAffected = async (record: RecordedTest) =>
			!names.every((name) => Object.hasOwn(record.executed, name)) || (await this.#differs(record));
		const { file, tests, isDirectory } = chosen;
		if (isDirectory) return chosen;
		const all = this.#recordsOf(file);
		if (tests.length === 0) {
			const states = await Promise.all(all.map(isAffected));
			const affected = all.filter((_, index) => states[index]);
			if (all.length === 0 || affected.length === all.length) return chosen;
			if (affected.some(({ test }) => test === undefined)) return chosen;
			return affected.length === 0 ? undefined : { ...chosen, tests: affected.flatMap(({ test }) => test ?? []) };
		}
		const kept: string[] = [];
		for (const test of tests) {
			const own = all.filter((record) => record.test === undefined || isNamed(record.test, test));
			if (own.length === 0 || (await Promise.all(own.map(isAffected))).includes(true)) kept.push(test);
		}
		return kept.length === 0 ? undefined : { ...chosen, tests: kept };
	}

	/** True if the tests of a file are recorded and passed, and nothing that they executed has changed. */
	async isCurrent(file: string): Promise<boolean> {
		const own = this.#recordsOf(file);
		return own.length > 0 && !(await Promise.all(own.map((record) => this.#differs(record)))).includes(true);
	}

	/** The first test alone of those that are chosen. */
	first(chosen: ChosenTests): ChosenTests {
		const [test = this.#recordsOf(chosen.file)[0]?.test] = chosen.tests;
		return test === undefined ? chosen : { ...chosen, tests: [test] };
	}

	#differs(record: RecordedTest): Promise<boolean> {
		const known = this.#differing.get(record) ?? this.#compare(record);
		this.#differing.set(record, known);
		return known;
	}

	async #compare({ executed, data, sources }: RecordedTest): Promise<boolean> {
		const files = Object.keys(executed);
		if (files.length === 0 || data !== this.#surroundings.data) return true;
		if (sources !== this.#surroundings.sourcesIn(new Set(files.map((name) => dirname(name))))) return true;
		for (const name of files) {
			const print = await this.#fingerprints.of(`${this.#workspace}/${name}`);
			const old = executed[name];
			if (!print || !old || print.rest !== old.rest) return true;
			const now = new Map(print.functions.map(({ key, hash }) => [key, hash]));
			if (Object.entries(old.functions).some(([key, hash]) => now.get(key) !== hash)) return true;
		}
		return false;
	}

	#recordsOf(file: string): RecordedTest[] {
		const name = relative(this.#workspace, file);
		if (file.endsWith(".go")) return this.#records.filter(({ path }) => path === dirname(name));
		if (!file.endsWith(".rs")) return this.#records.filter(({ path }) => path === name);
		const isProgram = this.#records.some(({ path }) => path === name);
		return this.#records.filter(({ path }) => (isProgram ? path === name : isLibrary(path)));
	}
}

/** Unit tests of a crate stand in all of its sources. */
function isLibrary(path: string): boolean {
	return /^(?:lib|main)\.rs$/.test(basename(path));
}

/** The module of a Rust test is not known everywhere. */
function isNamed(recorded: string, test: string): boolean {
	const plain = test.replaceAll(".", "::");
	return recorded === plain || recorded.endsWith(`::${plain}`) || recorded === test.split(".").at(-1);
}
