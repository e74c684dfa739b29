import { homedir } from "node:os";
import { join } from "node:path";
import { anyManifest, readText } from "../util/read-file.ts";
import { directoriesUp } from "./directories.ts";
import { tomlString } from "./toml.ts";

/**
 * The Rust toolchain that the person has chosen for a directory, as RUSTUP_TOOLCHAIN takes it: the variable itself, an
 * override for the directory or one above it, else the default. With it no `rust-toolchain.toml` chooses: its `path` may
 * lead to programs of the repository. Undefined where rustup is not used.
 */
export async function chosenToolchain(
	directory: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	if (env.RUSTUP_TOOLCHAIN) return env.RUSTUP_TOOLCHAIN;
	const settings = join(env.RUSTUP_HOME || join(env.HOME || homedir(), ".rustup"), "settings.toml");
	const text = await readText(settings, anyManifest);
	if (text === undefined) return undefined;
	const overrides = new Map<string, string>();
	for (const [, path = "", toolchain = ""] of text.matchAll(/^\s*["']([^"'\n]+)["']\s*=\s*"([^"\n]+)"/gm))
		overrides.set(path, toolchain);
	for (const above of directoriesUp(directory, "/")) {
		const chosen = overrides.get(above);
		if (chosen !== undefined) return chosen;
	}
	return tomlString(text, "", "default_toolchain");
}
