import { execFile } from "node:child_process";
import { lstat, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isPrivate, type PrivateInstaller } from "../launch/install.ts";
import { attempt } from "../util/attempt.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import type { Env, Plan } from "./plan.ts";

export interface InstallRecord {
	readonly manager: PrivateInstaller;
	readonly package: string;
	readonly version?: string;
	readonly choice: Plan["choice"];
	/** ISO 8601. */
	readonly installed: string;
}

const recordName = "pi-lsp-install.json";

export async function writeRecord(folder: string, plan: Plan, version: string | undefined): Promise<void> {
	const record: InstallRecord = {
		manager: plan.manager,
		package: plan.package.name,
		...(version === undefined ? {} : { version }),
		choice: plan.choice,
		installed: new Date().toISOString(),
	};
	await writeFile(join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** Undefined for an earlier pi-lsp's installation. */
export async function readRecord(folder: string): Promise<InstallRecord | undefined> {
	const text = await readText(join(folder, recordName), anyManifest);
	const value = text === undefined ? undefined : parsed(text);
	return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is InstallRecord {
	if (typeof value !== "object" || value === null) return false;
	const { manager, package: name, version = "" } = value as Partial<Record<string, unknown>>;
	return typeof manager === "string" && isPrivate(manager) && typeof name === "string" && typeof version === "string";
}

export async function installedVersion(
	{ manager, package: { name, version }, path }: Plan,
	folder: string,
	program: string,
	env: Env,
): Promise<string | undefined> {
	switch (manager) {
		case "npm": {
			const manifest = parsed((await readText(join(folder, "node_modules", name, "package.json"), anyManifest)) ?? "");
			return (manifest as { version?: string } | undefined)?.version ?? version;
		}
		case "pip": {
			const distribution = name.replace(/[-_.]+/g, "_").toLowerCase();
			const names = await pythonPackages(folder);
			const found = names
				.map((each) => /^(.+)-([^-]+)\.dist-info$/.exec(each))
				.find((each) => each?.[1]?.toLowerCase() === distribution);
			return found?.[2] ?? version;
		}
		case "cargo": {
			const text = (await readText(join(folder, ".crates.toml"), anyManifest)) ?? "";
			const found = [...text.matchAll(/^"(\S+) (\S+) \(/gm)].find(([, crate]) => crate === name);
			return found?.[2] ?? version;
		}
		case "gem": {
			const names = await readdir(join(folder, "gems")).catch(() => []);
			const found = names.find((each) => each.startsWith(`${name}-`) && /^\d/.test(each.slice(name.length + 1)));
			return found?.slice(name.length + 1) ?? version;
		}
		case "go": {
			if (version !== undefined) return version;
			const printed = await promisify(execFile)("go", ["version", "-m", program], {
				cwd: folder,
				env: { ...env, PATH: path },
			}).catch(() => undefined);
			return /^[ \t]*mod\s+\S+\s+(\S+)/m.exec(printed?.stdout ?? "")?.[1];
		}
	}
}

async function pythonPackages(folder: string): Promise<readonly string[]> {
	const versions = await readdir(join(folder, "lib")).catch(() => []);
	const lists = versions.map((name) => readdir(join(folder, "lib", name, "site-packages")).catch(() => []));
	return (await Promise.all(lists)).flat();
}

function parsed(text: string): unknown {
	return attempt(() => JSON.parse(text));
}

export async function sizeOf(directory: string): Promise<number> {
	const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
	const sizes = entries.map(async (entry) => {
		const path = join(directory, entry.name);
		if (entry.isDirectory()) return sizeOf(path);
		return (await lstat(path).catch(() => undefined))?.size ?? 0;
	});
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
