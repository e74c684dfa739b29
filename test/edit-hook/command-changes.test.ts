import { expect, test } from "vitest";
import { fileNamesIn } from "../../src/edit-hook/command-changes.ts";

test("names of files are the words with an extension, then those without one", () => {
	expect(fileNamesIn("sed -i 's/a/b/' Dockerfile src/a.ts 2>/dev/null")).toEqual(
		expect.arrayContaining(["src/a.ts", "Dockerfile"]),
	);
	expect(fileNamesIn("sed -i -e '' Makefile a.py")[0]).toBe("a.py");
	expect(fileNamesIn("chmod +x bin/tool").includes("bin/tool")).toBe(true);
	expect(fileNamesIn("ls --color -la *").some((word) => /^-|\*/.test(word))).toBe(false);
});

test("the number of names taken from a long command is limited", () => {
	const words = Array.from({ length: 100 }, (_, n) => `word${n}`).join(" ");
	const names = fileNamesIn(`${words} a.ts`);
	expect(names).toHaveLength(20);
	expect(names[0]).toBe("a.ts");
});
