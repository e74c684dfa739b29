import { basename, dirname, relative } from "node:path";
import { goModulePath } from "../project/manifests/go-mod.ts";
import { readToml, stringOf, tableAt } from "../project/manifests/toml.ts";
import { isTestPath } from "../project/test-paths.ts";
import { isObject } from "../util/objects.ts";
import { anyManifest, readText } from "../util/read-file.ts";

export interface Package {
	readonly name: string;
	readonly version?: string;
	readonly directory: string;
	readonly kind: "npm" | "go" | "cargo" | "python";
	/** Started or loaded: `bin pi-lsp` and a path relative to the manifest. */
	readonly entries: readonly { readonly what: string; readonly path: string }[];
	/** Cargo's, as sources name them, without those of tests, which may form circles. */
	readonly crates?: ReadonlySet<string>;
}

const manifests: Readonly<Record<string, (text: string, directory: string) => Omit<Package, "directory"> | undefined>> =
	{
		"package.json": npmPackage,
		"go.mod": (text) => {
			const name = goModulePath(text);
			return name === undefined ? undefined : { name, kind: "go", entries: [] };
		},
		"Cargo.toml": (text) => {
			const table = readToml(text);
			const name = stringOf(tableAt(table, "package").name);
			const named = Object.keys({ ...tableAt(table, "dependencies"), ...tableAt(table, "build-dependencies") });
			const crates = new Set(named.map((each) => each.replaceAll("-", "_")));
			const version = versionOf(tableAt(table, "package").version);
			return name === undefined ? undefined : { name, ...version, kind: "cargo", entries: [], crates };
		},
		"pyproject.toml": pythonPackage,
	};

export async function packagesIn(root: string, files: readonly string[]): Promise<Package[]> {
	const found: Package[] = [];
	for (const path of files) {
		const read = manifests[basename(path)];
		if (!read || isTestPath(relative(root, path))) continue;
		const text = await readText(path, anyManifest);
		const own = text === undefined ? undefined : read(text, dirname(path));
		if (own) found.push({ ...own, directory: dirname(path) });
	}
	return found;
}

const maxVersion = 100;

function versionOf(value: unknown): { readonly version?: string } {
	return typeof value === "string" ? { version: value.slice(0, maxVersion) } : {};
}

const named = ["bin", "main", "module", "exports", "browser"] as const;

function npmPackage(text: string, directory: string): Omit<Package, "directory"> | undefined {
	let manifest: unknown;
	try {
		manifest = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isObject(manifest)) return undefined;
	const entries = named.flatMap((field) => entriesOf(field, manifest[field]));
	const name = typeof manifest.name === "string" ? manifest.name : basename(directory);
	const byPath = new Map([...entries].reverse().map((entry) => [entry.path, entry]));
	return { name, ...versionOf(manifest.version), kind: "npm", entries: [...byPath.values()].reverse() };
}

function entriesOf(what: string, value: unknown, levels = 4): { what: string; path: string }[] {
	if (typeof value === "string") return /\.d\.[mc]?ts$|[*]|\.json$/.test(value) ? [] : [{ what, path: value }];
	if (!isObject(value) || levels === 0) return [];
	return Object.entries(value)
		.slice(0, 20)
		.flatMap(([key, inner]) => {
			const isNamed = what === "bin" || key.startsWith(".");
			return entriesOf(isNamed && key !== "." ? `${what} ${key}` : what, inner, levels - 1);
		});
}

function pythonPackage(text: string): Omit<Package, "directory"> | undefined {
	const table = readToml(text);
	const name = stringOf(tableAt(table, "project").name) ?? stringOf(tableAt(table, "tool", "poetry").name);
	if (name === undefined) return undefined;
	const scripts = { ...tableAt(table, "tool", "poetry", "scripts"), ...tableAt(table, "project", "scripts") };
	const entries = Object.entries(scripts).flatMap(([script, place]) => {
		const [module] = (stringOf(place) ?? "").split(":");
		return module ? [{ what: `script ${script}`, path: `${module.replaceAll(".", "/")}.py` }] : [];
	});
	const version = versionOf(tableAt(table, "project").version ?? tableAt(table, "tool", "poetry").version);
	return { name, ...version, kind: "python", entries };
}
