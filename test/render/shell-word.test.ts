import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "../../src/render/shell-word.ts";

test.each(["src/a.ts", "a b", "", "o'brien", "~", '$HOME `id` \\ " *', "a\nb", "-n", "{a,b}"])(
	"A shell reads the quoted %j unchanged",
	(word) => {
		expect(execFileSync("sh", ["-c", `printf '%s|' ${shellWord(word)}`], { encoding: "utf8" })).toBe(`${word}|`);
	},
);

test("A word that needs no quotes has none", () => {
	expect(shellWord("--format=json,src/a-b.ts:1")).toBe("--format=json,src/a-b.ts:1");
});
