import type { PrivateInstaller } from "../launch/install.ts";

/** `pyright@1.1.414`, `taplo-cli --features lsp`, `--git URL nil`. */
export interface Package {
	readonly name: string;
	/** Absent for the newest. */
	readonly version?: string;
	readonly before: readonly string[];
	readonly after: readonly string[];
}

const separators: Readonly<Record<PrivateInstaller, string>> = { npm: "@", pip: "==", go: "@", cargo: "@", gem: ":" };

const newest: Readonly<Partial<Record<PrivateInstaller, string>>> = { npm: "@latest", go: "@latest" };

export function readPackage(manager: PrivateInstaller, recipe: string): Package {
	const words = recipe.split(" ");
	const place = words[0]?.startsWith("-") ? words.length - 1 : 0;
	const word = words[place] ?? "";
	const at = word.lastIndexOf(separators[manager]);
	const around = { before: words.slice(0, place), after: words.slice(place + 1) };
	if (at <= 0) return { name: word, ...around };
	const version = word.slice(at + separators[manager].length);
	return { name: word.slice(0, at), ...(version === "latest" ? {} : { version }), ...around };
}

export function packageWords(manager: PrivateInstaller, { name, version, before, after }: Package): readonly string[] {
	const word = version === undefined ? `${name}${newest[manager] ?? ""}` : `${name}${separators[manager]}${version}`;
	return [...before, word, ...after];
}

/** People omit the `v` of Go's versions. */
export function versionFor(manager: PrivateInstaller, version: string): string {
	return manager === "go" && /^\d/.test(version) ? `v${version}` : version;
}

/** The newest commit: no version can be chosen. */
export function isFromGit({ before }: Package): boolean {
	return before.includes("--git");
}
