import { expect, test } from "vitest";
import { editsOfPatch } from "../../src/edit-hook/patch.ts";

test("Codex's patch is read as the edits that it makes", () => {
	const patch = [
		"*** Begin Patch",
		"*** Update File: src/a.ts",
		"@@ class A",
		" before",
		"-old",
		"+new",
		" after",
		"@@",
		"-gone",
		"*** Add File: src/b.ts",
		"+one",
		"+",
		"*** Delete File: src/c.ts",
		"*** End Patch",
		"",
	].join("\n");
	expect(editsOfPatch(patch)).toEqual([
		{ file: "src/a.ts", old_text: "before\nold\nafter", new_text: "before\nnew\nafter" },
		{ file: "src/a.ts", old_text: "gone", new_text: "" },
		{ file: "src/b.ts", content: "one\n\n" },
		{ file: "src/c.ts", deleted: true },
	]);
});

test.each([
	["a unified diff", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n"],
	["a patch that moves a file", "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n-a\n+b\n*** End Patch"],
	["an empty patch", "*** Begin Patch\n*** End Patch"],
])("%s is not read as an edit", (_, patch) => expect(editsOfPatch(patch)).toBeUndefined());
