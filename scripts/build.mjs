// Bundles the extension, the command line and the daemon, each as one plain JavaScript file. One CommonJS bundle starts in
// 74 ms; the same modules unbundled take 96 ms, with tsx 250 ms (Node 20.20).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { licensesOf } from "./licenses.mjs";

const root = new URL("..", import.meta.url).pathname;
// Packages to bundle; scripts/prepare.mjs installs them elsewhere for a while.
const packages = process.env.PI_LSP_BUILD_PACKAGES ?? join(root, "node_modules");
const { build, transform } = createRequire(join(packages, "of-the-build.cjs"))("esbuild");
rmSync(`${root}dist`, { recursive: true, force: true });

const common = {
	absWorkingDir: root,
	nodePaths: [packages],
	bundle: true,
	platform: "node",
	target: "node20.19",
	logLevel: "warning",
	// dist/licenses.txt contains them.
	legalComments: "none",
	metafile: true,
	minifySyntax: true,
	minifyWhitespace: true,
};
// Its CommonJS form finds its own files by a name that no bundler reads.
const esm = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };
// Inside pi "@sinclair/typebox" is the host's own; outside, it is our dependency under another name, because a host package
// among "dependencies" makes pi warn at every start.
const alias = { "@sinclair/typebox": "bundled-typebox", ...esm };
// CommonJS has no import.meta; the bundles find their neighbours by their own path.
const cjs = {
	format: "cjs",
	// require() reads a large file in a third of the time of import(), which looks for its exported names.
	supported: { "dynamic-import": false },
	define: { "import.meta.url": "importMetaUrl" },
	banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};

// Rarely needed modules are bundled in another file than their importers, which import them from there at run time.
const apart = {
	name: "apart",
	setup({ onResolve }) {
		onResolve({ filter: /^\./ }, ({ path, kind, importer }) => {
			const source = kind === "dynamic-import" ? relative(root, join(dirname(importer), path)) : undefined;
			return source !== undefined && homes[source] ? { path: `./${homes[source]}.cjs`, external: true } : undefined;
		});
	},
};
// The MCP SDK contains ajv, 216 KB, which only its `elicitInput` uses; the faces never call that.
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
/** Programs whose start a caller waits for, each as one file that reads no other. */
const single = {
	cli: "src/faces/cli/start.ts",
	api: "src/faces/api/session.ts",
	"hook-main": "src/faces/hooks/main.ts",
	daemon: "src/daemon/main.ts",
	watchdog: "src/daemon/lifecycle/watchdog-thread.ts",
};
/** The other programs share files for common modules. */
const sharing = {
	"cli-main": ["cli.ts"],
	"cli-more": [
		"src/faces/api/calls.ts",
		"src/faces/cli/install/install.ts",
		"src/faces/cli/agents/hosts.ts",
		"src/faces/cli/agents/init.ts",
		"src/faces/cli/agents/uninstall.ts",
		"src/faces/cli/agents/update.ts",
		"src/faces/cli/completions.ts",
		"src/faces/cli/skills.ts",
		"src/faces/lsp/main.ts",
	],
	"rpc-server": ["src/daemon/rpc-server.ts", "src/daemon/in-process.ts"],
	"mcp-main": ["src/faces/mcp/main.ts"],
	"pi-main": ["src/faces/pi/extension.ts"],
	"extension-host": ["src/daemon/extensions/host.ts"],
};
const homes = Object.fromEntries(
	Object.entries(sharing).flatMap(([file, sources]) => sources.map((source) => [source, file])),
);
const joined = {
	name: "joined",
	setup({ onResolve, onLoad }) {
		const namespace = "joined";
		onResolve({ filter: /^joined:/ }, ({ path }) => ({ path: path.slice("joined:".length), namespace }));
		onLoad({ filter: /^/, namespace }, ({ path }) => ({
			contents: sharing[path].map((source) => `export * from "./${source}";`).join("\n"),
			resolveDir: root,
		}));
	},
};

