import { describe, expect, test } from "vitest";
import { Batch, type Change, mergeKinds } from "../../src/watch/batch.ts";
import { Globs } from "../../src/watch/globs.ts";
import { met, notYet, until } from "../support/until.ts";

function wants(globPattern: unknown, path: string, kinds = 7, kind?: number): boolean {
	return new Globs("/ws/app", [{ globPattern, ...(kind === undefined ? {} : { kind }) }]).matcher()(path, kinds);
}

describe("the globs of watchers", () => {
	test.each([
		["/ws/app/**/*", "/ws/app/a/b.ts", true],
		["/ws/app/**/*.go", "/ws/app/x.go", true],
		["/ws/app/**/*.go", "/ws/app/a/b/x.go", true],
		["/ws/app/**/*.go", "/ws/other/x.go", false],
		["/ws/app/**/*.{go,mod}", "/ws/app/go.mod", true],
		["/ws/app/go.mod", "/ws/app/go.mod", true],
		["/ws/app/go.mod", "/ws/app/sub/go.mod", false],
		["**/*.ts", "/ws/app/src/a.ts", true],
		["**/*.ts", "/ws/app/.hidden/a.ts", true],
		["**/*.ts", "/ws/app/src/a.tsx", false],
		["**/*.ts", "/ws/app/ts", false],
		["**/*.d.ts", "/ws/app/src/a.d.ts", true],
		["**/*.d.ts", "/ws/app/src/a.ts", false],
		["**/{package,tsconfig}.json", "/ws/app/x/tsconfig.json", true],
		["**/app/src/*.ts", "/ws/app/src/a.ts", true],
		["src/*.ts", "/ws/app/src/a.ts", true],
		["src/*.ts", "/ws/app/src/deep/a.ts", false],
		["src/[a-c]?.ts", "/ws/app/src/b1.ts", true],
		["src/[!a-c]?.ts", "/ws/app/src/b1.ts", false],
		["**/Cargo.toml", "/ws/app/x/Cargo.toml", true],
		[{ baseUri: "file:///ws/app/lib", pattern: "**/*.ts" }, "/ws/app/lib/a.ts", true],
		[{ baseUri: "file:///ws/app/lib", pattern: "**/*.ts" }, "/ws/app/src/a.ts", false],
		[{ baseUri: { uri: "file:///ws/app/lib", name: "lib" }, pattern: "*.ts" }, "/ws/app/lib/a.ts", true],
	])("match with %j the path %s: %s", (pattern, path, expected) => {
		expect(wants(pattern, path)).toBe(expected);
	});

	test("match the kinds of their mask, and all kinds by default", () => {
		expect(wants("**/*.ts", "/ws/app/a.ts", 2, 1)).toBe(false);
		expect(wants("**/*.ts", "/ws/app/a.ts", 1, 1)).toBe(true);
		expect(wants("**/*.ts", "/ws/app/a.ts", 4)).toBe(true);
	});

	test("never throw on a malformed pattern", () => {
		for (const pattern of [
			"[",
			"]",
			"{",
			"}",
			"{a,",
			"**/[",
			"***",
			"",
			"!",
			"(",
			"**/*(",
			"\\",
			null,
			7,
			[],
			{},
			{ baseUri: 3, pattern: "x" },
		])
			expect(() => wants(pattern, "/ws/app/a.ts")).not.toThrow();
	});

	test("match everything below their base if a pattern would backtrack without end", () => {
		const braces = "{a,aa}".repeat(40);
		for (const pattern of [`${braces}b`, `${"*a".repeat(30)}b`, `${"**/".repeat(30)}b`, "{".repeat(60)])
			expect(wants(pattern, `/ws/app/${"a".repeat(200)}`)).toBe(true);
	});

	test("are matched with a large batch in bounded time, a thousand of them", () => {
		const watchers = Array.from({ length: 1000 }, (_, i) => ({ globPattern: `**/dir${i}/*x*/[a-z]*.ts` }));
		const wanted = new Globs("/ws/app", watchers).matcher();
		const began = performance.now();
		for (let i = 0; i < 20_000; i++) wanted(`/ws/app/some/where/file${i}.ts`, 2);
		// The budget is 40 ms; a machine under load is given some more. Without it this takes seconds.
		expect(performance.now() - began).toBeLessThan(500);
	});
});

describe("a batch of changes", () => {
	test("merges several changes of one file", () => {
		expect(mergeKinds("created", "deleted")).toBe(undefined);
		expect(mergeKinds("created", "changed")).toBe("created");
		expect(mergeKinds("deleted", "created")).toBe("changed");
		expect(mergeKinds("changed", "deleted")).toBe("deleted");
		expect(mergeKinds("changed", "created")).toBe("refreshed");
	});

	test("is sent after 50 ms of silence, and at once when it is flushed", async () => {
		const handed: Change[][] = [];
		const batch = new Batch((changes) => handed.push(changes));
		batch.add({ path: "/a", kind: "created" });
		batch.add({ path: "/b", kind: "changed" });
		batch.add({ path: "/a", kind: "deleted" });
		expect(handed).toEqual([]);
		await until("it is handed on", () => (handed.length > 0 ? met(undefined) : notYet("nothing")));
		expect(handed).toEqual([[{ path: "/b", kind: "changed" }]]);
		batch.add({ path: "/c", kind: "deleted" });
		batch.flush();
		expect(handed[1]).toEqual([{ path: "/c", kind: "deleted" }]);
	});

	test("is sent after 500 ms of changes that never pause", async () => {
		let handed = 0;
		const batch = new Batch(() => handed++);
		await until(
			"it is handed on",
			() => {
				batch.add({ path: "/a", kind: "changed" });
				return handed > 0 ? met(undefined) : notYet("nothing");
			},
			{ everyMs: 10 },
		);
		batch.close();
	});
});
