import { rmSync } from "node:fs";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { Rule, Script } from "../fakes/script.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Caller, codeOf, found, stateOf } from "./caller.ts";
import { backTo, holdingsOf } from "./oracle.ts";
import { must, type Row, shown } from "./row.ts";
import { timed, waitUntil } from "./waits.ts";
import type { World } from "./world.ts";

const hover = "textDocument/hover";
const pull = "textDocument/diagnostic";
const opened = "textDocument/didOpen";
const published = "textDocument/publishDiagnostics";
const start = { line: 0, character: 0 };

function finding(message: string, character = 0): object {
	return { range: { start: { line: 0, character }, end: { line: 0, character: character + 5 } }, severity: 1, message };
}

/** The diagnostics that clangd's stand-in publishes about `a.c`. */
function push(world: World, version: number | undefined, ...messages: string[]): object {
	return pushOf(`file://${world.root}/a.c`, version, messages);
}

function pushOf(uri: string, version: number | undefined, messages: readonly string[]): object {
	return { uri, ...(version === undefined ? {} : { version }), diagnostics: messages.map((text) => finding(text)) };
}

function frame(message: object, header = (bytes: number) => `Content-Length: ${bytes}\r\n\r\n`): string {
	const body = JSON.stringify({ jsonrpc: "2.0", ...message });
	return header(Buffer.byteLength(body)) + body;
}

function first(report: CheckReport): string {
	return report.files[0]?.diagnostics.map(({ message }) => message).join("|") || String(found(report));
}

/** Restarts the world's servers with each script in turn. */
async function afresh(caller: Caller, put: () => void): Promise<void> {
	put();
	await caller.ask("restart", {});
}

/** Every request that the protocol lets a server ask, with what must be answered. */
const asked: readonly (readonly [method: string, params: unknown, right: (result: unknown) => boolean])[] = [
	[
		"workspace/configuration",
		{ items: [{ section: "a" }, { section: "b.c" }, {}] },
		(r) => Array.isArray(r) && r.length === 3,
	],
	["client/registerCapability", { registrations: [{ id: "r", method: "x/y" }] }, (r) => r === null],
	["client/unregisterCapability", { unregisterations: [{ id: "r", method: "x/y" }] }, (r) => r === null],
	["window/workDoneProgress/create", { token: 1 }, (r) => r === null],
	["window/showMessageRequest", { type: 1, message: "?", actions: [{ title: "yes" }] }, (r) => r === null],
	["window/showDocument", { uri: "file:///etc/passwd" }, (r) => (r as { success: boolean }).success === false],
	["workspace/workspaceFolders", undefined, (r) => Array.isArray(r) && r.length === 1],
	["workspace/applyEdit", { edit: { changes: {} } }, (r) => (r as { applied: boolean }).applied === false],
	["workspace/codeLens/refresh", undefined, (r) => r === null],
	["workspace/semanticTokens/refresh", undefined, (r) => r === null],
	["workspace/inlayHint/refresh", undefined, (r) => r === null],
	["workspace/inlineValue/refresh", undefined, (r) => r === null],
	["workspace/diagnostic/refresh", undefined, (r) => r === null],
	["workspace/foldingRange/refresh", undefined, (r) => r === null],
];

const oddIds = ["text", 0, -1, 1, 2];

