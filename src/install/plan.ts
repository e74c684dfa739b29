import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Install, ServerConfig } from "../../server.ts";
import { readSettings } from "../config/read-settings.ts";
import { LspError } from "../contract/errors.ts";
import { isPrivate, isUnfit, type PrivateInstaller, possibleWays, serversFolder } from "../launch/install.ts";
import { programPath, safePath } from "../process/find-program.ts";
import { workspaceOf } from "../project/root.ts";
import { shellWord } from "../render/shell-word.ts";
import { isFromGit, type Package, packageWords, readPackage, versionFor } from "./package.ts";
import type { InstallRequest } from "./request.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** A repository names no packages, and its programs are not run. */
export interface Machine {
	readonly servers: readonly ServerConfig[];
	readonly env: Env;
	readonly path: string;
	has(program: string): Promise<boolean>;
}

export interface Step {
	readonly program: string;
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
}

export interface Plan {
	readonly id: string;
	readonly manager: PrivateInstaller;
	readonly package: Package;
	/** `newest`: requested, or the recipe has no version. */
	readonly choice: "tested" | "newest" | "named";
	readonly folder: string;
	readonly temporary: string;
	readonly steps: readonly Step[];
	readonly path: string;
	readonly programs: readonly string[];
	readonly note?: string;
	readonly otherWays: readonly string[];
}

export interface Advice {
	readonly id: string;
	readonly bundled?: boolean;
	readonly lacks?: string;
	readonly command?: string;
}

interface Ways {
	readonly program: string;
	readonly from: string;
	steps(folder: string, words: readonly string[]): readonly Step[];
}

export const managers: Readonly<Record<PrivateInstaller, Ways>> = {
	npm: {
		program: "npm",
		from: "npm's registry; npm compares each package's integrity",
		steps: (folder, words) => [
			{ program: "npm", args: ["install", "--prefix", folder, "--no-audit", "--no-fund", ...words] },
		],
	},
	pip: {
		program: "python3",
		from: "PyPI; pip compares the index's checksums",
		steps: (folder, words) => [
			{ program: "python3", args: ["-m", "venv", folder] },
			{ program: join(folder, "bin", "pip"), args: ["install", "--disable-pip-version-check", ...words] },
		],
	},
	go: {
		program: "go",
		from: "Go's module proxy; go compares the checksum database",
		steps: (folder, words) => [
			{ program: "go", args: ["install", ...words], environment: { GOBIN: join(folder, "bin") } },
		],
	},
	cargo: {
		program: "cargo",
		from: "crates.io, compiled here; cargo compares the index's checksums",
		steps: (folder, words) => [{ program: "cargo", args: ["install", "--root", folder, ...words] }],
	},
	gem: {
		program: "gem",
		from: "rubygems.org; gem compares the index's checksums",
		steps: (folder, words) => [
			{
				program: "gem",
				args: ["install", "--no-document", "--install-dir", folder, "--bindir", join(folder, "gem-bin"), ...words],
			},
		],
	},
};

export async function lookAround(cwd: string, env: Env): Promise<Machine> {
	const { servers } = await readSettings("/", { env, withoutTrust: true });
	const workspace = await workspaceOf(cwd);
	const outside = workspace === homedir() ? "/dev/null" : workspace;
	const path = (await safePath(env.PATH ?? "", outside)).join(delimiter);
	const has = async (program: string) => (await programPath(program, outside, env)) !== undefined;
	return { servers, env, path, has };
}

/** Rejects with LSP_INVALID_INPUT for an impossible version. */
export async function planFor({ servers, version, manager }: InstallRequest, machine: Machine): Promise<Plan | Advice> {
	const plans: (Plan | Advice)[] = [];
	for (const server of servers) {
		const plan = await planServer(server, version, machine, manager);
		if ("steps" in plan || plan.bundled) return plan;
		plans.push(plan);
	}
	return plans[0] ?? { id: servers[0].id };
}

async function planServer(
	server: ServerConfig,
	version: string | undefined,
	machine: Machine,
	manager: PrivateInstaller | undefined,
): Promise<Plan | Advice> {
	const { id, install } = server;
	if (server.bundled) return { id, bundled: true };
	const recipes = recipesOf(install).filter((recipe) => manager === undefined || recipe.manager === manager);
	const there = await Promise.all(recipes.map((recipe) => machine.has(managers[recipe.manager].program)));
	const possible = recipes.filter((_, index) => there[index]);
	const [chosen] = possible;
	const systemWays = possibleWays(server, machine.path).filter(({ way }) => !isPrivate(way));
	const pages = server.homepage === undefined ? [] : [`see ${server.homepage}`];
	const others = [
		...(typeof install === "string" ? [install] : []),
		...systemWays.map(({ command }) => command),
		...pages,
	];
	if (!chosen) {
		const [recipe] = recipes;
		const lacks = recipe
			? `${managers[recipe.manager].program} is not installed`
			: manager && `${manager} has no package`;
		const [command] = others;
		return { id, ...(lacks ? { lacks } : {}), ...(command === undefined ? {} : { command }) };
	}
	const known = readPackage(chosen.manager, chosen.words);
	if (version !== undefined && version !== "latest" && isFromGit(known))
		throw new LspError(
			"LSP_INVALID_INPUT",
			`install: ${id} is built from its repository as it is; it has no versions.`,
			{
				suggestion: "Leave out the version.",
			},
		);
	const folder = join(serversFolder(machine.env), id);
	const temporary = join(serversFolder(machine.env), `.${id}.new`);
	const wanted = wantedPackage(chosen.manager, known, version);
	return {
		id,
		manager: chosen.manager,
		package: wanted,
		choice: wanted.version === undefined ? "newest" : version === undefined ? "tested" : "named",
		folder,
		temporary,
		steps: managers[chosen.manager].steps(temporary, packageWords(chosen.manager, wanted)),
		path: machine.path,
		programs: [server.command, ...(server.candidates ?? []).map(({ command }) => command)],
		...(typeof install === "object" && install.note !== undefined ? { note: install.note } : {}),
		otherWays: [...possible.slice(1).map((other) => `pi-lsp install ${id} --with ${other.manager}`), ...others],
	};
}

function wantedPackage(manager: PrivateInstaller, known: Package, version: string | undefined): Package {
	if (version === undefined) return known;
	const { name, before, after } = known;
	return version === "latest"
		? { name, before, after }
		: { name, before, after, version: versionFor(manager, version) };
}

interface Recipe {
	readonly manager: PrivateInstaller;
	readonly words: string;
}

export function recipesOf(install: Install | string | undefined): readonly Recipe[] {
	if (typeof install !== "object") return [];
	return Object.entries(install).flatMap(([manager, packages]) =>
		isPrivate(manager) && Array.isArray(packages) && !isUnfit(install, manager)
			? [{ manager, words: packages.join(" ") }]
			: [],
	);
}

export function commandLine({ program, args, environment = {} }: Step): string {
	const set = Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`);
	return [...set, ...[program, ...args].map(shellWord)].join(" ");
}
