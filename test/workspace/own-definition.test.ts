import { expect, test } from "vitest";
import { ownDefinition } from "../../src/workspace/own-definition.ts";
import { withFake } from "../servers/fake.ts";

const text = `import { used } from "./used.ts";
export function alone(): void {}
export function over(a: string): void;
export function over(a: number): void;
export function over(): void { used(); }
const { part } = used;
export const value = 1, second = 2;
type value = string;
let later = () => alone();
interface Merged {}
`;

const kinds = { function: 12, variable: 13, interface: 11 };

/** A declaration as a server tells it: its name where it stands on a line. */
function declared(line: number, name: string, kind: number) {
	const written = text.split("\n")[line] ?? "";
	const character = written.search(new RegExp(`\\b${name}\\b`));
	const start = { line, character };
	return {
		name,
		kind,
		range: { start: { line, character: 0 }, end: { line, character: written.length } },
		selectionRange: { start, end: { line, character: character + name.length } },
	};
}

const symbols = [
	declared(1, "alone", kinds.function),
	...[2, 3, 4].map((line) => declared(line, "over", kinds.function)),
	declared(5, "part", kinds.variable),
	declared(6, "value", kinds.variable),
	declared(6, "second", kinds.variable),
	declared(7, "value", kinds.interface),
	declared(8, "later", kinds.variable),
	declared(9, "Merged", kinds.interface),
];

/** The definition at a word of a line, as `line:character-character`; undefined where the server would be asked. */
async function ownAt(places: readonly (readonly [line: number, word: string])[], languageId = "typescript", more = "") {
	const found: (string | undefined)[] = [];
	await withFake(
		{
			capabilities: { documentSymbolProvider: true, definitionProvider: true },
			on: [{ method: "textDocument/documentSymbol", do: [{ reply: symbols }] }],
		},
		async (fake) => {
			const server = await fake.start();
			const document = server.documents.set(
				fake.write("a.ts", text),
				languageId,
				more === "-" ? scriptOf(text) : text + more,
			);
			for (const [line, word] of places) {
				const character = (text.split("\n")[line] ?? "").search(new RegExp(`\\b${word}\\b`)) + 1;
				const own = await ownDefinition(server, document, { line, character });
				if (own) expect(own.uri).toBe(document.uri);
				found.push(own && `${own.range.start.line}:${own.range.start.character}-${own.range.end.character}`);
			}
			expect(fake.received("textDocument/definition")).toEqual([]);
			expect(fake.received("textDocument/documentSymbol").length).toBeLessThanOrEqual(1);
		},
	);
	return found;
}

/** The same lines, of which none makes it a module. */
function scriptOf(module: string): string {
	return module.replaceAll(/^(import .*|export)/gm, (word) => " ".repeat(word.length));
}

test("a function or a variable is defined where its own name stands, and nobody is asked", async () =>
	expect(
		await ownAt([
			[1, "alone"],
			[8, "later"],
		]),
	).toEqual(["1:16-21", "8:4-9"]));

test("the server is asked about everything that may be defined elsewhere, or more than once", async () =>
	expect(
		await ownAt([
			[0, "used"],
			[3, "over"],
			[4, "used"],
			[5, "part"],
			[6, "value"],
			[6, "second"],
			[8, "alone"],
			[9, "Merged"],
		]),
	).toEqual(Array(8).fill(undefined)));

test("and about the declarations of scripts that are no modules, of modules that add to others, and of other languages", async () => {
	const place = [[1, "alone"]] as const;
	expect(await ownAt(place, "typescript", "-")).toEqual([undefined]);
	expect(await ownAt(place, "typescript", "declare global {}\n")).toEqual([undefined]);
	expect(await ownAt(place, "javascript")).toEqual([undefined]);
	expect(await ownAt(place, "typescriptreact")).toEqual(["1:16-21"]);
});
