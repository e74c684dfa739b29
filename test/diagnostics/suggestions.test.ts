import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/contract/check-report.ts";
import { withSuggestions } from "../../src/diagnostics/explain/suggestions.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { hashOf } from "../../src/util/hash.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Rule, Script } from "../fakes/script.ts";
import { error } from "./sample.ts";

const codeAction = "textDocument/codeAction";
const text = "one\ntwo\nthree\nfour\n";
const fixes = [
	{ title: "Ignore this line", kind: "quickfix" },
	{ title: 'Add import from "./area.js"', kind: "quickfix", data: 1 },
];
const answering: Rule = { method: codeAction, do: [{ reply: fixes }] };

/** Requests suggestions for some errors of a file; returns the time in milliseconds too. */
function suggested(
	diagnostics: readonly Diagnostic[],
	on: readonly Rule[],
	look: (suggestions: (string | undefined)[], fake: Fake, ms: number, server: LanguageServer) => void | Promise<void>,
	{ proven = text, capabilities = { codeActionProvider: true } }: { proven?: string } & Script = {},
): Promise<void> {
	return withFake({ capabilities, on }, async (fake) => {
		const server = await fake.start();
		const path = fake.write("a.fake", text);
		server.documents.set(path, "fake", text);
		const proof = { path, text: proven, hash: hashOf(proven), diagnostics };
		const began = performance.now();
		const suggestions = await withSuggestions(server, { proof, diagnostics }, { signal: AbortSignal.timeout(10_000) });
		const ms = performance.now() - began;
		expect(suggestions.map(({ suggestion: _, ...rest }) => rest)).toEqual(diagnostics);
		await look(
			suggestions.map(({ suggestion }) => suggestion),
			fake,
			ms,
			server,
		);
	});
}

const unknown = (line: number, over: Partial<Diagnostic> = {}) =>
	error(line, { code: "2304", message: `Cannot find name 'x${line}'.`, new: true, ...over });
const candidate = 'add import from "./area.js"';

test("a new error about an unknown name gets the server's own suggestion, and nothing is resolved or executed", () =>
	suggested([error(1, { new: true }), unknown(2)], [answering], (suggestions, fake) => {
		expect(suggestions).toEqual([undefined, candidate]);
		const item = { code: 2304, source: "ts", message: "Cannot find name 'x2'.", severity: 1 };
		const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };
		expect(fake.received(codeAction).map(({ params }) => params)).toMatchObject([
			{ range, context: { diagnostics: [{ ...item, range }], only: ["quickfix"] } },
		]);
		const methods = fake.record().flatMap(({ got }) => got?.method ?? []);
		expect(methods.filter((method) => /resolve|executeCommand/.test(method))).toEqual([]);
	}));

test("suggestions are given for an error that is not known to be old or new, and for an error of another server by its words", () =>
	suggested(
		[
			error(1, { code: "2304", message: "Cannot find name 'x'." }),
			error(2, { source: "other", message: "undefined: fmt" }),
			error(3, { source: "other" }),
		],
		[answering],
		(suggestions) => expect(suggestions).toEqual([candidate, candidate, undefined]),
	));

test("no suggestion is requested for an old error, a warning, or an error that suggests a name itself", () =>
	suggested(
		[
			unknown(1, { new: false }),
			unknown(2, { severity: "warning" }),
			unknown(3, { message: "Cannot find name 'x'. Did you mean 'y'?" }),
			error(4, { message: "Object is possibly 'undefined'." }),
		],
		[answering],
		(suggestions, fake) => {
			expect(suggestions.filter(Boolean)).toEqual([]);
			expect(fake.received(codeAction)).toEqual([]);
		},
	));

test("three suggestions are requested; equal messages count once, and those about modules come last", () =>
	suggested(
		[
			unknown(1, { code: "2307", message: "Cannot find module 'm'." }),
			unknown(2),
			unknown(2, { column: 2 }),
			unknown(3),
			unknown(4),
		],
		[answering],
		(suggestions, fake) => {
			expect(suggestions).toEqual([undefined, candidate, undefined, candidate, candidate]);
			expect(fake.received(codeAction)).toHaveLength(3);
		},
	));

test("a late answer is dropped, an answer in time is reported", () =>
	suggested(
		[unknown(1), unknown(2)],
		[{ method: codeAction, nth: 1, do: [{ delay: 1500 }, { reply: fixes }] }, answering],
		(suggestions, _fake, ms) => {
			expect(suggestions).toEqual([undefined, candidate]);
			expect(ms).toBeLessThan(1000);
		},
	));

test("a suggestion does not wait for a caller that shows the server another text", () =>
	withFake({ capabilities: { codeActionProvider: true }, on: [answering] }, async (fake) => {
		const server = await fake.start();
		const path = fake.write("a.fake", text);
		server.documents.set(path, "fake", text);
		let end = () => {};
		const writing = server.turns.write(() => new Promise<void>((resolve) => (end = resolve)));
		const proof = { path, text, hash: hashOf(text), diagnostics: [unknown(1)] };
		const suggestions = await withSuggestions(
			server,
			{ proof, diagnostics: proof.diagnostics },
			{ signal: AbortSignal.timeout(10_000) },
		);
		expect(suggestions).toEqual(proof.diagnostics);
		end();
		await writing;
		await server.turns.read(async () => {});
		expect(fake.received(codeAction)).toEqual([]);
	}));

test("no suggestion is requested for a text that has changed since, or of a server that offers no fixes", async () => {
	const nothing = (suggestions: (string | undefined)[], fake: Fake) => {
		expect(suggestions).toEqual([undefined]);
		expect(fake.received(codeAction)).toEqual([]);
	};
	await suggested([unknown(1)], [answering], nothing, { proven: "another" });
	await suggested([unknown(1)], [answering], nothing, { capabilities: {} });
	const kinds = { codeActionProvider: { codeActionKinds: ["source.organizeImports"] } };
	await suggested([unknown(1)], [answering], nothing, { capabilities: kinds });
});

test.each([
	["an error", { error: { code: -32603, message: "no" } }],
	["nothing", { reply: null }],
	["something else", { reply: [null, {}, { title: 1 }, { title: "Add import from 'x'", disabled: { reason: "no" } }] }],
	["an exit", { crash: 1 }],
] as const)("a server that answers with %s suggests nothing", (_, step) =>
	suggested([unknown(1)], [{ method: codeAction, do: [step] }], (suggestions) =>
		expect(suggestions).toEqual([undefined]),
	),
);
