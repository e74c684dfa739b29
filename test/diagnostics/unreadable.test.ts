import { describe, expect, test } from "vitest";
import { toUri } from "../../src/util/positions.ts";
import type { Script } from "../fakes/script.ts";
import { everything, withFakeServer } from "../query/fake-project.ts";
import { met, notYet, until } from "../support/until.ts";

const wrong = "unreadable";
const position = { line: 0, character: 0 };
const found = (range: unknown, message: unknown = wrong) => ({ range, severity: 1, message });
const at = (start: unknown, end: unknown = position) => found({ start, end });

/** Diagnostics of a server that cannot be parsed. */
const lists: readonly [string, unknown][] = [
	["null", null],
	["an object", { a: 1 }],
	["a number", 7],
	["a list of null", [null]],
	["an item without a range", [{ severity: 1, message: wrong }]],
	["an item without a message", [{ range: { start: position, end: position }, severity: 1 }]],
	["a message that is a number", [found({ start: position, end: position }, 7)]],
	["a range without an end", [found({ start: position })]],
	["a line that is null, as NaN is written", [at({ line: null, character: 0 })]],
	["a line below 0", [at({ line: -5, character: 0 })]],
	["a line of 1e300", [at({ line: 1e300, character: 0 })]],
	["half a character", [at({ line: 0, character: 0.5 })]],
	["a valid item next to an invalid one", [at(position), at({ line: -5, character: 0 })]],
];

function published(diagnostics: unknown) {
	return (root: string): Script => {
		const params = { uri: toUri(`${root}/a.zzz`), version: 1, diagnostics };
		const publishes = [{ notify: "textDocument/publishDiagnostics", params }];
		return {
			capabilities: { diagnosticProvider: false },
			on: ["didOpen", "didChange", "didSave"].map((name) => ({ method: `textDocument/${name}`, do: publishes })),
		};
	};
}

function pulled(reply: unknown) {
	return (): Script => ({ on: [{ method: "textDocument/diagnostic", do: [{ reply }] }] });
}

const ways: readonly [string, object, (list: unknown) => (root: string) => Script][] = [
	["a pull", {}, (items) => pulled({ kind: "full", items })],
	[
		"a report of a related file",
		{},
		(items) => pulled({ kind: "full", items: [], relatedDocuments: { x: { items } } }),
	],
	["a push", { strategy: "versioned-push" }, published],
];

/** Checks a file for which the server sends `list`, and then requests its fixes. */
async function outcome(script: (root: string) => Script, over: object) {
	let state: string | undefined;
	let fixes = "";
	await withFakeServer(
		script,
		async ({ check, call }) => {
			const { files } = await check(["a.zzz"]);
			state = `${files[0]?.state}: ${files[0]?.reason}`;
			fixes = await call("code_actions", { file: "a.zzz" }).then(
				(answer) => JSON.stringify(answer),
				(error: { readonly code: string; readonly message: string }) => `${error.code}: ${error.message}`,
			);
		},
		over,
	);
	return { state, fixes };
}

describe.each(ways)("%s", (_, over, way) => {
	test.each(lists)("of %s is not proven", async (__, list) => {
		const { state, fixes } = await outcome(way(list), over);
		expect(state).toMatch(/^unavailable: fake .*could not be read/);
		expect(fixes).toMatch(/^LSP_SERVER_ERROR: fake .*could not be read/);
	});
});

test("tsserver's answer for a file is read or refused as a whole", async () => {
	const item = { start: { line: 1, offset: 1 }, end: { line: 1, offset: 2 }, text: wrong, category: "error" };
	const lists = [
		null,
		{},
		[null],
		[{ ...item, start: null }],
		[{ ...item, text: 7 }],
		[{ ...item, end: { line: -1 } }],
	];
	for (const body of lists) {
		const on = [{ method: "workspace/executeCommand", do: [{ reply: { success: true, body } }] }];
		const { state } = await outcome(() => ({ on }), { strategy: "tsserver" });
		expect(state, JSON.stringify(body)).toMatch(/^unavailable: fake/);
	}
});

test("a message in the form of markup is read as a message", () =>
	withFakeServer(
		pulled({
			kind: "full",
			items: [found({ start: position, end: position }, { kind: "markdown", value: "wrong" })],
		})(),
		async ({ check }) => {
			expect((await check(["a.zzz"])).files[0]?.diagnostics).toMatchObject([{ message: "wrong", line: 1 }]);
		},
	));

test("a position past the end of the text is its end", () =>
	withFakeServer(
		pulled({
			kind: "full",
			items: [at({ line: 4_294_967_295, character: 7 }, { line: 4_294_967_295, character: 9 })],
		})(),
		async ({ check }) => {
			const [file] = (await check(["a.zzz"])).files;
			expect(file?.diagnostics).toMatchObject([{ line: 3, column: 1, endLine: 3, endColumn: 1 }]);
		},
	));

test("a server whose version or status is not a string still appears in the status", () =>
	withFakeServer(
		{
			capabilities: everything,
			on: [
				{
					method: "initialized",
					do: [{ notify: "experimental/serverStatus", params: { quiescent: false, message: { a: 1 } } }],
				},
				{ method: "initialize", do: [{ reply: { capabilities: everything, serverInfo: { name: 7, version: 8 } } }] },
			],
		},
		async ({ check, call }) => {
			// The check waits for a server that never finishes loading.
			void check(["a.zzz"]).catch(() => {});
			const server = await until("the server is loading", async () => {
				const { servers } = await call<{ servers: { version?: unknown; busy?: unknown }[] }>("status", {});
				return servers[0]?.busy === "loading the project" ? met(servers[0]) : notYet(JSON.stringify(servers));
			});
			expect(server.version).toBeUndefined();
		},
	));
