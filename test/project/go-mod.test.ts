import { expect, test } from "vitest";
import { goRequirements, goWorkUses } from "../../src/project/manifests/go-mod.ts";

test("The modules of a go.work are those of its lines and blocks, also with comments after them", () => {
	const block = "use (\r\n\t. // this one\r\n\t./a/b\r\n\t// ./none\r\n)\r\n";
	expect(goWorkUses(`go 1.24\n\nuse ./c // the last\n${block}replace x => ./y\n`)).toEqual(["./c", ".", "./a/b"]);
});

test("Modules that a go.mod excludes, replaces or retracts are no requirement of it", () => {
	const text = `require (
	a.org/a v1.2.0 // indirect
	b.org/b v0.1.0
)
require c.org/c v1.0.0
exclude (
	a.org/a v1.1.0
)
replace (
	b.org/b v0.1.0 => ../b
)
retract (
	v1.0.1 // (never published)
)
`;
	expect([...goRequirements(text)]).toEqual([
		["a.org/a", "v1.2.0"],
		["b.org/b", "v0.1.0"],
		["c.org/c", "v1.0.0"],
	]);
});
