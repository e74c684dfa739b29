import { chmodSync, linkSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { chosenToolchain, lacksComponent } from "../../src/project/rustup.ts";
import { withTree } from "../config/tree.ts";
import { withWorkspace } from "../support/workspace.ts";

const settings = `version = "12"
default_toolchain = "stable-x86_64-unknown-linux-gnu"

[overrides]
"/home/me/work" = "nightly-2026-01-01"
'/home/me/work/old' = "1.70.0"
`;

test("the toolchain is the user's choice for the directory, or for all directories", () =>
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

test("rustup's program for a component that the toolchain lacks counts as not installed", () =>
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

test("a check, a doctor and a status name the command that adds rust-analyzer to the toolchain", () =>
	withWorkspace({ "Cargo.toml": '[package]\nname = "a"\n', "src/main.rs": "fn main() {}\n" }, async (ws) => {
		ws.write("../home/.rustup/settings.toml", settings);
		ws.write("../home/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin/cargo", "");
		const bin = join(ws.base, "home/.cargo/bin");
		ws.write("../home/.cargo/bin/rustup", "#!/bin/sh\nexit 1\n");
		chmodSync(join(bin, "rustup"), 0o755);
		for (const name of ["cargo", "rust-analyzer"]) symlinkSync("rustup", join(bin, name));
		const home = { HOME: join(ws.base, "home"), RUSTUP_HOME: join(ws.base, "home/.rustup") };
		const env = { ...ws.env, ...home, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, PI_LSP_TRUST: "1" };
		const mend = "rustup component add rust-analyzer";
		const checked = await ws.cli(["check", "src/main.rs"], { env });
		expect(checked).toMatchObject({ code: 3, stdout: expect.stringContaining(`rust-analyzer not found`) });
		expect(checked.stdout).toContain(mend);
		const doctor = await ws.cli(["doctor"], { env });
		expect(doctor.stdout).toMatch(new RegExp(`^rust-analyzer: missing.*\\n  Install it: .*${mend}`, "m"));
		expect((await ws.cli(["status"], { env })).stdout).toContain(mend);
	}));
