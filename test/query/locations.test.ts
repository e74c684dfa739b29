import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countByFile, listLocations, readSource, UriNames } from "../../src/query/locations.ts";
import { withWorkspace } from "../support/workspace.ts";

const readerIn = (root: string) => ({ names: new UriNames(root, root), encoding: "utf-16" }) as const;
const at = (uri: string, line: number, character = 0) => ({
	uri,
	range: { start: { line, character }, end: { line, character: character + 1 } },
});

describe("a list of locations", () => {
	test("is in order, has each location once, and is cut at the limit with the whole number", () =>
		withWorkspace({ "a.go": "one\ntwo\nthree\n", "b b.go": "four\n", "c.go": "\t  five \n" }, async ({ root }) => {
			const a = `file://${root}/a.go`;
			const found = [
				at(a, 2),
				at(`file://${root}/b%20b.go`, 0),
				at(a, 0),
				at(a, 2),
				at(`file://${root}/b b.go`, 0),
				at(a, 1),
			];
			const all = await listLocations(found, readerIn(root));
			expect(all.places.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([
				"a.go:1 one",
				"a.go:2 two",
				"a.go:3 three",
				"b b.go:1 four",
			]);
			const indented = await listLocations(at(`file://${root}/c.go`, 0), readerIn(root));
			expect(indented.places).toMatchObject([{ text: "five", indent: "\t  " }]);
			const cut = await listLocations(found, readerIn(root), { limit: 2, without: at(a, 0) });
			expect(cut).toEqual({ total: 3, places: all.places.slice(1, 3) });
		}));

	test("has no text of a file outside of the workspace or of another scheme", () =>
		withWorkspace({ "a.go": "" }, async ({ root, base }) => {
			mkdirSync(join(base, "outside"));
			writeFileSync(join(base, "outside/s.go"), "secret\n");
			const found = [at(`file://${base}/outside/s.go`, 0), at("jdt://x/y.class", 4, 2)];
			const { places } = await listLocations(found, readerIn(root));
			expect(places).toEqual([
				{ path: "../outside/s.go", line: 1, column: 1, endLine: 1, endColumn: 2 },
				{ path: "jdt://x/y.class", line: 5, column: 3, endLine: 5, endColumn: 4 },
			]);
		}));

	test("of 400,000 locations does not block other callers", () =>
		withWorkspace({ "a.go": "one\n" }, async ({ root }) => {
			const found = Array.from({ length: 400_000 }, (_, line) => at(`file://${root}/a.go`, line));
			let turns = 0;
			const turning = setInterval(() => turns++, 1);
			const { places, total } = await listLocations(found, readerIn(root), { limit: 10 });
			clearInterval(turning);
			expect([places.length, total]).toEqual([10, 400_000]);
			expect(turns).toBeGreaterThan(3);
		}));
});

test("the path of a URI is relative to the caller's directory", () => {
	const uri = "file:///w/src/a.ts";
	const shown = ["/w", "/w/src"].map((cwd) => new UriNames("/w", cwd).of(uri).shown);
	expect(shown).toEqual(["src/a.ts", "a.ts"]);
	expect(new UriNames("/w/src/deep", "/w").of(uri)).toMatchObject({ shown: "src/a.ts", isOurs: false });
});

test("locations are counted by file: tests after code, each location once, and no declaration", async () => {
	const uri = (path: string) => `file:///w/${path}`;
	const found = [
		at(uri("test/a.test.ts"), 0),
		at(uri("src/a.ts"), 1),
		at(uri("src/a.ts"), 1),
		at(uri("src/b.ts"), 1),
		at(uri("src/%62.ts"), 2),
		at(uri("src/c.ts"), 0),
		at(uri("src/d.ts"), 0),
		at(uri("node_modules/p/test/p.test.ts"), 0),
	];
	const counted = await countByFile(found, new UriNames("/w", "/w/src"), {
		without: at(uri("src/c.ts"), 0),
		isDeclaration: (shown, { line }) => shown === "d.ts" && line === 0,
	});
	expect(counted).toEqual([
		{ path: "b.ts", count: 2 },
		{ path: "../node_modules/p/test/p.test.ts", count: 1 },
		{ path: "a.ts", count: 1 },
		{ path: "../test/a.test.ts", count: 1, test: true },
	]);
});

describe("the source of a location", () => {
	const line = "export const value = 12;\n";
	const linesOf = async (path: string, mayRead = true) => (await readSource(path, () => mayRead))?.lines.length;

	test("is the file on disk, whether it is small or large", () =>
		withWorkspace({ "large.ts": line.repeat(20_000), "small.ts": line }, async (ws) => {
			for (const [name, count] of [
				["small.ts", 1],
				["large.ts", 20_000],
			] as const) {
				const path = ws.path(name);
				expect([await linesOf(path), await linesOf(path)]).toEqual([count + 1, count + 1]);
				ws.write(name, line.repeat(count + 1));
				expect(await linesOf(path)).toBe(count + 2);
			}
		}));

	test("is not read if that is refused or there is no file", () =>
		withWorkspace({ "small.ts": line }, async (ws) => {
			expect(await linesOf(ws.path("small.ts"))).toBe(2);
			expect(await linesOf(ws.path("small.ts"), false)).toBeUndefined();
			expect(await linesOf(ws.path("gone.ts"))).toBeUndefined();
		}));
});