export const protocol: readonly Row[] = [
	{
		id: "D1",
		title: "stray lines on stdout, before and between frames, coloured, a prompt",
		run: async (world) => {
			const strays = [
				"starting up\n",
				"\u001b[31mwarning\u001b[0m content-length: of the film\r\n",
				"> ",
				"\n\n",
				"x".repeat(20_000),
			];
			const gopls = world.fake("gopls", {
				start: [{ raw: "Welcome to gopls!\n" }],
				on: strays.map((raw, i) => ({ method: hover, nth: i + 1, do: [{ raw }, { default: true as const }] })),
			});
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "not read after a banner");
			for (const stray of strays)
				must((await caller.hover("a.go", 8000)).includes("WRONG"), `lost after ${shown(stray)}`);
			must(gopls.starts() === 1, `it was started ${gopls.starts()} times`);
			return `${strays.length + 1} kinds`;
		},
	},
	{
		id: "D2",
		title: "Content-Length short, long, negative, no number, missing, twice, huge; a header of 1 MB",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const body = JSON.stringify({ jsonrpc: "2.0", method: "x/y", params: "some words" });
			const frames: Readonly<Record<string, string>> = {
				short: `Content-Length: 9\r\n\r\n${body}`,
				long: `Content-Length: ${body.length + 30}\r\n\r\n${body}`,
				negative: `Content-Length: -5\r\n\r\n${body}`,
				"no number": `Content-Length: many\r\n\r\n${body}`,
				huge: `Content-Length: 100000000000\r\n\r\n${body}`,
				"header of 1 MB": `Content-Length: 10\r\nX: ${"y".repeat(1 << 20)}`,
			};
			for (const [name, raw] of Object.entries(frames)) {
				gopls.forget();
				await afresh(caller, () =>
					gopls.script({ on: [{ method: hover, generation: 1, do: [{ raw }, { default: true }] }] }),
				);
				await caller.check("a.go");
				const { value, ms } = await timed(caller.hover("a.go", 10_000).catch((error: Error) => error.message));
				must(value.includes("WRONG"), `${name}: ${shown(value)}`);
				must(ms < 3000, `${name}: answered after ${ms} ms`);
				must(gopls.starts() === 2, `${name}: ${gopls.starts()} generations`);
			}
			for (const [name, raw] of Object.entries({
				missing: "X-Nothing: 1\r\n\r\n",
				twice: `Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
			})) {
				await afresh(caller, () => gopls.script({ on: [{ method: hover, do: [{ raw }, { default: true }] }] }));
				must((await caller.hover("a.go", 10_000)).includes("WRONG"), name);
			}
			return "8 kinds";
		},
	},
	{
		id: "D3",
		title: "headers in lower case, without a space, with LF only, with more, split",
		run: async (world) => {
			world.write("a.c", "int a;\n");
			const clangd = world.fake("clangd", {});
			const caller = await world.connect();
			const headers: Readonly<Record<string, (bytes: number) => string>> = {
				"lower case": (bytes) => `content-length: ${bytes}\r\n\r\n`,
				"no space": (bytes) => `Content-Length:${bytes}\r\n\r\n`,
				"LF only": (bytes) => `Content-Length: ${bytes}\n\n`,
				"type after": (bytes) =>
					`Content-Length: ${bytes}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
				"type before": (bytes) => `Content-Type: application/vscode-jsonrpc\r\nContent-Length: ${bytes}\r\n\r\n`,
			};
			for (const [name, header] of Object.entries(headers))
				for (const split of [1_000_000, 1]) {
					const raw = frame({ method: published, params: push(world, 1, name) }, header);
					await afresh(caller, () => clangd.script({ on: [{ method: opened, do: [{ split }, { raw }] }] }));
					const report = await caller.check("a.c", { timeout: 8000 });
					must(first(report) === name, `${name} in pieces of ${split}: ${first(report)}`);
				}
			return "5 kinds, whole and byte by byte";
		},
	},
	{
		id: "D4",
		title: "invalid UTF-8, lone surrogates, NUL, a BOM in a frame",
		run: async (world) => {
			world.write("a.c", "int a;\n");
			const clangd = world.fake("clangd", {});
			const caller = await world.connect();
			const good = frame({ method: published, params: push(world, 1, "right") });
			const bad = Buffer.concat([Buffer.from("Content-Length: 4\r\n\r\n"), Buffer.from([0x22, 0xff, 0xfe, 0x22])]);
			const frames: Readonly<Record<string, Rule["do"]>> = {
				"invalid UTF-8": [{ bytes: bad.toString("hex") }],
				"a NUL": [{ raw: "Content-Length: 3\r\n\r\n\u0000{}" }],
			};
			for (const [name, steps] of Object.entries(frames)) {
				clangd.forget();
				await afresh(caller, () =>
					clangd.script({
						on: [
							{ method: opened, generation: 1, do: [...steps] },
							{ method: opened, do: [{ raw: good }] },
						],
					}),
				);
				const report = await caller.check("a.c", { timeout: 6000 });
				const next = stateOf(report) === "fresh" ? report : await caller.check("a.c", { timeout: 6000 });
				must(first(next) === "right", `${name}: ${first(report)}, then ${first(next)}`);
			}
			const surrogate = good.replace("right", "r\\ud800t").replace(/\d+/, (n) => String(Number(n) + 3));
			await afresh(caller, () => clangd.script({ on: [{ method: opened, do: [{ raw: surrogate }] }] }));
			must(found(await caller.check("a.c", { timeout: 6000 })) === 1, "a lone surrogate is not read");
			return "3 kinds";
		},
	},
	{
		id: "D5",
		title: "answers without a request, twice, after a cancellation",
		run: async (world) => {
			const gopls = world.fake("gopls", {
				on: [
					{
						method: hover,
						do: [
							{ send: { id: 987_654, result: 1 } },
							{ send: { id: "x", result: 1 } },
							{ send: { id: null, error: { code: 1, message: "?" } } },
							{ delay: 200 },
							{ default: true },
							{ default: true },
						],
					},
				],
			});
			const caller = await world.connect();
			for (let i = 0; i < 5; i++) {
				const { id, answer } = caller.begin("hover", { file: "a.go", line: 1, column: 1 });
				if (i % 2) caller.cancel(id);
				const code = await codeOf(answer);
				must(code === (i % 2 ? "LSP_CANCELLED" : "no error") || code === "-32800", `call ${i}: ${code}`);
			}
			must(found(await caller.check("a.go")) === 1, "not well afterwards");
			must(gopls.starts() === 1, `it was started ${gopls.starts()} times`);
			return "";
		},
	},
	{
		id: "D6",
		title: "a server sends every request, with any id, while starting, during a request, in shutdown",
		run: async (world) => {
			const asks = asked.flatMap(([ask, params], i): Rule["do"] => [
				{ ask, params, id: i < oddIds.length ? (oddIds[i] as string | number) : `q${i}` },
			]);
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			for (const method of ["initialize", hover, "shutdown"]) {
				gopls.forget();
				// The answer waits until every request can have been answered.
				gopls.script({ on: [{ method, do: [...asks, { delay: 400 }, { default: true }] }] });
				must((await caller.hover("a.go")).includes("WRONG"), `not answered when asked in ${method}`);
				if (method === "shutdown") await caller.ask("restart", {});
				const answers = gopls.entries().flatMap(({ got }) => (got && got.method === undefined ? [got] : []));
				must(answers.length === asked.length, `${method}: ${answers.length} of ${asked.length} were answered`);
				for (const [i, [name, , right]] of asked.entries()) {
					const id = i < oddIds.length ? oddIds[i] : `q${i}`;
					const answer = answers.find((one) => one.id === id);
					must(answer !== undefined && !answer.error && right(answer.result), `${method}: ${name}: ${shown(answer)}`);
				}
				await caller.ask("restart", {});
			}
			return `${asked.length}/${asked.length} at 3 times`;
		},
	},
	{
		id: "D7",
		title: "the handler of a server's request throws",
		run: async (world) => {
			const broken = ["workspace/configuration", "client/registerCapability", "client/unregisterCapability"];
			const gopls = world.fake("gopls", {
				on: [
					{
						method: hover,
						do: [
							...broken.flatMap((ask) => [
								{ ask },
								{ ask, params: { items: 5, registrations: "no", unregisterations: 1 } },
							]),
							{ ask: "toString", params: {} },
							{ ask: "__proto__", params: {} },
							{ delay: 200 },
							{ default: true },
						],
					},
				],
			});
			await (await world.connect()).hover("a.go");
			const answers = gopls.entries().flatMap(({ got }) => (got && got.method === undefined ? [got] : []));
			must(answers.length === 8, `${answers.length} of 8 were answered`);
			const errors = answers.filter(({ error }) => error);
			must(errors.length === 0, `error replies: ${shown(errors)}`);
			return "8 questions that no handler understands";
		},
	},
	{
		id: "D8",
		title: "50,000 pushes, 10,000 findings in a file, a message of 1 MB",
		run: async (world) => {
			world.write("a.c", "int a;\n");
			const many = Array.from({ length: 10_000 }, (_, i) => `finding ${i}`);
			const clangd = world.fake("clangd", {
				on: [
					{
						method: opened,
						nth: 2,
						do: [
							{ notify: published, params: push(world, 2, "not the last"), times: 50_000 },
							{ notify: published, params: push(world, 2, ...many, "y".repeat(1 << 20)) },
						],
					},
				],
			});
			const caller = await world.connect();
			await caller.check("probe.json");
			world.write("first.c", "int b;\n");
			await caller.check("first.c", { timeout: 500 });
			const before = holdingsOf(world.daemon());
			const flooded = world.cli(["check", "a.c", "--timeout", "30000"]);
			await waitUntil("the flood has begun", () => clangd.received(opened).length > 1);
			let slowest = 0;
			for (let i = 0; i < 5; i++) slowest = Math.max(slowest, (await timed(caller.check("probe.json"))).ms);
			const { stdout, code } = await flooded;
			must(code === 1, shown(stdout));
			must(stdout.length < 40_000, `the text has ${stdout.length} characters`);
			must(slowest < 3000, `O7: a neighbour waited ${slowest} ms`);
			await until(
				"the last push is what counts",
				async () => {
					const last = found(await caller.check("a.c", { timeout: 15_000 }));
					return last === 10_001 ? met(true) : notYet(`${last} findings`);
				},
				{ timeoutMs: 15_000, everyMs: 100 },
			);
			return `a neighbour at most ${slowest} ms; ${await backTo(world.daemon(), before, 100)}`;
		},
	},
	{
		id: "D9",
		title: "a request that is never answered",
		run: async (world) => {
			const gopls = world.fake("gopls", { on: [{ method: pull, nth: 1, do: [{ never: true }] }] });
			const caller = await world.connect();
			const lost = timed(caller.check("a.go", { timeout: 2500 }));
			await waitUntil("it was asked", () => gopls.received(pull).length > 0);
			must(found(await caller.check("b.go")) === 0, "another request of this server");
			const { value, ms } = await lost;
			must(stateOf(value) === "timed_out" && ms < 3500, `${stateOf(value)} after ${ms} ms`);
			must(gopls.received("$/cancelRequest").length === 1, "the server got no cancellation");
			must(found(await caller.check("a.go")) === 1, "not well afterwards");
			return `timed out after ${ms} ms`;
		},
	},
	{
		id: "D10",
		title: "a method that the server does not offer",
		run: async (world) => {
			const gopls = world.fake("gopls", { capabilities: { hoverProvider: false, referencesProvider: null } });
			const caller = await world.connect();
			const code = await codeOf(caller.hover("a.go"));
			must(code === "LSP_UNSUPPORTED_REQUEST", code);
			const at = { file: "a.go", line: 1, column: 1 };
			must((await codeOf(caller.ask("references", at))) === "LSP_UNSUPPORTED_REQUEST", "references");
			must(gopls.received(hover).length + gopls.received("textDocument/references").length === 0, "it was sent");
			return "hover and references";
		},
	},
	{
		id: "D11",
		title: "pushes without a version, of an older and a newer one, of other spellings, of files never opened",
		run: async (world) => {
			world.write("a.c", "int a;\n");
			const clangd = world.fake("clangd", {});
			const caller = await world.connect();
			const wrong: readonly (readonly [string, object])[] = [
				["older", push(world, 0, "older")],
				["newer", push(world, 9, "newer")],
				["never opened", pushOf(`file://${world.root}/never.c`, 1, ["never"])],
				["no file", pushOf("untitled:1", 1, ["nowhere"])],
			];
			for (const [name, params] of wrong) {
				await afresh(caller, () => clangd.script({ on: [{ method: opened, do: [{ notify: published, params }] }] }));
				const report = await caller.check("a.c", { timeout: 900 });
				must(stateOf(report) === "timed_out", `${name}: ${first(report)}`);
			}
			const spelled = pushOf(`file://${world.root.replace("/ws", "/%77s")}/a.c`, 1, ["spelled"]);
			for (const [name, params] of [
				["spelled", spelled],
				["right", push(world, 1, "right")],
			] as const) {
				const steps = [
					...wrong.map(([, other]) => ({ notify: published, params: other })),
					{ notify: published, params },
				];
				// The newer one is false and would stay as the last one: it is sent first.
				await afresh(caller, () => clangd.script({ on: [{ method: opened, do: steps }] }));
				const report = await caller.check("a.c", { timeout: 6000 });
				must(first(report) === name, `${name}: ${first(report)}`);
			}
			world.write("a.c", "int b;\n");
			must(stateOf(await caller.check("a.c", { timeout: 900 })) === "timed_out", "an older push counts after an edit");
			return "6 kinds";
		},
	},
	{
		id: "D12",
		title: "a server that pushes nothing without a change",
		run: async (world) => {
			world.fake("gopls", {});
			world.write("a.c", "int a;\n");
			world.fake("clangd", { on: [{ method: opened, do: [{ notify: published, params: push(world, 1, "error") }] }] });
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "pull");
			world.write("a.go", "package a // WRONG, and still so\n");
			must(found(await caller.check("a.go")) === 1, "a pull after an edit that changes no finding");
			must(first(await caller.check("a.c")) === "error", "push");
			world.write("a.c", "int b;\n");
			// A silent server would be waited for 5 s at most.
			const report = await caller.check("a.c", { timeout: 7000 });
			must(stateOf(report) === "timed_out", `silence was taken for ${first(report)}`);
			return "";
		},
	},
	{
		id: "D13",
		title: "pull: unchanged, a wrong resultId, cancelled by the server, related documents, content modified",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const full = (...messages: string[]) => ({
				reply: { kind: "full", resultId: "1", items: messages.map((text) => finding(text)) },
			});
			const unchanged = { reply: { kind: "unchanged", resultId: "1" } };
			const cancelled = { error: { code: -32802, message: "busy", data: { retriggerRequest: true } } };
			const modified = { error: { code: -32801, message: "modified" } };
			const related = {
				reply: {
					kind: "full",
					items: [finding("own")],
					relatedDocuments: { "file:///x": { kind: "full", items: [] } },
				},
			};
			const kinds: readonly (readonly [string, Rule["do"][number][], string])[] = [
				["unchanged", [full("known"), unchanged], "known"],
				["unchanged without a first", [unchanged, full("asked again")], "asked again"],
				["cancelled thrice", [cancelled, cancelled, cancelled, full("fourth")], "fourth"],
				["modified", [modified, full("second")], "second"],
				["related", [related], "own"],
			];
			for (const [name, steps, message] of kinds) {
				const on = steps.map((step, i) => ({ method: pull, nth: i + 1, do: [step] }));
				await afresh(caller, () => gopls.script({ on }));
				let report = await caller.check("a.go");
				if (name === "unchanged") {
					world.write("a.go", "package a // WRONG 2\n");
					report = await caller.check("a.go");
				}
				must(first(report) === message, `${name}: ${first(report)}`);
			}
			await afresh(caller, () => gopls.script({ on: [{ method: pull, do: [cancelled] }] }));
			gopls.forget();
			must(stateOf(await caller.check("a.go", { timeout: 4000 })) !== "fresh", "cancelled for ever was called fresh");
			must(gopls.received(pull).length <= 5, `asked ${gopls.received(pull).length} times`);
			return `${kinds.length + 1} kinds`;
		},
	},
	{
		id: "D14",
		title: "registers twice, 1,000 globs, bad and catastrophic ones",
		run: async (world) => {
			const watchers = (...globs: string[]) => ({
				registrations: [
					{
						id: "w",
						method: "workspace/didChangeWatchedFiles",
						registerOptions: { watchers: globs.map((globPattern) => ({ globPattern })) },
					},
				],
			});
			const ask = "client/registerCapability";
			const gopls = world.fake("gopls", {
				on: [
					{
						method: "initialized",
						do: [
							{ ask, params: watchers("**/*.go") },
							{ ask, params: watchers("**/*.go") },
							{ ask, params: watchers(...Array.from({ length: 1000 }, (_, i) => `**/*.x${i}`)) },
							{ ask, params: watchers("[", "{", "**/{a,b", "") },
							{ ask, params: watchers(`**/${"{a,b}".repeat(25)}`, `${"*a".repeat(40)}b`, "**/*.go") },
							{ ask: "client/unregisterCapability", params: { unregisterations: [{ id: "none", method: "x" }] } },
						],
					},
				],
			} satisfies Script);
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "not well");
			await waitUntil("all are answered", () => gopls.entries().filter(({ got }) => got && !got.method).length === 6);
			let slowest = 0;
			for (let i = 0; i < 10; i++) {
				world.write(`${"a".repeat(60)}${i}.go`, "package a\n");
				slowest = Math.max(slowest, (await timed(caller.check("a.go"))).ms);
			}
			must(slowest < 1000, `a check took ${slowest} ms`);
			await waitUntil("changes are reported", () => gopls.received("workspace/didChangeWatchedFiles").length > 0);
			return `a check at most ${slowest} ms`;
		},
	},
	{
		id: "D15",
		title: "every position encoding, and nonsense",
		run: async (world) => {
			world.write("e.go", "😀é WRONG\n");
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const places: readonly (readonly [string | undefined, number])[] = [
				["utf-8", 7],
				["utf-16", 4],
				["utf-32", 3],
				[undefined, 4],
			];
			for (const [positionEncoding, character] of places) {
				const report = { kind: "full", items: [finding("here", character)] };
				await afresh(caller, () =>
					gopls.script({ capabilities: { positionEncoding }, on: [{ method: pull, do: [{ reply: report }] }] }),
				);
				const [file] = (await caller.check("e.go")).files;
				must(file?.diagnostics[0]?.column === 5, `${positionEncoding}: ${shown(file)}`);
			}
			await afresh(caller, () => gopls.script({ capabilities: { positionEncoding: "utf-7" } }));
			must(stateOf(await caller.check("e.go")) === "unavailable", "nonsense is not refused");
			return "5 encodings";
		},
	},
	{
		id: "D16",
		title: "locations in another scheme, outside the root, in a missing file",
		run: async (world) => {
			rmSync(`${world.root}/gone.go`, { force: true });
			const range = { start, end: start };
			const uris = [
				"jdt://contents/rt.jar/java/String.class?x",
				"untitled:Untitled-1",
				"file:///etc/hostname",
				`file://${world.root}/gone.go`,
				"",
				"::",
			];
			world.fake("gopls", {
				on: [{ method: "textDocument/definition", do: [{ reply: uris.map((uri) => ({ uri, range })) }] }],
			});
			const caller = await world.connect();
			const at = { file: "a.go", line: 1, column: 1 };
			const { places } = await caller.ask<{ places: { path: string; text?: string }[] }>("definition", at);
			must(places.length === uris.length, `${places.length} of ${uris.length} are reported: ${shown(places)}`);
			must(
				places.every(({ text }) => !text),
				`text was read: ${shown(places)}`,
			);
			return `${uris.length} places`;
		},
	},
];
