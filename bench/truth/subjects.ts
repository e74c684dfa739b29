import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { folder, isThere } from "../../test/live/languages.ts";
import type { Files } from "../../test/support/workspace.ts";
import { tscOracle } from "../oracle.ts";
import { pyrightOracle } from "../oracle-pyright.ts";
import { typescript5Oracle } from "../oracle-typescript5.ts";
import { json } from "../registries.ts";
import { judgeGo } from "../size/judge-go.ts";
import { cLanguage, cOracle, makeCModules } from "./c.ts";
import { makeGoPackages } from "./go-corpus.ts";
import { goLanguage } from "./go-edits.ts";
import { npmPackage, pythonPackage } from "./packages.ts";
import { makePythonModules } from "./python-corpus.ts";
import { pythonLanguage } from "./python-edits.ts";
import { makeRustModules, rustLanguage, rustOracle } from "./rust.ts";
import type { Subject } from "./subject.ts";
import { makeModules, relativeSpecifier } from "./typescript-corpus.ts";
import { typescriptLanguage } from "./typescript-edits.ts";

type Version = 5 | 7;

const compilerOptions = { target: "es2022", module: "nodenext", strict: true, types: [], noEmit: true };
const names = { 5: "TypeScript 5.9", 7: "TypeScript 7" } as const;

/** All subjects, in the order of the table. */
export function subjects(seed: number): Subject[] {
	return [
		generated(7, seed),
		generated(5, seed),
		...python(seed),
		...go(seed),
		...rust(seed),
		...c(seed),
		paths(7, seed),
		workspaces(7, seed),
		references(7, seed),
		paths(5, seed),
		workspaces(5, seed),
		references(5, seed),
		npm(7, "redux", "5.0.1"),
		npm(7, "rxjs", "7.8.2"),
		npm(5, "immer", "11.2.10"),
	];
}

function manifest(version: Version, more: object = {}): string {
	const declared = version === 5 ? { devDependencies: { typescript: "~5.9.0" } } : {};
	return json({ name: "corpus", version: "1.0.0", type: "module", private: true, ...declared, ...more });
}

function isTypescript(path: string): boolean {
	return /\.tsx?$/.test(path) && !path.startsWith("../") && !path.includes("node_modules/");
}

/** A subject of TypeScript whose projects are all compiled without output. */
function typescript(version: Version, name: string, files: Files, configs: readonly string[], edits = 200): Subject {
	const language = typescriptLanguage;
	const runs = configs.map((config) => ["--noEmit", "-p", config]);
	return {
		name: `${name}, ${names[version]}`,
		edits,
		language,
		files,
		isSource: isTypescript,
		...(version === 7
			? { oracle: (root) => tscOracle("typescript", root, runs, isTypescript) }
			: {
					oracle: (root) => typescript5Oracle(root, configs, isTypescript),
					judge: (root) => tscOracle("typescript-5", root, runs, isTypescript),
				}),
	};
}

function generated(version: Version, seed: number): Subject {
	const files = {
		"package.json": manifest(version),
		"tsconfig.json": json({ compilerOptions, include: ["src"] }),
		...makeModules({ count: 60, seed }),
	};
	return typescript(version, "generated", files, ["tsconfig.json"], 1000);
}

