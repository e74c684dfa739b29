import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { mayLockElsewhere } from "../../src/launch/cargo-lock.ts";
import { withTree } from "../config/tree.ts";

test("A lock file that is a link is found next to the manifest, above it and at the path of its workspace", () =>
	withTree(["ws/own/", "ws/far/"], async (tree) => {
		const found = () => mayLockElsewhere(tree.path("ws/own"));
		expect(found()).toBe(false);
		tree.write("ws/own/Cargo.toml", '[package]\nname = "own"\nedition.workspace = true\n');
		tree.write("ws/own/Cargo.lock", "version = 4\n");
		expect(found()).toBe(false);
		symlinkSync(tree.path("nowhere"), tree.path("ws/far/Cargo.lock"));
		expect(found()).toBe(false);
		tree.write("ws/own/Cargo.toml", '[package]\nname = "own"\n"work\\u0073pace" = "../far"\n');
		expect(found()).toBe(true);
		tree.write("ws/own/Cargo.toml", "[package]\n");
		symlinkSync(tree.path("nowhere"), tree.path("ws/Cargo.lock"));
		expect(found()).toBe(true);
	}));

test("The lock file may be anywhere if a manifest cannot be read", () =>
	withTree(["ws/"], async (tree) => {
		for (const text of [
			"[package\n",
			`#${"x".repeat(300_000)}\n[package]\n`,
			`#${"x".repeat(2_000_000)}\n[package]\n`,
		]) {
			tree.write("ws/Cargo.toml", text);
			expect(mayLockElsewhere(tree.path("ws"))).toBe(true);
		}
		tree.write("ws/Cargo.toml", "");
		expect(mayLockElsewhere(tree.path("ws"))).toBe(false);
	}));
