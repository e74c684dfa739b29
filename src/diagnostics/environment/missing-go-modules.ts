import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { directoriesUp } from "../../project/directories.ts";
import { goRequirements } from "../../project/manifests/go-mod.ts";
import { statOf } from "../../util/files.ts";
import { anyManifest, readText } from "../../util/read-file.ts";
import { type Fault, type FaultyFile, listed } from "./fault.ts";

const maxBytes = 1024 * 1024;

export async function missingGoModules({ path, diagnostics, server }: FaultyFile): Promise<Fault[]> {
	const imports = diagnostics.flatMap((found) => {
		const name = /^could not import (\S+)/.exec(found.message)?.[1];
		return name === undefined ? [] : [{ found, name }];
	});
	if (imports.length === 0) return [];
	const required = await requiredAt(dirname(path), server.root);
	const { GOMODCACHE, GOPATH, HOME } = server.launch.env;
	const cache = GOMODCACHE || join(GOPATH || join(HOME || homedir(), "go"), "pkg/mod");
	const absent = new Map<string, Fault["caused"]>();
	for (const { found, name } of imports) {
		const module = [...required.keys()].find((one) => name === one || name.startsWith(`${one}/`));
		if (module === undefined) continue;
		// The module cache escapes `A` as `!a`.
		const place = `${module}@${required.get(module)}`.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
		if ((await statOf(join(cache, place))) === undefined) absent.set(module, [...(absent.get(module) ?? []), found]);
	}
	const names = [...absent.keys()];
	const verb = names.length === 1 ? "is" : "are";
	const sentence = `${listed(names)} ${verb} in go.mod and not downloaded; run \`go mod download\`.`;
	return names.length === 0 ? [] : [{ sentence, caused: [...absent.values()].flat() }];
}

async function requiredAt(directory: string, root: string): Promise<ReadonlyMap<string, string>> {
	for (const at of directoriesUp(directory, root)) {
		const manifest = join(at, "go.mod");
		const info = await statOf(manifest);
		if (!info?.isFile() || info.size > BigInt(maxBytes)) continue;
		return goRequirements((await readText(manifest, anyManifest)) ?? "");
	}
	return new Map();
}
