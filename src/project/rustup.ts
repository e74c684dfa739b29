import { homedir } from "node:os";
import { join } from "node:path";
import { anyManifest, readText } from "../util/read-file.ts";
import { directoriesUp } from "./directories.ts";
import { readToml, stringOf, tableAt } from "./toml.ts";

/**
 * The person's Rust toolchain for a directory: RUSTUP_TOOLCHAIN, an override, or the default; undefined without rustup.
 * It takes precedence over a `rust-toolchain.toml`, whose `path` may lead to programs of the repository.
 */
export async function chosenToolchain(
	directory: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	if (env.RUSTUP_TOOLCHAIN) return env.RUSTUP_TOOLCHAIN;
	const settings = join(env.RUSTUP_HOME || join(env.HOME || homedir(), ".rustup"), "settings.toml");
	const text = await readText(settings, anyManifest);
	if (text === undefined) return undefined;
	const chosen = readToml(text);
	const overrides = tableAt(chosen, "overrides");
	const overridden = directoriesUp(directory, "/").find((above) => stringOf(overrides[above]) !== undefined);
	return stringOf(overridden === undefined ? chosen.default_toolchain : overrides[overridden]);
}
