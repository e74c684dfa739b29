// npm runs this after `npm install` of a checkout. pi installs a git source without development packages, and `npm install
// --global git+URL`, which pre-commit runs, without any packages: those that the build needs are then installed into a
// temporary folder.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";

const root = new URL("..", import.meta.url).pathname;
const readByBuild = [
	"@modelcontextprotocol/server",
	"@vscode/tree-sitter-wasm",
	"bundled-typebox",
	"chokidar",
	"diff",
	"esbuild",
	"ignore",
	"jsonc-parser",
	"picomatch",
	"smol-toml",
	"vscode-jsonrpc",
];

const folder = join(root, "node_modules/.pi-lsp-build");
const isThere = (name) => {
	try {
		return Boolean(createRequire(import.meta.url).resolve(`${name}/package.json`));
	} catch (error) {
		return error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
	}
};
const build = (env) =>
	execFileSync(process.execPath, [join(root, "scripts/build.mjs")], {
		stdio: "inherit",
		env: { ...process.env, ...env },
	});

if (readByBuild.every(isThere)) build({});
else {
	const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
	const wanted = readByBuild.map((alias) => {
		const { name = alias, version } = packages[`node_modules/${alias}`];
		return `${alias}@npm:${name}@${version}`;
	});
	const quiet = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
	try {
		execFileSync("npm", ["install", "--prefix", folder, "--global=false", ...quiet, ...wanted], { stdio: "inherit" });
		build({ PI_LSP_BUILD_PACKAGES: join(folder, "node_modules") });
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
