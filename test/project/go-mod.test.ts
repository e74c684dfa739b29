import { expect, test } from "vitest";
import { goWorkUses } from "../../src/project/manifests/go-mod.ts";

test("A go.work's modules are those of its lines and blocks, also with comments behind them", () => {
	const block = "use (\r\n\t. // this one\r\n\t./a/b\r\n\t// ./none\r\n)\r\n";
	expect(goWorkUses(`go 1.24\n\nuse ./c // the last\n${block}replace x => ./y\n`)).toEqual(["./c", ".", "./a/b"]);
});
