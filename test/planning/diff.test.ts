import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { diffOfFile } from "../../src/planning/diff.ts";

const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join("");
const [old, next] = [lines("old"), lines("new")];

function diffOf(before: string | undefined, after: string | undefined): string {
	const [bytesBefore, bytesAfter] = [before, after].map((text) => (text === undefined ? undefined : Buffer.from(text)));
	return diffOfFile({ path: "/project/a.txt", before: bytesBefore, after: bytesAfter }, "/project");
}

test.each([
	["all of it", old, next],
	["all of it but its ends", `first\n${old}last\n`, `first\n${next}last\n`],
	["all of it, and its last line end", old, next.trimEnd()],
	["all of it, without a last line end in either", old.trimEnd(), next.trimEnd()],
	["a few lines", old, old.replace("old 7\n", "new 7\n").replace("old 19000\n", "")],
	["nothing but its last line end", old, old.trimEnd()],
])("The diff of a long text turns the old text into the new one if it changes %s", (_, before, after) => {
	const diff = diffOf(before, after);
	expect(diff.startsWith("--- a/a.txt\n+++ b/a.txt\n@@ -")).toBe(true);
	expect(applyPatch(before, diff) === after).toBe(true);
});

test("The diff of a long text that is created or deleted has each of its lines", () => {
	const [created, deleted] = [diffOf(undefined, next), diffOf(old, undefined)];
	expect(created.startsWith("--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,20000 @@\n+new 0\n")).toBe(true);
	expect(deleted.startsWith("--- a/a.txt\n+++ /dev/null\n@@ -1,20000 +0,0 @@\n-old 0\n")).toBe(true);
});

test("A diff with few changed lines of a long text shows each with the line before and after it", () => {
	const diff = diffOf(old, old.replace("old 7\n", "new 7\n").replace("old 19000\n", ""));
	expect(diff).toBe(
		[
			...["--- a/a.txt", "+++ b/a.txt", "@@ -7,3 +7,3 @@", " old 6", "-old 7", "+new 7", " old 8"],
			...["@@ -19000,3 +19000,2 @@", " old 18999", "-old 19000", " old 19001", ""],
		].join("\n"),
	);
});
