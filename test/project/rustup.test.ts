import { linkSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { chosenToolchain, lacksComponent } from "../../src/project/rustup.ts";
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

test("rustup's program for a component that the toolchain lacks is no program", () =>
	withTree([], async (tree) => {
		tree.write("home/.rustup/settings.toml", settings);
		tree.write("home/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin/rustc", "");
		tree.write("home/.cargo/bin/rustup", "");
		tree.write("ws/Cargo.toml", "");
		for (const name of ["rustc", "rust-analyzer"]) symlinkSync("rustup", tree.path(`home/.cargo/bin/${name}`));
		linkSync(tree.path("home/.cargo/bin/rustup"), tree.path("home/.cargo/bin/rls"));
		tree.write("home/bin/rust-analyzer", "");
		const env = { HOME: tree.path("home") };
		const lacks = (file: string, more = {}) =>
			lacksComponent(tree.path("home", file), tree.path("ws"), { ...env, ...more });
		expect(await lacks(".cargo/bin/rust-analyzer")).toBe(true);
		expect(await lacks(".cargo/bin/rls")).toBe(true);
		expect(await lacks(".cargo/bin/rustc")).toBe(false);
		expect(await lacks(".cargo/bin/rustup")).toBe(false);
		expect(await lacks("bin/rust-analyzer")).toBe(false);
		expect(await lacks(".cargo/bin/rust-analyzer", { RUSTUP_TOOLCHAIN: "stable" })).toBe(true);
		expect(await lacks(".cargo/bin/rust-analyzer", { RUSTUP_TOOLCHAIN: "nightly" })).toBe(false);
		tree.write("ws/rust-toolchain.toml", "");
		expect(await lacks(".cargo/bin/rust-analyzer")).toBe(false);
	}));
