import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const inPackage = /(?:^|\/)(node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The names, versions and licences of the packages whose files are bundled, with the texts of the licences. `inputs` are
 * paths relative to `root`. Throws for a package without a licence.
 */
export function licensesOf(inputs, root) {
	const directories = new Set(
		inputs.flatMap((path) => {
			const at = path.lastIndexOf("node_modules/");
			const found = at < 0 ? undefined : inPackage.exec(path.slice(at));
			return found ? [path.slice(0, at) + found[1]] : [];
		}),
	);
	const licenses = new Map();
	for (const directory of directories) {
		const { name, version, license } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
		const file = readdirSync(join(root, directory)).find((entry) => /^licen[cs]e/i.test(entry));
		if (license === undefined && file === undefined) throw new Error(`${name} has no licence`);
		const text = file === undefined ? "" : `\n${readFileSync(join(root, directory, file), "utf8").trim()}\n`;
		licenses.set(`${name} ${version}`, `${name} ${version} (${license})\n${text}`);
	}
	const sections = [...licenses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
	return `The files of this folder contain code of these packages.\n\n${sections.join(`\n${"-".repeat(78)}\n\n`)}`;
}
