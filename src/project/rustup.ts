import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { realPathOf, statOf } from "../util/files.ts";
import { anyManifest, readText } from "../util/read-file.ts";
import { directoriesUp } from "./directories.ts";
import { readToml, stringOf, tableAt } from "./manifests/toml.ts";

/**
 * RUSTUP_TOOLCHAIN, an override, or the default; never a `rust-toolchain.toml`, whose `path` may be the repository's.
 */
export async function chosenToolchain(
	directory: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	if (env.RUSTUP_TOOLCHAIN) return env.RUSTUP_TOOLCHAIN;
	const settings = join(rustupHome(env), "settings.toml");
	const text = await readText(settings, anyManifest);
	if (text === undefined) return undefined;
	const chosen = readToml(text);
	const overrides = tableAt(chosen, "overrides");
	const overridden = directoriesUp(directory, "/").find((above) => stringOf(overrides[above]) !== undefined);
	return stringOf(overridden === undefined ? chosen.default_toolchain : overrides[overridden]);
}

/**
 * True for a rustup proxy whose toolchain lacks the component. False where the project chooses the toolchain: rustup
 * then says what is missing.
 */
export async function lacksComponent(
	file: string,
	directory: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
	if (!(await isProxy(file))) return false;
	for (const above of directoriesUp(directory, "/"))
		for (const name of ["rust-toolchain", "rust-toolchain.toml"]) if (await statOf(join(above, name))) return false;
	const toolchain = await chosenToolchain(directory, env);
	if (toolchain === undefined) return false;
	const toolchains = join(rustupHome(env), "toolchains");
	const names = await readdir(toolchains).catch(() => []);
	// The directory of `stable` is `stable-HOST`.
	const chosen = names.find((name) => name === toolchain) ?? names.find((name) => name.startsWith(`${toolchain}-`));
	return chosen !== undefined && !(await statOf(join(toolchains, chosen, "bin", basename(file))));
}

async function isProxy(file: string): Promise<boolean> {
	if (basename(file) === "rustup") return false;
	if (basename((await realPathOf(file)) ?? file) === "rustup") return true;
	const [own, rustup] = await Promise.all([statOf(file), statOf(join(dirname(file), "rustup"))]);
	return own !== undefined && own.ino === rustup?.ino && own.dev === rustup.dev;
}

function rustupHome(env: Readonly<Record<string, string | undefined>>): string {
	return env.RUSTUP_HOME || join(env.HOME || homedir(), ".rustup");
}
