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
	/** What was asked for that is not here; platform binaries of other platforms are. */
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
	const served = new Map<string, Served>();
	const missing: string[] = [];
	for (const [name, file] of Object.entries(packed)) served.set(name, fromTarball(file));

	function find(name: string): Served | undefined {
		const known = served.get(name);
		if (known !== undefined) return known;
		const directory = join(REPOSITORY, "node_modules", name);
		if (!existsSync(join(directory, "package.json"))) return undefined;
		const packedNow = fromDirectory(directory, join(scratch, `${name.replaceAll("/", "-")}.tgz`));
		served.set(name, packedNow);
		return packedNow;
	}

	const server = createServer((request, response) => {
		const [path = ""] = decodeURIComponent(request.url ?? "").split("?");
		const [name = "", file] = path.slice(1).split("/-/");
		const found = request.method === "GET" ? find(name) : undefined;
		if (found === undefined) {
			missing.push(`${request.method} ${path}`);
			response.writeHead(404, { "content-type": "application/json" }).end("{}");
		} else if (file === undefined) {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify(packument(found, `${url()}${name}/-/package.tgz`)));
		} else {
			response.end(found.tarball);
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

function packument({ manifest, tarball }: Served, address: string): object {
	const { name, version } = manifest;
	const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
	const dist = { tarball: address, integrity };
	return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
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
