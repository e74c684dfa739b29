import { expect, test } from "vitest";
import { convertPositions } from "../../src/query/convert-positions.ts";
import { linesOf } from "../../src/util/positions.ts";

const texts: Readonly<Record<string, string>> = { "file:///a": "ä b\n", "file:///b": "x\n😀 y\n" };
const linesOfUri = async (uri: string) => linesOf(texts[uri] ?? "");
const back = { from: "utf-8", to: "utf-16" } as const;
const at = (line: number, character: number) => ({ line, character });
const range = (line: number, start: number, end: number) => ({ start: at(line, start), end: at(line, end) });

test("positions are converted with the document that they are in", async () => {
	const convert = <Value>(value: Value) => convertPositions(value, "file:///a", back, linesOfUri);
	expect(await convert({ range: range(0, 3, 4) })).toEqual({ range: range(0, 2, 3) });
	expect(await convert([{ uri: "file:///b", range: range(1, 5, 6) }])).toEqual([
		{ uri: "file:///b", range: range(1, 3, 4) },
	]);
	expect(
		await convert({
			targetUri: "file:///b",
			targetRange: range(1, 5, 6),
			targetSelectionRange: range(1, 5, 6),
			originSelectionRange: range(0, 3, 4),
		}),
	).toEqual({
		targetUri: "file:///b",
		targetRange: range(1, 3, 4),
		targetSelectionRange: range(1, 3, 4),
		originSelectionRange: range(0, 2, 3),
	});
	expect(await convert({ changes: { "file:///b": [{ range: range(1, 5, 5), newText: "" }] } })).toEqual({
		changes: { "file:///b": [{ range: range(1, 3, 3), newText: "" }] },
	});
	expect(
		await convert({ documentChanges: [{ textDocument: { uri: "file:///b" }, edits: [{ range: range(1, 5, 5) }] }] }),
	).toEqual({ documentChanges: [{ textDocument: { uri: "file:///b" }, edits: [{ range: range(1, 3, 3) }] }] });
	const caller = { uri: "file:///b", selectionRange: range(1, 5, 6) };
	expect(await convert({ from: caller, fromRanges: [range(1, 5, 6)] })).toEqual({
		from: { uri: "file:///b", selectionRange: range(1, 3, 4) },
		fromRanges: [range(1, 3, 4)],
	});
	expect(await convert({ to: caller, fromRanges: [range(0, 3, 4)] })).toMatchObject({ fromRanges: [range(0, 2, 3)] });
});

test("opaque data of the server is not converted, and nothing is if the encodings are the same", async () => {
	const value = { data: { range: range(0, 3, 4) }, command: { arguments: [range(0, 3, 4)] } };
	expect(await convertPositions(value, "file:///a", back, linesOfUri)).toEqual(value);
	const same = { from: "utf-16", to: "utf-16" } as const;
	expect(await convertPositions(range(0, 3, 4), "file:///a", same, linesOfUri)).toEqual(range(0, 3, 4));
	expect(await convertPositions(range(0, 1, 2), "file:///gone", back, linesOfUri)).toBeDefined();
});
