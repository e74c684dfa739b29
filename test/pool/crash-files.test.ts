import { expect, test } from "vitest";
import { CrashFiles } from "../../src/pool/crash-files.ts";

const hashIs = (hash: string | undefined) => async () => hash;

test("CrashFiles: a text that causes two crashes is refused, and no other", async () => {
	const files = new CrashFiles();
	expect(files.crashed("/a", "one", {})).toBe(false);
	await files.refuse("x", "/a", hashIs("one"));
	expect(files.crashed("/a", "one", {})).toBe(true);
	await expect(files.refuse("x", "/a", hashIs("one"))).rejects.toThrow("x crashed 2 times on the text of this file");
	await files.refuse("x", "/b", hashIs("one"));
	await files.refuse("x", "/a", hashIs("two"));
	// A file with another text is no suspect any more, even if the old text comes back: that has to prove itself again.
	await files.refuse("x", "/a", hashIs("one"));
});

test("CrashFiles: crashes with different texts make no text refused", async () => {
	const files = new CrashFiles();
	for (const hash of ["one", "two", "three"]) expect(files.crashed("/a", hash, {})).toBe(false);
	await files.refuse("x", "/a", hashIs("three"));
});

test("CrashFiles: the exit of one server is one crash for all its callers", async () => {
	const files = new CrashFiles();
	const server = {};
	for (let asker = 0; asker < 3; asker++) expect(files.crashed("/a", "one", server)).toBe(false);
	await files.refuse("x", "/a", hashIs("one"));
});

test("CrashFiles: clear() forgets all crashes", async () => {
	const files = new CrashFiles();
	files.crashed("/a", "one", {});
	files.crashed("/a", "one", {});
	files.clear();
	await files.refuse("x", "/a", hashIs("one"));
});
