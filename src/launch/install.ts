import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Install, Installer, ServerConfig } from "../../server.ts";
import { ownDirectory } from "../util/xdg.ts";

const commands: Readonly<Record<Installer, string>> = {
	npm: "npm install -g",
	pip: "pip install",
	go: "go install",
	cargo: "cargo install",
	rustup: "rustup component add",
	apt: "apt-get install",
	brew: "brew install",
	gem: "gem install",
	dotnet: "dotnet tool install --global",
	opam: "opam install",
	ghcup: "ghcup install",
	coursier: "cs install",
	raco: "raco pkg install",
	luarocks: "luarocks install",
	nimble: "nimble install",
};

export interface InstallWay {
	readonly way: Installer | "run" | "url";
	readonly command: string;
	readonly program: string;
}

function commandsOf(install: Install): readonly InstallWay[] {
	return Object.entries(install).flatMap(([way, value]): readonly InstallWay[] => {
		if (way === "url") return [{ way, command: `see ${value}`, program: "" }];
		const managed = isInstaller(way) && Array.isArray(value) ? `${commands[way]} ${value.join(" ")}` : "";
		const command = way === "run" ? String(value) : managed;
		return command === "" ? [] : [{ way: way as InstallWay["way"], command, program: command.split(" ")[0] ?? "" }];
	});
}

type Recipe = Pick<ServerConfig, "install" | "homepage">;

/**
 * The first way whose program is on PATH, else a page, else the first that comes with a language. Homebrew and apt only
 * if present.
 */
export function installHint(recipe: Recipe, path: string | undefined = process.env.PATH): string | undefined {
	const { install, homepage } = recipe;
	if (install === undefined || typeof install === "string") return install;
	const [possible] = possibleWays(recipe, path);
	if (possible) return possible.command;
	const other = ofLanguage(install);
	if (other) return `${other.command} (${other.program} is not installed)`;
	return homepage === undefined ? undefined : `see ${homepage}`;
}

export function installerOf(recipe: Recipe, path: string | undefined): string | undefined {
	if (typeof recipe.install !== "object") return undefined;
	const [possible] = possibleWays(recipe, path);
	return (possible ?? ofLanguage(recipe.install))?.program || undefined;
}

function ofLanguage(install: Install): InstallWay | undefined {
	return fitWays(install).find(({ way }) => way !== "brew" && way !== "apt");
}

export function possibleWays({ install }: Recipe, path: string | undefined): readonly InstallWay[] {
	if (install === undefined || typeof install === "string") return [];
	return fitWays(install).filter(({ program }) => program === "" || isOnPath(program, path));
}

function fitWays(install: Install): readonly InstallWay[] {
	const fit = commandsOf(install).filter(({ way }) => !isUnfit(install, way));
	return [...fit.filter(({ way }) => way !== "url"), ...fit.filter(({ way }) => way === "url")];
}

export function isUnfit({ glibcOnly = [] }: Install, way: string): boolean {
	return glibcOnly.some((each) => each === way) && isMusl();
}

function isMusl(): boolean {
	if (process.platform !== "linux") return false;
	const { header } = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
	return header?.glibcVersionRuntime === undefined;
}

/** Python brings pip as a module. */
const otherNames: Readonly<Record<string, readonly string[]>> = { pip: ["pip3", "python3"] };

function isOnPath(program: string, path = ""): boolean {
	const names = [program, ...(otherNames[program] ?? [])];
	const directories = path.split(delimiter).filter(isAbsolute);
	return directories.some((directory) => names.some((name) => existsSync(join(directory, name))));
}

const privateInstallers = ["npm", "pip", "go", "cargo", "gem"] as const satisfies readonly Installer[];

export type PrivateInstaller = (typeof privateInstallers)[number];

export function isPrivate(way: string): way is PrivateInstaller {
	return privateInstallers.some((each) => each === way);
}

export function isInstallable(recipe: Recipe, path: string | undefined): boolean {
	return possibleWays(recipe, path).some(({ way }) => isPrivate(way));
}

function isInstaller(name: string): name is Installer {
	return Object.hasOwn(commands, name);
}

export function serversFolder(env: Readonly<Record<string, string | undefined>>): string {
	return join(ownDirectory("XDG_DATA_HOME", env), "servers");
}

export function programFolders(folder: string): string[] {
	return [join(folder, "bin"), join(folder, "node_modules", ".bin")];
}

export function isFolderName(id: string): boolean {
	return /^[\w@][\w.@-]*$/.test(id);
}
