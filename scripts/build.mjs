// Bundles what users run: the extension, the command line and the daemon, each as one plain JavaScript file.
// One CommonJS bundle starts in 74 ms where the same modules unbundled take 96 and tsx 250 (Node 20.20).
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { licensesOf } from "./licenses.mjs";

const root = new URL("..", import.meta.url).pathname;
rmSync(`${root}dist`, { recursive: true, force: true });

const common = {
	absWorkingDir: root,
	bundle: true,
	platform: "node",
	target: "node20.19",
	logLevel: "warning",
	// In dist/licenses.txt instead.
	legalComments: "none",
	metafile: true,
	minifySyntax: true,
	minifyWhitespace: true,
};
// What `require` would load of it finds its own files by a name that no bundler reads.
const esm = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };
// Inside pi "@sinclair/typebox" is the host's own; outside it is our dependency under another name, because a
// host package among "dependencies" makes pi warn at every start.
const alias = { "@sinclair/typebox": "bundled-typebox", ...esm };
// CommonJS has no import.meta; the bundles find their neighbours from their own place.
const cjs = {
	format: "cjs",
	// require() reads a large file in a third of the time of import(), which looks for the names that it exports.
	supported: { "dynamic-import": false },
	define: { "import.meta.url": "importMetaUrl" },
	banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};

// What is imported at run time stays in a file of its own, or Node would compile it before it is wanted: the command line
// needs no servers of its own when there is a daemon.
const apart = {
	name: "apart",
	setup({ onResolve }) {
		onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
			const bundle = kind === "dynamic-import" ? bundles[relative(root, join(dirname(importer), path))] : undefined;
			return bundle && { path: `./${bundle}.cjs`, external: true };
		});
	},
};
// The MCP SDK brings ajv, 216 KB, which only its `elicitInput` uses; the faces never call that.
const withoutAjv = {
	name: "without-ajv",
	setup({ onResolve, onLoad }) {
		const namespace = "without-ajv";
		onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path: namespace, namespace }));
		onLoad({ filter: /^/, namespace }, () => ({
			contents: `export { default as process } from "node:process";
				export class DefaultJsonSchemaValidator {}`,
		}));
	},
};
const bundles = {
	"src/daemon/in-process.ts": "in-process",
	"src/faces/cli/install/install.ts": "cli-install",
	"src/faces/cli/agents/hosts.ts": "cli-hosts",
	"src/faces/cli/agents/init.ts": "cli-init",
	"src/faces/cli/agents/uninstall.ts": "cli-uninstall",
	"src/faces/cli/completions.ts": "cli-completions",
	"src/faces/cli/skills.ts": "cli-skills",
	"src/faces/lsp/main.ts": "lsp-server",
	"src/faces/mcp/start.ts": "mcp-start",
	"src/faces/mcp/http.ts": "mcp-http",
	"src/watch/chokidar.ts": "watch-chokidar",
};

const programs = await build({
	...common,
	...cjs,
	alias,
	plugins: [apart, withoutAjv],
	entryPoints: {
		cli: "src/faces/cli/start.ts",
		"cli-main": "cli.ts",
		"hook-main": "src/faces/hooks/main.ts",
		daemon: "src/daemon/main.ts",
		"rpc-server": "src/daemon/rpc-server.ts",
		watchdog: "src/daemon/lifecycle/watchdog-thread.ts",
		...Object.fromEntries(Object.entries(bundles).map(([file, bundle]) => [bundle, file])),
		"mcp-main": "src/faces/mcp/main.ts",
	},
	outdir: "dist",
	outExtension: { ".js": ".cjs" },
});
// pi reads one module instead of forty: its loader adds 27 ms instead of 61. The host's own packages stay the host's.
const extension = await build({
	...common,
	format: "esm",
	banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
	alias: esm,
	external: ["@mariozechner/*", "@sinclair/typebox"],
	entryPoints: { index: "index.ts" },
	outdir: "dist",
	outExtension: { ".js": ".mjs" },
});

// The grammars that src/impact reads declarations with, and what runs them: loaded when a file of their language is compared.
const grammars = new URL("../node_modules/@vscode/tree-sitter-wasm/wasm/", import.meta.url).pathname;
mkdirSync(`${root}dist/grammars`);
// In a package of ES modules CommonJS has another name.
copyFileSync(`${grammars}tree-sitter.js`, `${root}dist/grammars/tree-sitter.cjs`);
for (const language of ["", "-cpp", "-go", "-python", "-rust", "-tsx", "-typescript"])
	copyFileSync(`${grammars}tree-sitter${language}.wasm`, `${root}dist/grammars/tree-sitter${language}.wasm`);

const bundled = [programs, extension].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(
	`${root}dist/licenses.txt`,
	licensesOf([...bundled, `${grammars}tree-sitter.js`.slice(root.length)], root),
);

// pi reads skills as files; their calls are then in the words of its tools.
execFileSync(process.execPath, [`${root}dist/cli.cjs`, "skills", "install", `${root}dist/skills`, "--words", "pi"], {
	stdio: ["ignore", "ignore", "inherit"],
});

// What V8 compiled of the bundles that every start reads, for src/util/code-cache.ts; once they have run, so that their
// functions are there. In a process of its own, with the flags that users have.
const warmUps = {
	// A status, and a question about a file that no server here answers: nothing is started by it.
	"rpc-server": `const { dispatch, RpcServer } = loaded.exports;
		const events = { log() {}, idle() {}, shutdown() {} };
		const { service } = new RpcServer({}, events);
		const call = (method, input) => dispatch(service, method, { cwd: ${JSON.stringify(root)}, input }, { env: async () => ({}), signal: new AbortController().signal }).catch(() => {});
		process.env.PATH = "";
		await call("status", {});
		await call("check", { files: ["package.json"] });
		await call("check", { files: ["absent.ts"] });`,
	"cli-main": "",
	// What every client of the older revisions begins with. Without an answer the cache has less; that is all.
	"mcp-main": `const input = new (require("node:stream").PassThrough)();
		Object.defineProperty(process, "stdin", { value: input });
		const answered = new Promise((resolve) => {
			process.stdout.write = (text) => String(text).includes('"id":2') ? (resolve(), true) : true;
			setTimeout(resolve, 10_000);
		});
		const served = loaded.exports.serveMcp(["--no-daemon"]);
		const clientInfo = { name: "", version: "" };
		for (const message of [
			{ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
			{ method: "notifications/initialized" },
			{ id: 2, method: "tools/list" },
		]) input.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
		await answered;
		input.end();
		await served;`,
	"hook-main": "",
};
for (const [name, warmUp] of Object.entries(warmUps)) {
	const file = JSON.stringify(`${root}dist/${name}.cjs`);
	const program = `(async () => {
		process.argv = [process.execPath, "pi-lsp", "--version"];
		process.stdout.write = () => true;
		const { readFileSync, writeFileSync } = require("node:fs");
		const { createRequire, Module } = require("node:module");
		const script = new (require("node:vm").Script)(Module.wrap(readFileSync(${file}, "utf8")), { filename: ${file} });
		const loaded = { exports: {} };
		script.runInThisContext()(loaded.exports, createRequire(${file}), loaded, ${file}, ${JSON.stringify(`${root}dist`)});
		${warmUp}
		await new Promise(setImmediate);
		writeFileSync(${file} + ".cache", script.createCachedData());
		process.exit(0);
	})();`;
	execFileSync(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "inherit"] });
}
