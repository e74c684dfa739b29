import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { countByFile } from "../../src/query/count-by-file.ts";
import { toPlaces } from "../../src/query/locations.ts";
import { namedFiles } from "../../src/query/uri-names.ts";
import { withWorkspace } from "../support/workspace.ts";

const server = { encoding: "utf-16" } as LanguageServer;
const at = (uri: string, line: number, character = 0) => ({
	uri,
	range: { start: { line, character }, end: { line, character: character + 1 } },
});

test("places are in order, each told once, cut at the limit with the whole number", () =>
	withWorkspace({ "a.go": "one\ntwo\nthree\n", "b b.go": "four\n" }, async ({ root }) => {
		const a = `file://${root}/a.go`;
		const found = [
			at(a, 2),
			at(`file://${root}/b%20b.go`, 0),
			at(a, 0),
			at(a, 2),
			at(`file://${root}/b b.go`, 0),
			at(a, 1),
		];
		const named = namedFiles(root, root);
		const all = await toPlaces(server, root, found, named);
		expect(all.places.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([
			"a.go:1 one",
			"a.go:2 two",
			"a.go:3 three",
			"b b.go:1 four",
		]);
		const cut = await toPlaces(server, root, found, named, { limit: 2, without: at(a, 0) });
		expect(cut).toEqual({ total: 3, places: all.places.slice(1, 3) });
	}));

test("a place is told as the caller reads it, wherever that one is", async () => {
	const uri = "file:///w/src/a.ts";
	const shown = ["/w", "/w/src", "/w"].map((cwd) => namedFiles("/w", cwd)(uri).shown);
	expect(shown).toEqual(["src/a.ts", "a.ts", "src/a.ts"]);
	expect(namedFiles("/w/src/deep", "/w")(uri)).toMatchObject({ shown: "src/a.ts", ours: false });
});

test("what lies outside, or in another scheme, is named and not read", () =>
	withWorkspace({ "a.go": "" }, async ({ root, base }) => {
		mkdirSync(join(base, "outside"));
		writeFileSync(join(base, "outside/s.go"), "secret\n");
		const found = [at(`file://${base}/outside/s.go`, 0), at("jdt://x/y.class", 4, 2)];
		const { places } = await toPlaces(server, root, found, namedFiles(root, root));
		expect(places).toEqual([
			{ path: "../outside/s.go", line: 1, column: 1, endLine: 1, endColumn: 2 },
			{ path: "jdt://x/y.class", line: 5, column: 3, endLine: 5, endColumn: 4 },
		]);
	}));

test("400,000 places hold up nobody for long", () =>
	withWorkspace({ "a.go": "one\n" }, async ({ root }) => {
		const found = Array.from({ length: 400_000 }, (_, line) => at(`file://${root}/a.go`, line));
		let turns = 0;
		const turning = setInterval(() => turns++, 1);
		const { places, total } = await toPlaces(server, root, found, namedFiles(root, root), { limit: 10 });
		clearInterval(turning);
		expect([places.length, total]).toEqual([10, 400_000]);
		expect(turns).toBeGreaterThan(3);
	}));

test("places are counted by file: tests behind code, each place once, and none that declares", async () => {
	const [root, uri] = ["/w", (path: string) => `file:///w/${path}`];
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
	const counted = await countByFile(found, namedFiles(root, "/w/src"), {
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
