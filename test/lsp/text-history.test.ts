import { expect, test } from "vitest";
import { TextHistory } from "../../src/lsp/text-history.ts";

test("documents with another text than at a moment; one that came and went counts for nothing", () => {
	const history = new TextHistory();
	history.add("a", "1");
	history.add("b", "1");
	const { moment } = history;
	expect(history.differingSince(moment)).toEqual([]);
	history.add("a", "2");
	expect(history.differingSince(moment)).toEqual(["a"]);
	history.add("a", "1");
	history.add("b", "2");
	expect(history.differingSince(moment)).toEqual(["b"]);
	expect(history.differingSince(history.moment)).toEqual([]);
});

test("of a document that was opened or closed since nobody knows what the server read before or reads now", () => {
	const history = new TextHistory();
	history.add("a", "1");
	const { moment } = history;
	history.add("b", "1");
	expect(history.differingSince(moment)).toEqual(["b"]);
	history.add("a", undefined);
	expect(history.differingSince(moment)).toEqual(["b", "a"]);
	history.add("a", "1");
	expect(history.differingSince(moment)).toEqual(["b"]);
});

test("what has been forgotten differs: a text of a document, or all of it", () => {
	const history = new TextHistory();
	history.add("a", "1");
	const { moment } = history;
	for (let text = 0; text < 8; text++) history.add("a", String(text));
	history.add("a", "1");
	expect(history.differingSince(moment)).toEqual(["a"]);
	const later = history.moment;
	for (let file = 0; file < 199; file++) history.add(`f${file}`, "1");
	expect(history.differingSince(later)).toHaveLength(199);
	history.add("one too many", "1");
	expect(history.differingSince(later)).toHaveLength(200);
	history.add("and another", "1");
	expect(history.differingSince(later)).toBeUndefined();
	expect(history.differingSince(history.moment)).toEqual([]);
});
