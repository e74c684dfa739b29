import type { Install, Installer } from "../../server.ts";

/** The command of each package manager, to which the packages are appended. */
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

/** What a person types to get a server, or the page that tells how: the first way of its recipe. */
export function installCommand(install: Install | string | undefined): string | undefined {
	if (install === undefined || typeof install === "string") return install;
	for (const [way, value] of Object.entries(install)) {
		if (typeof value === "string") return way === "url" ? `see ${value}` : value;
		if (isInstaller(way) && value) return `${commands[way]} ${value.join(" ")}`;
	}
	return undefined;
}

/** The package managers that can put what they install into one directory, as `pi-lsp install` does. */
export const privateInstallers = ["npm", "pip", "go", "cargo", "gem"] as const satisfies readonly Installer[];

/** True if `pi-lsp install` can install a server. */
export function isInstallable(install: Install | string | undefined): boolean {
	return typeof install === "object" && privateInstallers.some((way) => install[way] !== undefined);
}

/** The program of the package manager that the first way of a recipe takes, if it takes one. */
export function installerOf(install: Install | string | undefined): string | undefined {
	if (install === undefined || typeof install === "string") return undefined;
	const [way = ""] = Object.keys(install);
	return isInstaller(way) ? commands[way].split(" ")[0] : undefined;
}

function isInstaller(name: string): name is Installer {
	return Object.hasOwn(commands, name);
}
