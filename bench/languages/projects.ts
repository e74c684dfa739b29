import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
	cached,
	copyGoModule,
	goEnvironment,
	json,
	keep,
	unpackDebian,
	unpackNpm,
	unpackWheel,
	vendorCrates,
} from "../registries.ts";

export const rxjs = (): string =>
	cached("languages-rxjs-7.8.2", (into) => {
		unpackNpm(into, "rxjs@7.8.2");
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
		unpackWheel(into, "httpx==0.27.2");
		keep(into, "httpx");
		writeFileSync(join(into, "pyproject.toml"), '[project]\nname = "httpx"\nversion = "0.27.2"\n');
	});

export const cobra = (): string =>
	cached("languages-cobra-1.8.1", (into) => copyGoModule(into, "github.com/spf13/cobra@v1.8.1"));

/** This machine's Go caches and Rust toolchains, which a test's home lacks. */
export function toolchains(): Record<string, string> {
	return {
		...goEnvironment(),
		RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
		CARGO_NET_OFFLINE: "true",
	};
}

export const regexSyntax = (): string =>
	cached("languages-regex-syntax-0.8.5", (into) => {
		vendorCrates(into, { "regex-syntax": "0.8.5" });
		cpSync(join(into, "vendor/regex-syntax/src"), join(into, "src"), { recursive: true, force: true });
		keep(into, "src");
		const own =
			'[package]\nname = "regex-syntax"\nversion = "0.8.5"\nedition = "2021"\n\n[features]\ndefault = ["std", "unicode"]\nstd = []\n';
		const parts = ["age", "bool", "case", "gencat", "perl", "script", "segment"].map((name) => `unicode-${name}`);
		const features = `unicode = [${parts.map((name) => `"${name}"`).join(", ")}]\n${parts.map((name) => `${name} = []\n`).join("")}`;
		writeFileSync(join(into, "Cargo.toml"), own + features);
	});

export const lua = (): string => cached("languages-lua-5.4", (into) => unpackDebian(into, "lua5.4"));

export const fmt = (): string =>
	cached("languages-fmt-9.1.0", (into) => {
		unpackDebian(into, "fmtlib");
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
		unpackDebian(into, "libcommons-lang3-java");
		keep(into, "src");
		keep(join(into, "src"), "main");
		for (const [name, text] of Object.entries(eclipse)) writeFileSync(join(into, name), text);
		mkdirSync(join(into, "bin"));
	});

export const psr7 = (): string =>
	cached("languages-psr7-2.4.5", (into) => {
		unpackDebian(into, "php-guzzlehttp-psr7");
		keep(into, "src", "tests", "composer.json");
	});

export const bootstrap = (): string =>
	cached("languages-bootstrap-5.3.3", (into) => {
		unpackNpm(into, "bootstrap@5.3.3");
		keep(into, "scss");
	});

export const bats = (): string => cached("languages-bats-1.11.0", (into) => unpackNpm(into, "bats@1.11.0"));