// The daemon's log contains stacks with function names; the other programs show errors without a stack.
const named = new Set(["api", "daemon", "rpc-server", "watchdog"]);
const programs = await Promise.all(
	[true, false].map((minifyIdentifiers) =>
		build({
			...common,
			...cjs,
			minifyIdentifiers,
			alias,
			plugins: [apart],
			entryPoints: Object.entries(single)
				.filter(([out]) => named.has(out) !== minifyIdentifiers)
				.map(([out, program]) => ({ in: program, out })),
			outdir: "dist",
			outExtension: { ".js": ".cjs" },
		}),
	),
);
// esbuild shares code only between modules of ECMAScript; each then becomes CommonJS.
const shared = await build({
	...common,
	format: "esm",
	splitting: true,
	alias,
	external: ["@mariozechner/*"],
	plugins: [apart, joined, withoutAjv],
	entryPoints: Object.entries(sharing).map(([out, sources]) => ({
		in: sources.length === 1 ? sources[0] : `joined:${out}`,
		out,
	})),
	chunkNames: "[name]-[hash]",
	outdir: "dist",
	outExtension: { ".js": ".cjs" },
	write: false,
});
for (const { path, text } of shared.outputFiles) {
	const { banner, ...options } = cjs;
	const { code } = await transform(text, {
		...options,
		...(text.includes("import.meta.url") ? { banner: banner.js } : {}),
		platform: common.platform,
		target: common.target,
		minifySyntax: true,
		minifyWhitespace: true,
		minifyIdentifiers: !named.has(basename(path, ".cjs")),
	});
	writeFileSync(path, code);
}
const extension = await build({
	...common,
	format: "esm",
	external: ["@mariozechner/*"],
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
const { apiTypes, manPage, printedTexts } = packedTexts.exports;
for (const [file, text] of Object.entries(printedTexts())) writeFileSync(`${root}dist/${file}`, text);
writeFileSync(`${root}dist/pi-lsp.1`, manPage());

// The package's entry points: each exports a part of the one bundle, and all types.
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
	// By name: with `export type *` a program could use the values that this part lacks.
	const types = `export type { ${typeNames.join(", ")} } from "./api.cjs";\nexport { ${names.join(", ")} } from "./api.cjs";\n`;
	writeFileSync(`${root}dist/api-${part}.d.cts`, types);
}

// The grammars and the runtime that src/impact reads declarations with, loaded when a file of their language is compared.
// As a dependency, their package would make the tarball 0.84 MB instead of 1.58, but the installation 81 MB instead of 60
// (the limit is 75): most of its bytes are grammars of other languages.
const grammars = join(packages, "@vscode/tree-sitter-wasm/wasm/");
mkdirSync(`${root}dist/grammars`);
// A package of ES modules needs another extension for CommonJS.
copyFileSync(`${grammars}tree-sitter.js`, `${root}dist/grammars/tree-sitter.cjs`);
// At brotli's quality 9 they take 1.8 s and 724 KB, at 11 they would take 42 s and 657 KB.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } };
for (const language of ["", "-cpp", "-go", "-python", "-rust", "-tsx", "-typescript"]) {
	const file = `tree-sitter${language}.wasm`;
	writeFileSync(`${root}dist/grammars/${file}.br`, brotliCompressSync(readFileSync(`${grammars}${file}`), quality));
}

// Runs in the processes of a project's tests.
cpSync(`${root}src/recording/recorders`, `${root}dist/recorders`, { recursive: true });

const bundled = [...programs, shared, extension].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${root}dist/licenses.txt`, licensesOf([...bundled, relative(root, `${grammars}tree-sitter.js`)], root));

// Copies with the same contents share a daemon, and each start may use V8's code cache of these files.
const contents = createHash("sha256");
for (const entry of readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })
	.filter((found) => found.isFile())
	.map((found) => join(found.parentPath, found.name))
	.sort())
	contents.update(relative(root, entry)).update("\0").update(readFileSync(entry)).update("\0");
writeFileSync(`${root}dist/build-id`, `${contents.digest("hex").slice(0, 16)}\n`);

// pi reads skills as files, which then name pi's tools.
execFileSync(process.execPath, [`${root}dist/cli.cjs`, "skills", "install", `${root}dist/skills`, "--words", "pi"], {
	stdio: ["ignore", "ignore", "inherit"],
});
