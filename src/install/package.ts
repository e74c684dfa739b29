import type { PrivateInstaller } from "../launch/install.ts";

/** A package as a recipe names it: `pyright@1.1.414`, `taplo-cli --features lsp`, `--git URL nil`. */
export interface Package {
	readonly name: string;
	/** Absent for the newest. */
	readonly version?: string;
	/** The words before and after it. */
	readonly before: readonly string[];
	readonly after: readonly string[];
}

/** What stands between name and version. */
const separators: Readonly<Record<PrivateInstaller, string>> = { npm: "@", pip: "==", go: "@", cargo: "@", gem: ":" };

/** Where a name without a version is not the newest one. */
const newest: Readonly<Partial<Record<PrivateInstaller, string>>> = { npm: "@latest", go: "@latest" };

export function readPackage(manager: PrivateInstaller, recipe: string): Package {
	const words = recipe.split(" ");
	// Options with their values stand on one side of the package.
	const place = words[0]?.startsWith("-") ? words.length - 1 : 0;
	const word = words[place] ?? "";
	const at = word.lastIndexOf(separators[manager]);
	const around = { before: words.slice(0, place), after: words.slice(place + 1) };
	// A scoped package begins with an `@`.
	if (at <= 0) return { name: word, ...around };
	const version = word.slice(at + separators[manager].length);
	return { name: word.slice(0, at), ...(version === "latest" ? {} : { version }), ...around };
}

/** The words for a package manager; with `version` instead of the recipe's own. */
export function packageWords(manager: PrivateInstaller, { name, version, before, after }: Package): readonly string[] {
	const word = version === undefined ? `${name}${newest[manager] ?? ""}` : `${name}${separators[manager]}${version}`;
	return [...before, word, ...after];
}

/** Modules of Go have a `v` before their version, which people leave out. */
export function versionFor(manager: PrivateInstaller, version: string): string {
	return manager === "go" && /^\d/.test(version) ? `v${version}` : version;
}

/** True if no version of it can be chosen: it is built from the newest commit of a repository. */
export function isFromGit({ before }: Package): boolean {
	return before.includes("--git");
}