/** Imports use an alias of the configuration, without an extension. */
function paths(version: Version, seed: number): Subject {
	const options = {
		...compilerOptions,
		module: "esnext",
		moduleResolution: "bundler",
		paths: { "@app/*": ["./src/*"] },
	};
	const files = {
		"package.json": manifest(version),
		"tsconfig.json": json({ compilerOptions: options, include: ["src"] }),
		...makeModules({ count: 60, seed, specifier: (_, to) => to.replace(/^src\//, "@app/") }),
	};
	return typescript(version, "`paths`", files, ["tsconfig.json"]);
}

const packages = ["core", "lib", "app"] as const;

function packageOf(index: number): (typeof packages)[number] {
	return packages[Math.min(Math.floor(index / 20), packages.length - 1)] as (typeof packages)[number];
}

/** The packages that a package of the workspaces or references may use. */
function below(name: string): readonly string[] {
	return packages.slice(0, packages.indexOf(name as (typeof packages)[number]));
}

/** As pnpm lays it out: each package has links to its neighbours in its own `node_modules`. */
function workspaces(version: Version, seed: number): Subject {
	const home = (path: string) => path.split("/")[1] ?? "";
	const specifier = (from: string, to: string) =>
		home(from) === home(to) ? relativeSpecifier(from, to) : `@corpus/${home(to)}/${to.split("/").at(-1)}.js`;
	const files: Record<string, string> = {
		"package.json": manifest(version),
		"pnpm-workspace.yaml": 'packages: ["packages/*"]\n',
		...makeModules({ count: 60, seed, specifier, directory: (index) => `packages/${packageOf(index)}/src` }),
	};
	for (const name of packages) {
		const dependencies = Object.fromEntries(below(name).map((other) => [`@corpus/${other}`, "workspace:*"]));
		files[`packages/${name}/package.json`] = manifest(version, {
			name: `@corpus/${name}`,
			exports: { "./*.js": "./src/*.ts" },
			dependencies,
		});
		files[`packages/${name}/tsconfig.json`] = json({ compilerOptions, include: ["src"] });
	}
	const configs = packages.map((name) => `packages/${name}/tsconfig.json`);
	return {
		...typescript(version, "pnpm workspaces", files, configs),
		prepare: (root) => {
			for (const name of packages)
				for (const other of below(name)) {
					const link = join(root, `packages/${name}/node_modules/@corpus/${other}`);
					mkdirSync(dirname(link), { recursive: true });
					symlinkSync(`../../../${other}`, link);
				}
		},
	};
}

/** Three projects that refer to each other, built by `tsc -b`, whose output is outside the project. */
function references(version: Version, seed: number): Subject {
	const files: Record<string, string> = {
		"package.json": manifest(version),
		"tsconfig.json": json({ files: [], references: packages.map((name) => ({ path: `./${name}` })) }),
		...makeModules({ count: 60, seed, directory: (index) => `${packageOf(index)}/src` }),
	};
	for (const name of packages)
		files[`${name}/tsconfig.json`] = json({
			compilerOptions: {
				...compilerOptions,
				noEmit: undefined,
				composite: true,
				rootDir: ".",
				outDir: `../../out/${name}`,
				tsBuildInfoFile: `../../out/${name}.tsbuildinfo`,
			},
			include: ["src"],
			references: below(name).map((other) => ({ path: `../${other}` })),
		});
	// The output must be of the same kind of module as its sources.
	const prepare = (root: string) => {
		mkdirSync(join(root, "../out"));
		writeFileSync(join(root, "../out/package.json"), json({ type: "module" }));
	};
	const compiler = version === 7 ? "typescript" : "typescript-5";
	return {
		name: `project references, ${names[version]}`,
		edits: version === 7 ? 200 : 100,
		language: typescriptLanguage,
		files,
		isSource: isTypescript,
		prepare,
		oracle: (root) => tscOracle(compiler, root, [["-b", "--force"]], isTypescript),
	};
}

/**
 * A package of the registry that contains its sources; its tests are left out, since their dependencies are not installed.
 */
function npm(version: Version, name: string, release: string): Subject {
	const isWanted = (path: string) => /^src\/.*\.tsx?$/.test(path) && !/\b(?:__tests__|tests?|spec)\b/.test(path);
	const files = () => ({
		"package.json": manifest(version),
		"tsconfig.json": json({
			compilerOptions: { ...compilerOptions, module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"] },
			include: ["src"],
		}),
		...npmPackage(name, release, isWanted),
	});
	return lazily(typescript(version, `${name} ${release}`, {}, ["tsconfig.json"]), files);
}

/** The files of a subject are fetched only when it is run. */
function lazily(subject: Subject, make: () => Files): Subject {
	let made: Files | undefined;
	return {
		...subject,
		get files() {
			made ??= make();
			return made;
		},
	};
}

function go(seed: number): Subject[] {
	if (!isThere("gopls") || !isThere("go")) return [];
	const env = process.env as Record<string, string>;
	return [
		{
			name: "generated, gopls",
			edits: 250,
			language: goLanguage,
			files: makeGoPackages({ count: 36, seed }),
			isSource: (path) => path.endsWith(".go"),
			codes: false,
			oracle: (root) => async () => ({ errors: await judgeGo({ env }, root), withoutFile: 0, outside: 0 }),
		},
	];
}

function rust(seed: number): Subject[] {
	if (!isThere("rust-analyzer") || !isThere("cargo")) return [];
	const env = process.env as Record<string, string>;
	return [
		{
			name: "generated, rust-analyzer",
			edits: 250,
			language: rustLanguage,
			files: makeRustModules({ count: 30, seed }),
			isSource: (path) => path.endsWith(".rs"),
			mayGo: (path) => path !== "src/lib.rs",
			isCompilers: ({ source }) => source !== "rust-analyzer",
			// Without trust rust-analyzer does not run cargo.
			env: { PI_LSP_TRUST: "1", CARGO_NET_OFFLINE: "true" },
			oracle: (root) => rustOracle(env, root),
		},
	];
}

function c(seed: number): Subject[] {
	if (!isThere("clangd")) return [];
	return [
		{
			name: "generated, clangd",
			edits: 250,
			language: cLanguage,
			files: makeCModules({ count: 24, seed }),
			isSource: (path) => /\.[ch]$/.test(path),
			// After an include that is not found the compiler reports no further errors.
			mayGo: (path) => path.endsWith(".c"),
			isCompilers: ({ message }) => !message.startsWith("In included file:"),
			codes: false,
			oracle: (root) => cOracle(process.env as Record<string, string>, root),
		},
	];
}

function python(seed: number): Subject[] {
	const home = join(folder, "node_modules/pyright");
	if (!existsSync(home)) return [];
	const isSource = (path: string) => path.endsWith(".py");
	const project = { "pyproject.toml": `[project]\nname = "corpus"\n` };
	const common = {
		language: pythonLanguage,
		isSource,
		oracle: (root: string) => pyrightOracle(join(home, "index.js"), root, isSource),
		programs: { "pyright-langserver": join(home, "langserver.index.js") },
	};
	const real: Subject = { ...common, name: "packaging 25.0, pyright", edits: 200, files: {} };
	return [
		{
			...common,
			name: "generated, pyright",
			edits: 1000,
			files: { ...project, ...makePythonModules({ count: 40, seed }) },
		},
		lazily(real, () => ({
			...project,
			...pythonPackage("packaging", "25.0", (path) => /^packaging\/.*\.py$/.test(path)),
		})),
	];
}
