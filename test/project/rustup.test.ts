import { expect, test } from "vitest";
import { chosenToolchain } from "../../src/project/rustup.ts";
import { withTree } from "../config/tree.ts";

const settings = `version = "12"
default_toolchain = "stable-x86_64-unknown-linux-gnu"

[overrides]
"/home/me/work" = "nightly-2026-01-01"
'/home/me/work/old' = "1.70.0"
`;

test("the person's choice for the directory, or for all, is the toolchain", () =>
	withTree([], async (tree) => {
		tree.write("home/.rustup/settings.toml", settings);
		const env = { HOME: tree.path("home") };
		expect(await chosenToolchain("/home/me/work/crate", env)).toBe("nightly-2026-01-01");
		expect(await chosenToolchain("/home/me/work/old", env)).toBe("1.70.0");
		expect(await chosenToolchain("/home/me/workshop", env)).toBe("stable-x86_64-unknown-linux-gnu");
		expect(await chosenToolchain("/home/me/work", { ...env, RUSTUP_TOOLCHAIN: "beta" })).toBe("beta");
		expect(await chosenToolchain("/home/me/work", { RUSTUP_HOME: tree.path("home/.rustup") })).toBe(
			"nightly-2026-01-01",
		);
		expect(await chosenToolchain("/home/me/work", { HOME: tree.path() })).toBeUndefined();
	}));
