import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaInside, schemaOutside } from "../../src/launch/named-schemas.ts";
import { withTree } from "../config/tree.ts";

test("A schema is given from inside the workspace, after all links are resolved, and from nowhere else", () =>
	withTree(["ws/", "ws/dir/"], async (tree) => {
		tree.write("ws/a b.json", "{}");
		tree.write("outside.json", "{}");
		symlinkSync(tree.path("outside.json"), tree.path("ws/link.json"));
		symlinkSync("/dev/zero", tree.path("ws/zero.json"));
		const given = (uri: string) => schemaInside(uri, tree.path("ws"));
		expect(await given(`file://${tree.path("ws/a%20b.json")}#/x`)).toBe("{}");
		for (const name of ["outside.json", "ws/link.json", "ws/zero.json", "ws/dir", "ws/none.json", "ws/../outside.json"])
			expect(await given(`file://${tree.path(name)}`)).toBeUndefined();
		for (const uri of ["https://x.example/a.json", "vscode://schemas/x", "", "file://host/a"])
			expect(await given(uri)).toBeUndefined();
	}));

test("A YAML text that names a file outside of the workspace as its schema is detected", () =>
	withTree(["ws/sub/"], async (tree) => {
		tree.write("ws/own.json", "{}");
		tree.write("outside.json", "{}");
		symlinkSync(tree.path("outside.json"), tree.path("ws/link.json"));
		const found = (text: string) => schemaOutside(tree.path("ws/sub/a.yaml"), text, tree.path("ws"));
		const outside = tree.path("outside.json");
		for (const name of [
			`file://${outside}`,
			outside,
			"../../outside.json",
			"../link.json",
			"/dev/zero",
			"file:///dev/zero",
			"file://host/x",
			`http${"/..".repeat(20)}/dev/zero`,
		]) {
			expect(found(`# yaml-language-server: $schema=${name}\na: 1\n`)).toBe(name);
			expect(found(`a: 1\n\n$schema: ${name} # x\n`)).toBe(name);
			expect(found(`{ "$schema": "${name}#/a", a: 1 }\n`)).toBe(`${name}#/a`);
			expect(found(`? "$schema"\n: !!str '${name}'\n`)).toBe(name);
			expect(found(`$schema:\n  ${name}\n`)).toBe(name);
		}
		for (const text of [`$schema: >-\n  ${outside}\n`, "$schema: *a\n", '"\\x24schema": /x\n', '$schema: "\\x2f"\n'])
			expect(found(text)).toBeDefined();
		for (const name of [
			"../own.json",
			`file://${tree.path("ws/own.json")}`,
			"https://x.example/a",
			"none.json",
			"none",
		])
			expect(found(`# yaml-language-server: $schema=${name}\na: "b\\x41"\n`)).toBeUndefined();
		expect(found("properties:\n  $schema:\n    type: string\n")).toBeUndefined();
	}));
