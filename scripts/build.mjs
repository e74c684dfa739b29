// Bundles what users run: the extension, the command line and the daemon, each as one plain JavaScript file.
// One CommonJS bundle starts in 74 ms where the same modules unbundled take 96 and tsx 250 (Node 20.20).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { licensesOf } from "./licenses.mjs";

const root = new URL("..", import.meta.url).pathname;
// Where the packages lie that are bundled: scripts/prepare.mjs installs them elsewhere for a while.
const packages = process.env.PI_LSP_BUILD_PACKAGES ?? join(root, "node_modules");
const { build } = createRequire(join(packages, "of-the-build.cjs"))("esbuild");
rmSync(`${root}dist`, { recursive: true, force: true });

const common = {
	absWorkingDir: root,
	nodePaths: [packages],
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
// needs no servers of its own when there is a daemon. What is wanted seldom shares a file with what it has most code with.
const apart = {
	name: "apart",
	setup({ onResolve, onLoad }) {
		const namespace = "apart";
		onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
			const source = kind === "dynamic-import" ? relative(root, join(dirname(importer), path)) : undefined;
			return source !== undefined && homes[source] ? { path: source, namespace } : undefined;
		});
		onLoad({ filter: /^/, namespace }, ({ path }) => ({
			contents: `module.exports = require(${JSON.stringify(`./${homes[path]}.cjs`)})[${JSON.stringify(path)}];`,
		}));
		onResolve({ filter: /^/, namespace }, ({ path }) => ({ path, external: true }));
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
/** Each program with its file, and what it holds besides. */
const programFiles = {
	cli: { program: "src/faces/cli/start.ts" },
	"cli-main": { program: "cli.ts" },
	api: { program: "src/faces/api/session.ts" },
	"cli-more": {
		besides: [
			"src/faces/api/calls.ts",
			"src/faces/cli/install/install.ts",
			"src/faces/cli/agents/hosts.ts",
			"src/faces/cli/agents/init.ts",
			"src/faces/cli/agents/uninstall.ts",
			"src/faces/cli/completions.ts",
			"src/faces/cli/skills.ts",
			"src/faces/lsp/main.ts",
		],
	},
	"hook-main": { program: "src/faces/hooks/main.ts" },
	daemon: { program: "src/daemon/main.ts" },
	"rpc-server": { program: "src/daemon/rpc-server.ts", besides: ["src/daemon/in-process.ts"] },
	watchdog: { program: "src/daemon/lifecycle/watchdog-thread.ts" },
	"mcp-start": { besides: ["src/faces/mcp/start.ts"] },
	"mcp-main": { program: "src/faces/mcp/main.ts" },
	"watch-chokidar": { besides: ["src/watch/chokidar.ts"] },
};
const homes = Object.fromEntries(
	Object.entries(programFiles).flatMap(([file, { besides = [] }]) => besides.map((source) => [source, file])),
);
// An exported name is the path of the source that is imported.
const joined = {
	name: "joined",
	setup({ onResolve, onLoad }) {
		const namespace = "joined";
		onResolve({ filter: /^joined:/ }, ({ path }) => ({ path: path.slice("joined:".length), namespace }));
		onLoad({ filter: /^/, namespace }, ({ path }) => {
			const { program, besides = [] } = programFiles[path];
			const own = program ? [`export * from "./${program}";`] : [];
			const others = besides.map((source) => `export * as "${source}" from "./${source}";`);
			return { contents: [...own, ...others].join("\n"), resolveDir: root };
		});
	},
};

// The daemon's log names the functions that blocked it or threw; what the other programs throw is shown without a stack.
const named = new Set(["daemon", "rpc-server", "watchdog", "api"]);
const programs = await Promise.all(
	[true, false].map((minifyIdentifiers) =>
		build({
			...common,
			...cjs,
			minifyIdentifiers,
			alias,
			plugins: [apart, joined, withoutAjv],
			entryPoints: Object.entries(programFiles)
				.filter(([out]) => named.has(out) !== minifyIdentifiers)
				.map(([out, { program, besides }]) => ({ in: program && !besides ? program : `joined:${out}`, out })),
			outdir: "dist",
			outExtension: { ".js": ".cjs" },
		}),
	),
);
// pi reads one module instead of forty: its loader adds 27 ms instead of 61. The host's own packages stay the host's.
const extension = await build({
	...common,
	format: "esm",
	minifyIdentifiers: true,
	banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
	alias: esm,
	external: ["@mariozechner/*", "@sinclair/typebox"],
	entryPoints: { "pi-lsp": "index.ts" },
	outdir: "dist",
	outExtension: { ".js": ".mjs" },
});

const [{ text: code }] = (
	await build({
		...common,
		...cjs,
		alias,
		plugins: [apart],
		entryPoints: ["scripts/packed-texts.ts"],
		outdir: "dist",
		write: false,
	})
).outputFiles;
const packedTexts = { exports: {} };
new Function("module", "require", "__filename", code)(packedTexts, createRequire(import.meta.url), root);
const { apiTypes, manPage } = packedTexts.exports;
writeFileSync(`${root}dist/pi-lsp.1`, manPage());

// The names under which the package can be imported: what each has of the one bundle, and all types.
const declarations = apiTypes(readFileSync(`${root}src/faces/api/types.ts`, "utf8"));
const typeNames = [...declarations.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
writeFileSync(`${root}dist/api.d.cts`, declarations);
for (const [part, names] of Object.entries({
	types: ["LspError"],
	lsp: ["createClient"],
	session: ["createSession"],
})) {
	const values = names.map((name) => `exports.${name} = require("./api.cjs").${name};\n`);
	writeFileSync(`${root}dist/api-${part}.cjs`, values.join(""));
	// By name: `export type *` would let a program use the values that this one lacks.
	const types = `export type { ${typeNames.join(", ")} } from "./api.cjs";\nexport { ${names.join(", ")} } from "./api.cjs";\n`;
	writeFileSync(`${root}dist/api-${part}.d.cts`, types);
}

// The grammars that src/impact reads declarations with, and what runs them: loaded when a file of their language is compared.
const grammars = join(packages, "@vscode/tree-sitter-wasm/wasm/");
mkdirSync(`${root}dist/grammars`);
// In a package of ES modules CommonJS has another name.
copyFileSync(`${grammars}tree-sitter.js`, `${root}dist/grammars/tree-sitter.cjs`);
// At brotli's quality 9 they take 1.8 s and 724 KB, at 11 they would take 42 s and 657 KB.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } };
for (const language of ["", "-cpp", "-go", "-python", "-rust", "-tsx", "-typescript"]) {
	const file = `tree-sitter${language}.wasm`;
	writeFileSync(`${root}dist/grammars/${file}.br`, brotliCompressSync(readFileSync(`${grammars}${file}`), quality));
}

const bundled = [...programs, extension].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${root}dist/licenses.txt`, licensesOf([...bundled, relative(root, `${grammars}tree-sitter.js`)], root));

// Copies with the same contents share a daemon, and each start may use what V8 compiled of these very files.
const contents = createHash("sha256");
for (const entry of readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })
	.filter((found) => found.isFile())
	.map((found) => join(found.parentPath, found.name))
	.sort())
	contents.update(relative(root, entry)).update("\0").update(readFileSync(entry)).update("\0");
writeFileSync(`${root}dist/build-id`, `${contents.digest("hex").slice(0, 16)}\n`);

// pi reads skills as files; their calls are then in the words of its tools.
execFileSync(process.execPath, [`${root}dist/cli.cjs`, "skills", "install", `${root}dist/skills`, "--words", "pi"], {
	stdio: ["ignore", "ignore", "inherit"],
});
