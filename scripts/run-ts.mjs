// node scripts/run-ts.mjs FILE ARGS…: runs a TypeScript entry on a Node that strips no types. The entry is bundled next to
// the packages it imports and runs in this process, so signals and exit codes are its own.
import { mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
	console.error("usage: node scripts/run-ts.mjs FILE ARGS…");
	process.exit(2);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = resolve(file);
const cache = resolve(root, "node_modules/.cache/pi-lsp");
const name = relative(root, entry).replaceAll(/[^\w.-]+/g, "-");
const outfile = resolve(cache, `${name}.${process.pid}.mjs`);

/** A bundled module still finds its neighbours on disk by its own address, not by the bundle's. */
const ownAddress = {
	name: "own-address",
	setup(bundle) {
		bundle.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
			contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
			loader: "ts",
		}));
	},
};

mkdirSync(cache, { recursive: true });
process.once("exit", () => rmSync(outfile, { force: true }));
await build({
	absWorkingDir: root,
	entryPoints: [entry],
	outfile,
	bundle: true,
	packages: "external",
	platform: "node",
	format: "esm",
	target: "node20.19",
	sourcemap: "inline",
	logLevel: "warning",
	plugins: [ownAddress],
});

process.setSourceMapsEnabled(true);
process.argv.splice(1, 2 + args.length, entry, ...args);
process.title = basename(entry);
await import(pathToFileURL(outfile).href);
