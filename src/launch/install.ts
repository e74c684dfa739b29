import { join } from "node:path";
import type { Install, Installer } from "../../server.ts";
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

/** The first way of a recipe, as a command line or as `see URL`. */
export function installCommand(install: Install | string | undefined): string | undefined {
	if (install === undefined || typeof install === "string") return install;
	for (const [way, value] of Object.entries(install)) {
		if (typeof value === "string") return way === "url" ? `see ${value}` : value;
		if (isInstaller(way) && value) return `${commands[way]} ${value.join(" ")}`;
	}
	return undefined;
}

/** The package managers that can install into one directory. */
export const privateInstallers = ["npm", "pip", "go", "cargo", "gem"] as const satisfies readonly Installer[];

export function isInstallable(install: Install | string | undefined): boolean {
	return typeof install === "object" && privateInstallers.some((way) => install[way] !== undefined);
}

export function installerOf(install: Install | string | undefined): string | undefined {
	if (install === undefined || typeof install === "string") return undefined;
	const [way = ""] = Object.keys(install);
	return isInstaller(way) ? commands[way].split(" ")[0] : undefined;
}

function isInstaller(name: string): name is Installer {
	return Object.hasOwn(commands, name);
}

export function serversFolder(env: Readonly<Record<string, string | undefined>>): string {
	return join(ownDirectory("XDG_DATA_HOME", env), "servers");
}

/** The directories with the programs of a server that is installed in `folder`. */
export function programFolders(folder: string): string[] {
	return [join(folder, "bin"), join(folder, "node_modules", ".bin")];
}

export function isFolderName(id: string): boolean {
	return /^[\w@][\w.@-]*$/.test(id);
}
