import { join, relative } from "node:path";
import { statOf } from "../../util/files.ts";
import { Directories, directoriesUp } from "../directories.ts";

const managers = {
	npm: { install: "npm install", add: "npm install --save-dev" },
	pnpm: { install: "pnpm install", add: "pnpm add --save-dev" },
	yarn: { install: "yarn install", add: "yarn add --dev" },
	bun: { install: "bun install", add: "bun add --dev" },
} as const;

const lockfiles = {
	"pnpm-lock.yaml": "pnpm",
	"yarn.lock": "yarn",
	"bun.lock": "bun",
	"bun.lockb": "bun",
	"package-lock.json": "npm",
} as const;

export interface NodePackages {
	/** With dependencies, nearest first, relative to the workspace. */
	readonly manifests: readonly { readonly name: string; readonly dependencies: readonly string[] }[];
	readonly nothingInstalled: boolean;
	/** Yarn's, without `node_modules`. */
	readonly plugAndPlay: boolean;
	readonly commands: { readonly install: string; readonly add: string };
	isInstalled(name: string): Promise<boolean>;
}

export async function nodePackages(directory: string, workspace: string): Promise<NodePackages> {
	const directories = new Directories();
	const upward = directoriesUp(directory, workspace);
	const names = await Promise.all(upward.map((at) => directories.names(at)));
	const manifests = await Promise.all(upward.map((at) => directories.json(at, "package.json")));
	return {
		manifests: manifests.flatMap((manifest, index) => {
			const dependencies = dependenciesOf(manifest);
			const name = relative(workspace, join(upward[index] ?? "", "package.json"));
			return dependencies.length > 0 ? [{ name, dependencies }] : [];
		}),
		nothingInstalled: !names.some((held) => held.has("node_modules")),
		plugAndPlay: names.some((held) => held.has(".pnp.cjs") || held.has(".pnp.js")),
		commands: managers[managerOf(names, manifests)],
		// Node and TypeScript look beyond the workspace.
		isInstalled: async (name) => {
			const found = directoriesUp(directory, "/").map((above) => statOf(join(above, "node_modules", name)));
			return (await Promise.all(found)).some((info) => info !== undefined);
		},
	};
}

type Manifest = Readonly<Record<string, unknown>> | undefined;

function dependenciesOf(manifest: Manifest): string[] {
	const sections = [manifest?.dependencies, manifest?.devDependencies, manifest?.optionalDependencies];
	const names = sections.flatMap((section) => (typeof section === "object" && section ? Object.keys(section) : []));
	return [...new Set(names)].filter((name) => /^[@\w][\w./~-]{0,99}$/.test(name));
}

function managerOf(names: readonly ReadonlySet<string>[], manifests: readonly Manifest[]): keyof typeof managers {
	for (const [index, held] of names.entries()) {
		const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifests[index]?.packageManager ?? ""))?.[1];
		if (named) return named as keyof typeof managers;
		for (const [lockfile, manager] of Object.entries(lockfiles)) if (held.has(lockfile)) return manager;
	}
	return "npm";
}
