import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { cached, json, run } from "../size/cache.ts";
import { debianSource } from "../size/debian.ts";

function npm(into: string, what: string): void {
	run("npm", ["pack", what, "--silent", "--pack-destination", into], into);
	const archive = readdirSync(into).find((name) => name.endsWith(".tgz")) ?? "";
	run("tar", ["xzf", archive, "--strip-components=1"], into);
	rmSync(join(into, archive));
}

function debian(into: string, name: string): void {
	const names = debianSource(name, into);
	run("tar", ["xf", names.find((each) => each.includes(".orig.tar.")) ?? "", "--strip-components=1"], into);
	for (const each of names) rmSync(join(into, each));
}

/** Removes all other entries of a directory. */
function keep(root: string, ...names: readonly string[]): void {
	for (const name of readdirSync(root)) if (!names.includes(name)) rmSync(join(root, name), { recursive: true });
}

export const rxjs = (): string =>
	cached("languages-rxjs-7.8.2", (into) => {
		npm(into, "rxjs@7.8.2");
		keep(into, "src");
		for (const name of readdirSync(join(into, "src"))) if (name.endsWith(".json")) rmSync(join(into, "src", name));
		const compilerOptions = { target: "es2019", module: "commonjs", moduleResolution: "node10", strict: true };
		const more = { noEmit: true, lib: ["es2020", "dom"], types: [] };
		writeFileSync(
			join(into, "tsconfig.json"),
			json({ compilerOptions: { ...compilerOptions, ...more }, include: ["src/**/*.ts"] }),
		);
		writeFileSync(
			join(into, "package.json"),
			json({ name: "rxjs", private: true, devDependencies: { typescript: "~5.9.3" } }),
		);
	});

export const httpx = (): string =>
	cached("languages-httpx-0.27.2", (into) => {
		const quiet = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"];
		run("python3", ["-m", "pip", "download", ...quiet, "-d", into, "httpx==0.27.2"], into);
		const [wheel = ""] = readdirSync(into);
		run("python3", ["-m", "zipfile", "-e", wheel, "."], into);
		keep(into, "httpx");
		writeFileSync(join(into, "pyproject.toml"), '[project]\nname = "httpx"\nversion = "0.27.2"\n');
	});

export const cobra = (): string =>
	cached("languages-cobra-1.8.1", (into) => {
		const found = JSON.parse(run("go", ["mod", "download", "-json", "github.com/spf13/cobra@v1.8.1"], into)) as {
			readonly Dir: string;
		};
		cpSync(found.Dir, into, { recursive: true });
		run("chmod", ["-R", "u+w", "."], into);
		run("go", ["mod", "download"], into);
	});

/** This machine's Go caches and Rust toolchains, which a test's home lacks. */
export function toolchains(): Record<string, string> {
	const [modules = "", build = ""] = run("go", ["env", "GOMODCACHE", "GOCACHE"], "/").trim().split("\n");
	return {
		GOMODCACHE: modules,
		GOCACHE: build,
		GOPROXY: "off",
		GOFLAGS: "-mod=mod",
		GOTOOLCHAIN: "local",
		RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
		CARGO_NET_OFFLINE: "true",
	};
}

export const regexSyntax = (): string =>
	cached("languages-regex-syntax-0.8.5", (into) => {
		mkdirSync(join(into, "src"));
		writeFileSync(join(into, "src/lib.rs"), "");
		const manifest =
			'[package]\nname = "corpus"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nregex-syntax = "=0.8.5"\n';
		writeFileSync(join(into, "Cargo.toml"), manifest);
		run("cargo", ["vendor", "--quiet", "vendor"], into);
		cpSync(join(into, "vendor/regex-syntax/src"), join(into, "src"), { recursive: true, force: true });
		keep(into, "src");
		const own =
			'[package]\nname = "regex-syntax"\nversion = "0.8.5"\nedition = "2021"\n\n[features]\ndefault = ["std", "unicode"]\nstd = []\n';
		const parts = ["age", "bool", "case", "gencat", "perl", "script", "segment"].map((name) => `unicode-${name}`);
		const features = `unicode = [${parts.map((name) => `"${name}"`).join(", ")}]\n${parts.map((name) => `${name} = []\n`).join("")}`;
		writeFileSync(join(into, "Cargo.toml"), own + features);
	});

export const lua = (): string => cached("languages-lua-5.4", (into) => debian(into, "lua5.4"));

export const fmt = (): string =>
	cached("languages-fmt-9.1.0", (into) => {
		debian(into, "fmtlib");
		keep(into, "include", "src");
		rmSync(join(into, "src/fmt.cc"));
		writeFileSync(join(into, "compile_flags.txt"), "-xc++\n-std=c++17\n-Iinclude\n");
	});

const eclipse = {
	".project":
		'<?xml version="1.0" encoding="UTF-8"?>\n<projectDescription><name>lang3</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n',
	".classpath":
		'<?xml version="1.0" encoding="UTF-8"?>\n<classpath><classpathentry kind="src" path="src/main/java"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>\n',
};

export const lang3 = (): string =>
	cached("languages-lang3-3.12.0", (into) => {
		debian(into, "libcommons-lang3-java");
		keep(into, "src");
		keep(join(into, "src"), "main");
		for (const [name, text] of Object.entries(eclipse)) writeFileSync(join(into, name), text);
		mkdirSync(dirname(join(into, "bin/a")));
	});

export const psr7 = (): string =>
	cached("languages-psr7-2.4.5", (into) => {
		debian(into, "php-guzzlehttp-psr7");
		keep(into, "src", "tests", "composer.json");
	});

export const bootstrap = (): string =>
	cached("languages-bootstrap-5.3.3", (into) => {
		npm(into, "bootstrap@5.3.3");
		keep(into, "scss");
	});

export const bats = (): string => cached("languages-bats-1.11.0", (into) => npm(into, "bats@1.11.0"));
