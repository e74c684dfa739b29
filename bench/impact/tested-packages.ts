import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../../test/live/languages.ts";
import { REPOSITORY } from "../../test/support/repository.ts";
import { typescriptServer } from "../bare-client.ts";
import { cobra } from "../languages/projects.ts";
import { cached, json, keep, run, unpackNpm, vendorCrates } from "../registries.ts";

export interface TestedPackage {
	readonly name: string;
	/** Without these programs the package is left out. */
	readonly programs: readonly string[];
	readonly directory: () => string;
	readonly isSource: (path: string) => boolean;
	/** The whole suite, without pi-lsp. */
	readonly suite: readonly [program: string, ...args: string[]];
	/** Reports whether sources and tests compile. */
	readonly compiler: readonly [program: string, ...args: string[]];
	/** Counts the tests in a tool's output, where a fault can end it before all tests have run. */
	readonly testsRun?: (printed: string) => number;
	/** Links installed packages into a copy. */
	readonly link?: (root: string) => void;
}

/** The package's module of version 3, with its tests. */
function zod(): string {
	return cached("tested-zod-4.1.12", (into) => {
		unpackNpm(into, "zod@4.1.12");
		keep(into, "src");
		keep(join(into, "src"), "v3");
		rmSync(join(into, "src/v3/benchmarks"), { recursive: true, force: true });
		const manifest = {
			...{ name: "zod", private: true, type: "module", scripts: { test: "vitest run" } },
			...{ exports: { "./v3": "./src/v3/index.ts" }, devDependencies: { vitest: "*" } },
		};
		writeFileSync(join(into, "package.json"), json(manifest));
		const compilerOptions = { target: "es2022", module: "nodenext", strict: true, noEmit: true, types: [] };
		const more = { allowImportingTsExtensions: true, lib: ["es2022", "dom"] };
		writeFileSync(
			join(into, "tsconfig.json"),
			json({ compilerOptions: { ...compilerOptions, ...more }, include: ["src"] }),
		);
	});
}

function packaging(): string {
	return cached("tested-packaging-25.0-pretend", (into) => {
		const quiet = ["--no-deps", "--no-binary=:all:", "--quiet", "--disable-pip-version-check"];
		run("python3", ["-m", "pip", "download", ...quiet, "-d", into, "packaging==25.0"], into);
		const [archive = ""] = readdirSync(into);
		run("tar", ["xzf", archive, "--strip-components=1"], into);
		rmSync(join(into, archive));
		const more = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target", "vendor"];
		run("python3", ["-m", "pip", "install", ...more, "pretend==1.0.9"], into);
		// The interpreter has another version installed.
		writeFileSync(join(into, "pytest.ini"), "[pytest]\npythonpath = src vendor\n");
	});
}

/** Leaves out the tests of files that may not be written, since a superuser may write them. */
function testedCobra(): string {
	return cached("tested-cobra-1.8.1", (into) => {
		cpSync(cobra(), into, { recursive: true });
		for (const name of readdirSync(into).filter((each) => each.endsWith("_test.go"))) {
			const path = join(into, name);
			writeFileSync(path, readFileSync(path, "utf8").replaceAll("func TestFailGen", "func testFailGen"));
		}
	});
}

function semver(): string {
	return cached("tested-semver-1.0.26", (into) => {
		vendorCrates(into, { semver: "1.0.26" });
		const crate = join(into, "vendor/semver");
		for (const name of ["src", "tests", "build.rs"]) cpSync(join(crate, name), join(into, name), { recursive: true });
		rmSync(join(into, "vendor"), { recursive: true });
		const own =
			'[package]\nname = "semver"\nversion = "1.0.26"\nedition = "2018"\n\n[features]\ndefault = ["std"]\nstd = []\n';
		writeFileSync(join(into, "Cargo.toml"), own);
	});
}

const all: readonly TestedPackage[] = [
	{
		name: "zod 4.1.12 (v3), vitest",
		programs: [],
		directory: zod,
		isSource: (path) => /^src\/v3\/.*\.ts$/.test(path) && !/\/tests\//.test(path),
		suite: ["node_modules/.bin/vitest", "run"],
		compiler: [typescriptServer(), "--noEmit", "-p", "tsconfig.json"],
		link(root) {
			mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
			symlinkSync(join(REPOSITORY, "node_modules/vitest"), join(root, "node_modules/vitest"));
			symlinkSync(join(REPOSITORY, "node_modules/vitest/vitest.mjs"), join(root, "node_modules/.bin/vitest"));
		},
	},
	{
		name: "cobra 1.8.1, go test",
		programs: ["gopls", "go"],
		directory: testedCobra,
		isSource: (path) => path.endsWith(".go") && !path.endsWith("_test.go"),
		suite: ["go", "test", "./..."],
		// A panic ends the program.
		testsRun: (printed) => printed.match(/"Action":"(?:pass|fail)"[^\n]*"Test":/g)?.length ?? 0,
		compiler: ["go", "vet", "./..."],
	},
	{
		name: "packaging 25.0, pytest",
		programs: ["pyright-langserver", "pytest"],
		directory: packaging,
		isSource: (path) => /^src\/packaging\/.*\.py$/.test(path),
		suite: ["pytest", "-q", "-x"],
		compiler: ["pyright", "src"],
	},
	{
		name: "semver 1.0.26, cargo test",
		programs: ["rust-analyzer", "cargo"],
		directory: semver,
		isSource: (path) => /^src\/.*\.rs$/.test(path),
		suite: ["cargo", "test", "--quiet"],
		compiler: ["cargo", "check", "--quiet", "--all-targets", "--message-format=short"],
	},
];

export function testedPackages(): readonly TestedPackage[] {
	return all.filter(({ programs }) => programs.every(isThere));
}
