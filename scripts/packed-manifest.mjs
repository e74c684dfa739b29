// node scripts/packed-manifest.mjs write|restore: the manifest for `npm pack` and `npm publish` has no scripts, which npm
// would show the user as run by an installation, no development packages, and none that `dist` contains: only a checkout is
// built.
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";

const manifest = new URL("../package.json", import.meta.url);
const kept = new URL("../package.json.kept", import.meta.url);

if (process.argv[2] === "restore") renameSync(kept, manifest);
else {
	copyFileSync(manifest, kept);
	const { scripts: _, devDependencies: __, ...packed } = JSON.parse(readFileSync(manifest, "utf8"));
	for (const bundled of ["bundled-typebox", "chokidar", "vscode-jsonrpc"]) delete packed.dependencies[bundled];
	writeFileSync(manifest, `${JSON.stringify(packed, null, "\t")}\n`);
}
