import { expect, test } from "vitest";
import { PoisonFiles } from "../../src/pool/poison-files.ts";

const hashIs = (hash: string | undefined) => async () => hash;

test("PoisonFiles: two crashes with one text make that text refused, and no other", async () => {
	const suspects = new PoisonFiles();
	expect(suspects.crashed("/a", "one", {})).toBe(false);
	await suspects.refuse("x", "/a", hashIs("one"));
	expect(suspects.crashed("/a", "one", {})).toBe(true);
	await expect(suspects.refuse("x", "/a", hashIs("one"))).rejects.toThrow("x crashed 2 times on the text of this file");
	await suspects.refuse("x", "/b", hashIs("one"));
	await suspects.refuse("x", "/a", hashIs("two"));
	// With another text it is no suspect any more, also when the old one comes back: it has to prove itself again.
	await suspects.refuse("x", "/a", hashIs("one"));
});

test("PoisonFiles: crashes with different texts make no text refused", async () => {
	const suspects = new PoisonFiles();
	for (const hash of ["one", "two", "three"]) expect(suspects.crashed("/a", hash, {})).toBe(false);
	await suspects.refuse("x", "/a", hashIs("three"));
});

test("PoisonFiles: the end of one server is one crash for all its callers", async () => {
	const suspects = new PoisonFiles();
	const server = {};
	for (let asker = 0; asker < 3; asker++) expect(suspects.crashed("/a", "one", server)).toBe(false);
	await suspects.refuse("x", "/a", hashIs("one"));
});

test("PoisonFiles: clear() forgets all crashes", async () => {
	const suspects = new PoisonFiles();
	suspects.crashed("/a", "one", {});
	suspects.crashed("/a", "one", {});
	suspects.clear();
	await suspects.refuse("x", "/a", hashIs("one"));
});
