import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../../test/support/repository.ts";
import type { Files } from "../../test/support/workspace.ts";

const cache = join(REPOSITORY, "node_modules/.cache/pi-lsp/truth");

/** The wanted files of a package from npm's registry, by path in the package; fetched once. */
export function npmPackage(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = fetched(`npm-${name}-${version}`, (into) => {
		run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", into], into);
		const [archive = ""] = readdirSync(into);
		run("tar", ["xzf", archive, "--strip-components=1"], into);
	});
	return textsOf(directory, isWanted);
}

/** The wanted files of a package from PyPI, by path in its wheel; fetched once. */
export function pythonPackage(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = fetched(`pypi-${name}-${version}`, (into) => {
		const what = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"];
		run("python3", ["-m", "pip", "download", ...what, "-d", into, `${name}==${version}`], into);
		const [archive = ""] = readdirSync(into);
		run("python3", ["-m", "zipfile", "-e", archive, "."], into);
	});
	return textsOf(directory, isWanted);
}

/** The wanted files of a module from Go's proxy, by path in the module. */
export function goModule(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const found = execFileSync("go", ["mod", "download", "-json", `${name}@${version}`], {
		cwd: tmpdir(),
		encoding: "utf8",
	});
	return textsOf((JSON.parse(found) as { readonly Dir: string }).Dir, isWanted);
}

/** The wanted files of a crate from crates.io, by path in the crate; fetched once. */
export function rustCrate(name: string, version: string, isWanted: (path: string) => boolean): Files {
	const directory = fetched(`crate-${name}-${version}`, (into) => {
		const manifest = `[package]\nname = "fetch"\nversion = "0.1.0"\n\n[dependencies]\n${name} = "=${version}"\n`;
		mkdirSync(join(into, "src"));
		writeFileSync(join(into, "src/lib.rs"), "");
		writeFileSync(join(into, "Cargo.toml"), manifest);
		run("cargo", ["vendor", "--quiet", "vendor"], into);
	});
	return textsOf(join(directory, "vendor", name), isWanted);
}

function fetched(key: string, fetch: (into: string) => void): string {
	const directory = join(cache, key);
	if (existsSync(directory)) return directory;
	const partial = `${directory}.${process.pid}`;
	mkdirSync(partial, { recursive: true });
	try {
		fetch(partial);
		renameSync(partial, directory);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
	return directory;
}

function run(program: string, args: readonly string[], cwd: string): void {
	execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: 120_000 });
}

function textsOf(directory: string, isWanted: (path: string) => boolean): Files {
	const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(isWanted).sort();
	return Object.fromEntries(paths.map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}
