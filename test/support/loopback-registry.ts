import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";

/** An npm registry on 127.0.0.1 that knows what is installed here, and packages that a test gives it. */
export interface LoopbackRegistry {
	readonly url: string;
	/**
	 * The missing packages that were requested; platform binaries of other platforms are among them, and optional
	 * peers.
	 */
	readonly missing: readonly string[];
	close(): Promise<void>;
}

interface Manifest {
	readonly name: string;
	readonly version: string;
}

interface Served {
	readonly manifest: Manifest;
	readonly tarball: Buffer;
}

/** Starts the registry; `packed` maps names to tarballs as `npm pack` makes them. */
export async function startLoopbackRegistry(
	scratch: string,
	packed: Readonly<Record<string, string>>,
): Promise<LoopbackRegistry> {
	mkdirSync(scratch, { recursive: true });
	const served = new Map<string, readonly Served[]>();
	const missing: string[] = [];
	for (const [name, file] of Object.entries(packed)) served.set(name, [fromTarball(file)]);

	function find(name: string): readonly Served[] {
		const known = served.get(name);
		if (known !== undefined) return known;
		const named = aliasesOf(name).map((alias) => `node_modules/${alias}`);
		const directories = [...placesOf(name), ...named].map((folder) => join(REPOSITORY, folder));
		const seen = new Set<string>();
		const found = directories
			.filter((directory) => existsSync(join(directory, "package.json")))
			// The same version may be there under two names, and packs to other bytes each time.
			.filter((directory) => !seen.has(versionOf(directory)) && seen.add(versionOf(directory)))
			.map((directory, index) => fromDirectory(directory, join(scratch, `${name.replaceAll("/", "-")}-${index}.tgz`)));
		served.set(name, found);
		return found;
	}

	const server = createServer((request, response) => {
		const [path = ""] = decodeURIComponent(request.url ?? "").split("?");
		const [name = "", file] = path.slice(1).split("/-/");
		const found = request.method === "GET" ? find(name) : [];
		const wanted = found.find(({ manifest }) => file === `${manifest.version}.tgz`);
		const elsewhere = file === undefined && found.length === 0 ? ofAnotherPlatform(name) : undefined;
		if (elsewhere !== undefined) {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify(elsewhere));
		} else if (found.length === 0 || (file !== undefined && !wanted)) {
			if (!optionalPeers().has(name)) missing.push(`${request.method} ${path}`);
			response.writeHead(404, { "content-type": "application/json" }).end("{}");
		} else if (file === undefined) {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify(packument(found, `${url()}${name}/-/`)));
		} else {
			response.end(wanted?.tarball);
		}
	});
	const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: url(),
		missing,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

interface Locked {
	readonly version?: string;
	readonly os?: readonly string[];
	readonly cpu?: readonly string[];
	readonly resolved?: string;
	readonly integrity?: string;
	readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

function locked(): Readonly<Record<string, Locked>> {
	const lock = JSON.parse(readFileSync(join(REPOSITORY, "package-lock.json"), "utf8")) as {
		packages: Readonly<Record<string, Locked>>;
	};
	return lock.packages;
}

/** Optional peer packages: npm requests them all the same. */
function optionalPeers(): Set<string> {
	return new Set(
		Object.entries(locked()).flatMap(([folder, { peerDependenciesMeta = {} }]) =>
			folder === "" ? [] : Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional),
		),
	);
}

/** The folders in which a package is installed: another version of it may be below its dependents. */
function placesOf(name: string): string[] {
	const own = `node_modules/${name}`;
	return [own, ...Object.keys(locked()).filter((folder) => folder.endsWith(`/${own}`))];
}

/** The folders in which npm keeps a package under another name: `"typescript-5": "npm:typescript@~5.9.3"`. */
function aliasesOf(name: string): string[] {
	const { dependencies = {} } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
		dependencies?: Record<string, string>;
	};
	return Object.keys(dependencies).filter((alias) => dependencies[alias]?.startsWith(`npm:${name}@`));
}

/** A package that npm has not installed here because of its platform: a lockfile names it all the same. */
function ofAnotherPlatform(name: string): object | undefined {
	const { version, os, cpu, resolved, integrity } = locked()[`node_modules/${name}`] ?? {};
	if (version === undefined || os === undefined) return undefined;
	const manifest = { name, version, os, cpu, dist: { tarball: resolved, integrity } };
	return { name, "dist-tags": { latest: version }, versions: { [version]: manifest } };
}

function versionOf(directory: string): string {
	return (JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest).version;
}

function packument(found: readonly Served[], address: string): object {
	const versions = found.map(({ manifest, tarball }) => {
		const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
		const dist = { tarball: `${address}${manifest.version}.tgz`, integrity };
		return [manifest.version, { ...manifest, dist }] as const;
	});
	const latest = versions[0]?.[0];
	return { name: found[0]?.manifest.name, "dist-tags": { latest }, versions: Object.fromEntries(versions) };
}

function fromTarball(file: string): Served {
	const manifest = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" });
	return { manifest: JSON.parse(manifest) as Manifest, tarball: readFileSync(file) };
}

function fromDirectory(directory: string, file: string): Served {
	const nested = ["--exclude=./node_modules"];
	const renamed = ["--transform=s,^\\.,package,"];
	execFileSync("tar", ["-I", "gzip -1", "-cf", file, ...nested, ...renamed, "-C", directory, "."]);
	return fromTarball(file);
}
