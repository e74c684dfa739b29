import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ServerConfig } from "../../server.ts";
import { speaks } from "../config/servers.ts";
import { isFolderName, type PrivateInstaller, serversFolder } from "../launch/install.ts";
import { putBack } from "../launch/interrupted-install.ts";
import { type InstallRecord, readRecord, sizeOf } from "./installed.ts";
import { readPackage } from "./package.ts";
import { type Env, recipesOf } from "./plan.ts";
import { languageCalled } from "./request.ts";

export interface Installed {
	readonly id: string;
	readonly folder: string;
	readonly record?: InstallRecord;
	readonly server?: ServerConfig;
}

export async function listInstalled(servers: readonly ServerConfig[], env: Env): Promise<readonly Installed[]> {
	const parent = serversFolder(env);
	for (const name of await readdir(parent).catch(() => [])) {
		const [, interrupted] = /^\.(.+)\.old$/.exec(name) ?? [];
		if (interrupted !== undefined) putBack(join(parent, interrupted));
	}
	const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
	const ids = entries.filter((entry) => entry.isDirectory() && isFolderName(entry.name)).map(({ name }) => name);
	return Promise.all(
		ids.sort().map(async (id): Promise<Installed> => {
			const folder = join(parent, id);
			const record = await readRecord(folder);
			const server = servers.find((each) => each.id === id);
			return { id, folder, ...(record ? { record } : {}), ...(server ? { server } : {}) };
		}),
	);
}

export function installedCalled(name: string, installed: readonly Installed[]): readonly Installed[] {
	const own = installed.filter(({ id }) => id === name);
	if (own.length > 0) return own;
	return installed.filter(({ server }) => server && speaks(server, languageCalled(name)));
}

/** `latest` without a tested version, or if the newest was wanted. */
export function updateOf({ record, server }: Installed): string | undefined {
	if (!server) return undefined;
	const tested = testedVersion(server, record?.manager);
	if (!record || record.choice === "newest") return record ? "latest" : (tested ?? "latest");
	if (record.choice === "named") return undefined;
	return tested === record.version ? undefined : (tested ?? "latest");
}

export function testedVersion({ install }: ServerConfig, manager?: PrivateInstaller): string | undefined {
	const recipes = recipesOf(install);
	const recipe = recipes.find((each) => each.manager === manager) ?? recipes[0];
	return recipe && readPackage(recipe.manager, recipe.words).version;
}

export interface ListedServer {
	readonly id: string;
	readonly version?: string;
	readonly package?: string;
	readonly manager?: PrivateInstaller;
	readonly choice?: InstallRecord["choice"];
	readonly bytes: number;
	readonly folder: string;
	readonly update?: string;
}

export async function describeInstalled(one: Installed): Promise<ListedServer> {
	const { id, folder, record } = one;
	const update = updateOf(one);
	return {
		id,
		...(record?.version === undefined ? {} : { version: record.version }),
		...(record ? { package: record.package, manager: record.manager, choice: record.choice } : {}),
		bytes: await sizeOf(folder),
		folder,
		...(update === undefined ? {} : { update }),
	};
}
