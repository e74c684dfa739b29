import { expect, test } from "vitest";
import { IdentifierScan, NameSearches, WantedNames } from "../../../src/impact/outline/identifier-filter.ts";

function filterOf(text: string, stretch = 1_000_000): Uint8Array {
	const scan = new IdentifierScan();
	for (let at = 0; at < text.length; ) at = scan.read(text, at, stretch);
	return scan.filter();
}

const mayHold = (text: string, ...names: string[]) => new WantedNames(new Set(names)).mayBeIn(filterOf(text));
const held = (text: string, ...names: string[]) => [...new WantedNames(new Set(names)).in(text)].sort();

test("a filter never denies an identifier of the text, wherever it is", () => {
	const text = "const größe = $el.offsetWidth; // einmalig\n`{名前}` 'quoted_1' 10px 𝒳𝒴 end";
	for (const name of ["const", "größe", "$el", "offsetWidth", "einmalig", "名前", "quoted_1", "px", "𝒳𝒴", "end"])
		expect(mayHold(text, name), name).toBe(true);
});

test("a part of an identifier is not an identifier", () => {
	const text = "offsetWidth größe a_b";
	expect(["offset", "Width", "gr", "e", "b", "größ"].filter((name) => mayHold(text, name))).toEqual([]);
	expect(held(text, "offset", "Width", "größe", "größ", "b")).toEqual(["größe"]);
});

test("about one of a hundred other names is a false positive", () => {
	for (const size of [5, 300, 20_000]) {
		const text = Array.from({ length: size }, (_, index) => `name${index}`).join(" ");
		const filter = filterOf(text);
		let wrong = 0;
		for (let index = 0; index < 5000; index++) if (new WantedNames(new Set([`other${index}`])).mayBeIn(filter)) wrong++;
		expect(wrong, `${size} identifiers`).toBeLessThan(150);
		expect(filter.length).toBeLessThan(size * 1.3 + 8);
	}
});

test("a text that is read in pieces gives the same filter as a text that is read at once", () => {
	const text = Array.from({ length: 2000 }, (_, index) => `größe${index} + $value${index}𝒳;`).join("\n");
	const whole = filterOf(text);
	for (const stretch of [1, 7, 100]) expect(filterOf(text, stretch)).toEqual(whole);
});

test("an empty text contains nothing, and an empty list of names is found nowhere", () => {
	expect(mayHold("", "a")).toBe(false);
	expect(mayHold("a b c")).toBe(false);
	expect(held("a b c")).toEqual([]);
});

test("a name that is no identifier is found by the last identifier in it", () => {
	expect(held("x['foo-bar']; obj.method()", "foo-bar", "Type.method", "other-thing")).toEqual([
		"Type.method",
		"foo-bar",
	]);
	expect(mayHold("something else", "foo-bar")).toBe(false);
});

test("a name without any identifier may be anywhere", () => {
	expect(mayHold("a", "+")).toBe(true);
	expect(held("a", "+")).toEqual(["+"]);
});

test("a dollar before a name belongs to no other name: PHP, shells and Svelte put it before a use", () => {
	expect(held("$this->price + 1", "$price")).toEqual(["$price"]);
	expect(held("<p>{$count}</p>", "count")).toEqual(["count"]);
	expect(mayHold("<p>{$count}</p>", "count")).toBe(true);
	expect(held("$('a')", "$")).toEqual(["$"]);
	expect(held("price$ = 1", "price")).toEqual([]);
});

test("names of which two have one hash are distinguished in the text", () => {
	// Two words with the same 32 bits of FNV-1a.
	expect(held("costarring", "costarring", "liquid")).toEqual(["costarring"]);
	expect(held("liquid", "costarring", "liquid")).toEqual(["liquid"]);
});

test("thousands of names are searched in thousands of filters", () => {
	const filter = filterOf("import { a } from './hub'; export const b = a + 1;");
	const names = new Set(Array.from({ length: 2000 }, (_, index) => `exported${index}`));
	const searches = new NameSearches();
	for (let file = 0; file < 5000; file++) searches.of(names).mayBeIn(filter);
	expect(searches.of(names).mayBeIn(filterOf("exported7"))).toBe(true);
});

test("a set that has grown since is searched again", () => {
	const searches = new NameSearches();
	const names = new Set(["a"]);
	expect(searches.of(names).in("a b").size).toBe(1);
	names.add("b");
	expect(searches.of(names).in("a b").size).toBe(2);
});
