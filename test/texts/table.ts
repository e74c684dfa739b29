import { PassThrough } from "node:stream";
import ignore from "ignore";
import type { DocumentSymbol, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { servers } from "../../server.ts";
import { candidatesOf } from "../../src/diagnostics/candidates.ts";
import { convertDiagnostics, mergeDiagnostics } from "../../src/diagnostics/convert.ts";
import { carryOver, goneFrom, markNew } from "../../src/diagnostics/diff-diagnostics.ts";
import { nameOneOf } from "../../src/diagnostics/named-in-errors.ts";
import { describeError, LspError, reviveError } from "../../src/errors.ts";
import { harmlessError } from "../../src/faces/answer.ts";
import { textAfter } from "../../src/faces/mutations.ts";
import { byPlace, type Diagnostic } from "../../src/findings.ts";
import { macrosIn } from "../../src/impact/compare.ts";
import { IdentifierScan, WantedNames } from "../../src/impact/identifier-filter.ts";
import { importsOf, isSeenByImporters, tailOf, withoutExtension } from "../../src/impact/imports.ts";
import { type Language, languageOf } from "../../src/impact/languages.ts";
import { isSameMeaning, meaningOf } from "../../src/impact/meaning.ts";
import { partsOf } from "../../src/impact/parts.ts";
import { isScriptModule, scriptReader } from "../../src/impact/read-script.ts";
import { scriptMentions } from "../../src/impact/script-mentions.ts";
import { folded, foreignChange, unreadChange } from "../../src/impact/unread.ts";
import { documentLines, type OpenDocument } from "../../src/lsp/documents.ts";
import { linesOf, positionAt, spotsAlong, toPath, toPosition, toSpot, toSpots } from "../../src/lsp/positions.ts";
import { Schemas } from "../../src/lsp/schemas.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { smallestChange } from "../../src/lsp/smallest-change.ts";
import { hasSeparators, TsserverLines } from "../../src/lsp/tsserver-lines.ts";
import { importLines, isImportLine } from "../../src/operations/import-lines.ts";
import { parsePointer, pointerOf } from "../../src/operations/parse-pointer.ts";
import { namesOf, rankName, rankPath } from "../../src/operations/rank-names.ts";
import { sourceLines } from "../../src/operations/source-lines.ts";
import { ContentLengthReader } from "../../src/rpc/content-length.ts";
import { LineSplitter } from "../../src/rpc/line-splitter.ts";
import { LineReader } from "../../src/rpc/ndjson.ts";
import { refusedAsTooLong } from "../../src/rpc/refusals.ts";
import { groups, said } from "../../src/text/causes.ts";
import { documentationText } from "../../src/text/documentation.ts";
import { escapeMarkup, escapeMessage, escapePath, oneLine } from "../../src/text/escape.ts";
import { harmless, harmlessJson } from "../../src/text/harmless.ts";
import { worthTelling } from "../../src/text/judgement.ts";
import { plainLinks } from "../../src/text/links.ts";
import { logLine } from "../../src/text/log.ts";
import { summarize } from "../../src/text/summary.ts";
import { ByteRing } from "../../src/util/byte-ring.ts";
import { hashOf } from "../../src/util/hash.ts";
import { readJson } from "../../src/util/json-reader.ts";
import { withoutMark } from "../../src/util/read-file.ts";
import { Recent } from "../../src/util/recent.ts";
import { isTestPath, subjectOf } from "../../src/util/test-paths.ts";
import { plainRules } from "../../src/watch/ignores.ts";
import { cleanCommand, cleanFlags, wordsOf } from "../../src/workspace/compile-flags.ts";
import { quoted, serverFields } from "../../src/workspace/config-schema.ts";
import { readFields, readServers } from "../../src/workspace/config-servers.ts";
import { declarationsOf, nearestNames, occurrence } from "../../src/workspace/declarations.ts";
import { declaredIn, documentSymbols, plainName } from "../../src/workspace/declared.ts";
import { holdsName } from "../../src/workspace/evidence.ts";
import { findPosition } from "../../src/workspace/find-position.ts";
import { matchesName } from "../../src/workspace/match.ts";
import { schemaOutside } from "../../src/workspace/named-schemas.ts";
import { findPattern } from "../../src/workspace/pattern.ts";
import { distributionOf } from "../../src/workspace/python-packages.ts";
import { standingAt } from "../../src/workspace/standing.ts";
import { stringsIn, tomlLines, tomlString } from "../../src/workspace/toml.ts";
import { fits } from "../../src/workspace/wildcard.ts";
import { hostileTexts } from "./shapes.ts";

type Call = (text: string) => unknown;

/** A file whose text is hostile, as its server knows it. */
function documentOf(text: string, languageId = "typescript"): OpenDocument {
	const path = "/p/src/a.ts";
	return { path, uri: `file://${path}`, languageId, text, version: 1, hash: "", stamp: "" } as unknown as OpenDocument;
}

/** A place in a text, at about a share of it. */
function placeIn(text: string, share: number): { readonly line: number; readonly column: number } {
	const before = linesOf(text.slice(0, Math.floor(text.length * share)));
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** What is made of the texts that are measured, kept so that it does not count when the call is made again. */
function once<Value>(make: (text: string) => Value): (text: string) => Value {
	const kept = new Recent<{ readonly value: Value }>(hostileTexts.size);
	return (text) => {
		const known = kept.get(text) ?? { value: make(text) };
		kept.set(text, known);
		return known.value;
	};
}

const diagnosticsOf = once((text): Diagnostic[] => {
	const end = placeIn(text, 1);
	return Array.from({ length: 500 }, (_, index) => {
		const { line, column } = placeIn(text.slice(0, 5000), index / 500);
		const message = index === 0 ? text : `${index}`;
		return { line, column, endLine: end.line, endColumn: end.column, severity: "error", source: "ts", message };
	});
});

const turned = once((text) => text.split("\n").toReversed().join("\n1"));
const halves = (text: string) => [text, text.slice(0, text.length / 2), text.slice(7)] as const;

/** What a server answers that finds two thousand declarations in a text, and says their places in bytes. */
const symbolsIn = once((text): DocumentSymbol[] => {
	const { line } = placeIn(text, 1);
	return Array.from({ length: 2000 }, (_, index) => {
		const start = { line: Math.floor((line - 1) * (index / 2000)), character: index * 500 };
		const name = index === 0 ? text : `name${index}`;
		return { name, kind: 12, range: { start, end: start }, selectionRange: { start, end: start } };
	});
});

const linesIn = once(linesOf);

function serverFor(text: string): LanguageServer {
	const symbols = symbolsIn(text);
	const server = {
		offers: () => true,
		require: () => {},
		readiness: {},
		encoding: "utf-8",
		request: async () => symbols,
	};
	return server as unknown as LanguageServer;
}

const sources = ["a.ts", "a.js", "a.vue", "a.py", "a.go", "a.c"].map((name) => `/p/src/${name}`);
/** One file of each language whose declarations are read. */
const declared = ["a.ts", "a.tsx", "a.js", "a.py", "a.go", "a.rs", "a.c"].map((name) => `/p/src/${name}`);
const languages = ["typescript", "python", "go", "rust", "cpp", "java", "php", "ruby", "elixir"];
const position = { line: 0, character: 600_000 };

function read(reader: LineReader | ContentLengthReader, stream: PassThrough, text: string): void {
	reader.onError(() => {});
	reader.listen(() => {});
	stream.emit("data", Buffer.from(text));
	stream.emit("data", Buffer.from(`Content-Length: 10000000\r\n\r\n${text}`));
}

/** What is made of some flags and words of a compiler's command line, without a known one among them. */
const flagsIn = (text: string) => [
	text,
	...text.slice(0, 200_000).split(/(?<=[ \n])/),
	`-D${text}`,
	`-I${text}`,
	`-W${text}`,
];

function split(text: string): void {
	const [half, most] = [text.slice(text.length / 2), 2 ** 18];
	const lines = new LineSplitter(most, { line: () => {}, tooLong: () => {} });
	for (const each of [half, `"${half}`, "\n"]) lines.feed(Buffer.from(each));
}

/** How each function is given a hostile text, by its name; behind a comma stands which of several ways that is. */
export const calls: Readonly<Record<string, Call>> = {
	"diagnostics/candidates.ts candidatesOf": (text) => candidatesOf([text, `import ${text}`, `from ${text} import`]),
	"diagnostics/convert.ts convertDiagnostics": (text) => {
		const lines = linesIn(text);
		const items = symbolsIn(text).map(({ name, range }) => ({ message: name, range, source: text, code: text }));
		return convertDiagnostics(items as ProtocolDiagnostic[], lines, "utf-8");
	},
	"diagnostics/convert.ts mergeDiagnostics": (text) => mergeDiagnostics([diagnosticsOf(text), diagnosticsOf(text)]),
	"diagnostics/diff-diagnostics.ts carryOver": (text) => {
		const [before, now] = halves(text);
		return carryOver(
			{ text: before, diagnostics: diagnosticsOf(before) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts goneFrom": (text) => {
		const [before, , now] = halves(text);
		return goneFrom(
			{ text: before, diagnostics: diagnosticsOf(before) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts markNew": (text) => {
		const now = turned(text);
		return markNew({ text, diagnostics: diagnosticsOf(text) }, { text: now, diagnostics: diagnosticsOf(now) });
	},
	"diagnostics/named-in-errors.ts nameOneOf": (text) =>
		nameOneOf(
			{ path: "/p/b.ts", text, diagnostics: diagnosticsOf(text) },
			{ changed: new Set(["other"]), added: new Set() },
			"/p/a.ts",
		),
	"errors.ts describeError": (text) => describeError(new LspError("LSP_INTERNAL", text)),
	"errors.ts reviveError": (text) => reviveError({ code: text, message: text, details: {} }, text),
	"faces/answer.ts harmlessError": (text) => harmlessError(new LspError("LSP_INTERNAL", text, { [text]: text })),
	"faces/mutations.ts textAfter": (text) => textAfter({ edits: [{ oldText: text.slice(7), newText: "" }] }, text),
	"findings.ts byPlace": (text) => diagnosticsOf(text).sort(byPlace),
	"impact/compare.ts macrosIn": macrosIn,
	"impact/identifier-filter.ts IdentifierScan.read": (text) => new IdentifierScan().read(text, 0, text.length),
	"impact/identifier-filter.ts WantedNames.in": (text) => new WantedNames(new Set(["other", text])).in(text),
	...Object.fromEntries(
		sources.map((path) => [`impact/imports.ts importsOf, ${path}`, (text: string) => importsOf(text, path)]),
	),
	"impact/imports.ts isSeenByImporters": (text) => sources.map((path) => isSeenByImporters(path, [text, undefined])),
	"impact/imports.ts tailOf": tailOf,
	"impact/imports.ts withoutExtension": withoutExtension,
	...Object.fromEntries(
		declared.flatMap((path): [string, Call][] => {
			const language = languageOf(path);
			if (language === undefined) throw new Error(`${path} is of no language that is read.`);
			return [
				[`impact/meaning.ts meaningOf, ${path}`, (text) => meaningOf(path, text)],
				[`impact/parts.ts partsOf, ${path}`, (text) => partsOf(text, language.shown?.(text) ?? text, language)],
			];
		}),
	),
	"impact/meaning.ts isSameMeaning": (text) => isSameMeaning("/p/src/a.py", text, `${text}b`),
	"impact/read-script.ts isScriptModule": (text) => sources.map((path) => isScriptModule(path, text, () => false)),
	"impact/read-script.ts scriptReader": (text) =>
		["/p/a.ts", "/p/a.js"].map((path) => scriptReader(path, text, languageOf(path) as Language, false)),
	"impact/script-mentions.ts scriptMentions": scriptMentions,
	"impact/unread.ts folded": folded,
	"impact/unread.ts foreignChange": (text) => foreignChange("/p/a.vue", text, turned(text)),
	"impact/unread.ts unreadChange": (text) => unreadChange("/p/a.ts", text, turned(text)),
	"lsp/documents.ts documentLines": (text) => documentLines(documentOf(text)),
	"lsp/smallest-change.ts smallestChange": (text) => {
		const [before, shorter, other] = halves(text);
		return [smallestChange(before, shorter, "utf-8"), smallestChange(before, other, "utf-32")];
	},
	"lsp/positions.ts linesOf": linesOf,
	"lsp/positions.ts positionAt": (text) => positionAt(600_000, text, "utf-8"),
	"lsp/positions.ts spotsAlong": (text) => {
		const spotOf = spotsAlong(text);
		for (let offset = 0; offset < text.length; offset++) spotOf(offset);
	},
	"lsp/positions.ts toPath": (text) => [toPath(text), toPath(`file://${text}`), toPath(`file:///%41${text}`)],
	"lsp/positions.ts toPosition": (text) => toPosition({ line: 1, column: 600_000 }, linesIn(text), "utf-8"),
	"lsp/positions.ts toSpot": (text) => toSpot(position, linesIn(text), "utf-8"),
	"lsp/positions.ts toSpots": (text) => toSpots({ start: position, end: position }, linesIn(text), "utf-32"),
	"lsp/schemas.ts Schemas.refusedFor": async (text) => {
		const schemas = new Schemas();
		for (const uri of [text, `https://a.b/${text}`]) await schemas.answer(uri);
		return [schemas.refusedFor(text), schemas.refusedFor(`$schema${text.slice(9)}`)];
	},
	"lsp/tsserver-lines.ts hasSeparators": hasSeparators,
	"lsp/tsserver-lines.ts new TsserverLines": (text) => new TsserverLines(text),
	...Object.fromEntries(
		languages.map((language) => [
			`operations/import-lines.ts importLines, ${language}`,
			(text: string) => importLines(text, language),
		]),
	),
	"operations/import-lines.ts isImportLine": (text) => isImportLine(documentOf(text), 7),
	"operations/parse-pointer.ts parsePointer": parsePointer,
	"operations/parse-pointer.ts pointerOf": pointerOf,
	"operations/rank-names.ts namesOf": namesOf,
	"operations/rank-names.ts rankName": (text) => [rankName(text, "aab"), rankName("aab", text), rankName(text, text)],
	"operations/rank-names.ts rankPath": (text) => [
		rankPath(text, "/p/a.ts", ["b", "aab"]),
		rankPath("a.b", text, namesOf(text)),
	],
	"operations/source-lines.ts sourceLines": (text) => {
		const [start, end] = [placeIn(text, 0.9), placeIn(text, 0.95)];
		const group = [{ name: "a", path: "a", kind: "function", start, end, at: start, children: [] }];
		return sourceLines(group, linesIn(text), { doc: true });
	},
	"rpc/byte-stream.ts ByteReader.feed": (text) => {
		const stream = new PassThrough();
		read(new LineReader(stream), stream, text);
	},
	"rpc/content-length.ts ContentLengthReader.feed": (text) => {
		const stream = new PassThrough();
		read(new ContentLengthReader(stream), stream, text);
	},
	"rpc/line-splitter.ts LineSplitter.feed": split,
	"rpc/ndjson.ts LineReader.feed": (text) => {
		const stream = new PassThrough();
		read(new LineReader(stream), stream, `${text}\n${JSON.stringify({ text })}\n`);
	},
	"rpc/refusals.ts refusedAsTooLong": (text) => {
		const bytes = Buffer.from(text);
		return [refusedAsTooLong(bytes, bytes, 1), refusedAsTooLong(Buffer.from(`{"id":"${text}`), bytes, 1)];
	},
	"text/causes.ts groups": (text) => groups(diagnosticsOf(text)),
	"text/causes.ts said": (text) => diagnosticsOf(text).slice(0, 2).map(said),
	"text/documentation.ts documentationText": (text) => documentationText({ text, from: "server" }),
	"text/escape.ts escapeMarkup": escapeMarkup,
	"text/escape.ts escapeMessage": escapeMessage,
	"text/escape.ts escapePath": escapePath,
	"text/escape.ts oneLine": oneLine,
	"text/harmless.ts harmless": harmless,
	"text/harmless.ts harmlessJson": harmlessJson,
	"text/judgement.ts worthTelling": (text) => worthTelling(diagnosticsOf(text)),
	"text/links.ts plainLinks": (text) => plainLinks(text, (uri) => uri),
	"text/log.ts logLine": (text) => [logLine(text), logLine(`{"event": "a", "text": "${text}"}`)],
	"text/summary.ts summarize": (text) => [summarize("check", text), summarize("symbols", `ERROR [1:1] ${text}`)],
	"util/byte-ring.ts ByteRing.add": (text) => new ByteRing(64 * 1024).add(Buffer.from(text)),
	"util/read-file.ts withoutMark": withoutMark,
	"util/hash.ts hashOf": hashOf,
	"util/json-reader.ts readJson": (text) => readJson(text),
	"util/json-reader.ts readJson, an object": (text) => readJson(`{${text}`),
	"util/json-reader.ts readJson, a list": (text) => readJson(`{"a":[${text}`),
	"util/json-reader.ts readJson, a text": (text) => readJson(JSON.stringify({ text })),
	"util/test-paths.ts isTestPath": isTestPath,
	"util/test-paths.ts subjectOf": subjectOf,
	"watch/ignores.ts plainRules": (text) => {
		const rules = ignore().add(plainRules(`${"*a".repeat(30)}b\n${text}`));
		return rules.ignores(`${"a".repeat(250)}/${"a".repeat(250)}/`);
	},
	"workspace/compile-flags.ts cleanCommand": (text) => cleanCommand(["cl.exe", ...flagsIn(text)], "/p"),
	"workspace/compile-flags.ts cleanFlags": (text) => cleanFlags(flagsIn(text), "/p"),
	"workspace/compile-flags.ts wordsOf": wordsOf,
	"workspace/config-schema.ts quoted": quoted,
	"workspace/config-servers.ts readFields": (text) =>
		readFields(serverFields, { [text]: text, match: [text] }, [], () => {}),
	"workspace/config-servers.ts readServers": (text) => [
		readServers({ [text]: { command: text, match: [text] } }, [], servers, () => {}),
		readServers([text, { command: text }, ...text.slice(0, 100_000).split("")], [], servers, () => {}),
	],
	"workspace/declarations.ts declarationsOf": (text) => declarationsOf(serverFor(text), documentOf(text)),
	"workspace/declarations.ts nearestNames": (text) => [
		nearestNames(text, [text, "a.b"]),
		nearestNames("ab", namesOf(text)),
	],
	"workspace/declarations.ts occurrence": (text) => [
		occurrence(text, "a"),
		occurrence(text, text.slice(9)),
		occurrence(text, "ab"),
	],
	"workspace/declared.ts declaredIn": (text) => declaredIn(serverFor(text), documentOf(text)),
	"workspace/declared.ts documentSymbols": (text) => documentSymbols(serverFor(text), documentOf(text)),
	"workspace/declared.ts plainName": (text) => [plainName(text), plainName(`impl ${text}`), plainName(`(*${text}`)],
	"workspace/evidence.ts holdsName": (text) => [
		holdsName(new Set(["a".repeat(255)]), text),
		holdsName(new Set(["a".repeat(255)]), `${text.slice(0, 300)}*a*`),
	],
	"workspace/find-position.ts findPosition": (text) =>
		findPosition(serverFor(text), documentOf(text), { symbol: text }),
	"workspace/find-position.ts findPosition, a name": (text) =>
		findPosition(serverFor(text), documentOf(text), { symbol: "other" }),
	"workspace/find-position.ts findPosition, on a line": (text) =>
		findPosition(serverFor(text), documentOf(text), { line: 1, symbol: "other" }),
	"workspace/match.ts matchesName": (text) =>
		matchesName(
			{ ...(servers[0] as (typeof servers)[0]), patterns: ["*a".repeat(30), text, `*${text}`] },
			"a".repeat(200),
		),
	"workspace/named-schemas.ts schemaOutside": (text) => [
		schemaOutside("/p/a.yaml", `$schema: ${text}`, "/p"),
		schemaOutside("/p/a.yaml", `$schema: &a ${text}`, "/p"),
		schemaOutside("/p/a.yaml", `"\\x${text}`, "/p"),
	],
	"workspace/pattern.ts findPattern": (text) => findPattern(text, { pattern: "a@@b" }),
	"workspace/pattern.ts findPattern, blanks": (text) => findPattern(text, { pattern: "\n @@a" }),
	"workspace/pattern.ts findPattern, of the text": (text) =>
		findPattern(text, { pattern: `${text.slice(0, 5000)}@@ b` }),
	"workspace/python-packages.ts distributionOf": (text) => [
		distributionOf(text, ["other"]),
		distributionOf("a.b", [text]),
	],
	"workspace/standing.ts standingAt": (text) => standingAt(text, position, "utf-8"),
	"workspace/toml.ts stringsIn": stringsIn,
	"workspace/toml.ts tomlLines": tomlLines,
	"workspace/toml.ts tomlString": (text) => tomlString(text, "project", "name"),
	"workspace/wildcard.ts fits": (text) => [
		fits("a".repeat(200), "*a".repeat(30)),
		fits(text, "**/*a*b/c"),
		fits("a".repeat(200), `*${text}`),
		fits(text.slice(0, 4096), `*${text.slice(0, 400)}*b`),
	],
};
