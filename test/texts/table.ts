import { PassThrough } from "node:stream";
import ignore from "ignore";
import type { DocumentSymbol, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { servers } from "../../server.ts";
import { startsProcess } from "../../src/architecture/entry-points.ts";
import { importsIn } from "../../src/architecture/read-imports.ts";
import { rustPaths } from "../../src/architecture/rust-paths.ts";
import { compilerError } from "../../src/builds/output/compiler-lines.ts";
import { withoutColours } from "../../src/builds/output/failure.ts";
import { jestReport } from "../../src/builds/output/jest.ts";
import { junitReport } from "../../src/builds/output/junit.ts";
import { placeOfTest } from "../../src/builds/output/place-of-test.ts";
import { type DeclaredSymbol, declaredSymbols, kindWord, linesOutside } from "../../src/changes/declared-symbols.ts";
import { calledByText, isGoMethod } from "../../src/changes/go-methods.ts";
import { membersIn, sharedIn } from "../../src/changes/named-users.ts";
import { ReachingTests } from "../../src/changes/reaching-tests.ts";
import { isEntryPoint, isRegistered, isSpecialName, mayImplement } from "../../src/changes/unseen-uses.ts";
import { readJson } from "../../src/config/json-reader.ts";
import { readLanguages, readServers } from "../../src/config/read-servers.ts";
import { serverFields } from "../../src/config/schema.ts";
import { readEntry, readFields } from "../../src/config/servers.ts";
import { quoted } from "../../src/config/validate-field.ts";
import { readYaml } from "../../src/config/yaml-reader.ts";
import { byPosition, type CheckReport, type Diagnostic } from "../../src/contract/check-report.ts";
import { describeError, LspError, reviveError, withHintFor } from "../../src/contract/errors.ts";
import { importLines, isImportLine, passedOnLines } from "../../src/contract/import-lines.ts";
import { namesOf } from "../../src/contract/symbol-path.ts";
import {
	carryOver,
	countFixed,
	fixedIn,
	markNew,
	markNewAndEarlier,
	mentionsChange,
	reportedNames,
	withoutMentions,
} from "../../src/diagnostics/diff-diagnostics.ts";
import { declarationLine } from "../../src/diagnostics/explain/declaration-line.ts";
import { suggestionFrom } from "../../src/diagnostics/explain/fix-titles.ts";
import { calleeAt, calleeBefore } from "../../src/diagnostics/explain/named-in-error.ts";
import { mergeDiagnostics } from "../../src/diagnostics/merge-diagnostics.ts";
import { importedNames } from "../../src/diagnostics/overlay/gone-imports.ts";
import { convertDiagnostics, diagnosticKey } from "../../src/diagnostics/sources/convert.ts";
import { compilerOptionsOf } from "../../src/diagnostics/sources/typescript-config.ts";
import { fileNamesIn } from "../../src/edit-hook/command-changes.ts";
import { editsOfPatch, pathsOfPatch } from "../../src/edit-hook/patch.ts";
import { splitMark } from "../../src/faces/agents/configured-file.ts";
import { withOwnHooks, wrongLimits } from "../../src/faces/agents/examine/own-hooks.ts";
import { isOwnHook } from "../../src/faces/agents/examine/try-command.ts";
import { isBlank, withItem, without, withProperty } from "../../src/faces/agents/json-text.ts";
import { withoutSecrets } from "../../src/faces/audit/without-secrets.ts";
import { withoutKnown } from "../../src/faces/cli/baseline.ts";
import { changeIn } from "../../src/faces/hooks/event.ts";
import { limitText } from "../../src/faces/hooks/limit-text.ts";
import { answerEvent } from "../../src/faces/hooks/run.ts";
import { LspClient } from "../../src/faces/lsp/client.ts";
import { EditorDocuments } from "../../src/faces/lsp/editor-documents.ts";
import { adviceOf, responseError } from "../../src/faces/lsp/failures.ts";
import { toProtocol } from "../../src/faces/lsp/protocol-diagnostics.ts";
import { textAfter } from "../../src/faces/pi/edit-tools.ts";
import { inPromptWords } from "../../src/faces/pi/lsp-command.ts";
import { kindOfCommand } from "../../src/faces/skills/shell-commands.ts";
import { commandsIn } from "../../src/faces/skills/shell-words.ts";
import { harmlessError } from "../../src/faces/tools/format-answer.ts";
import { macrosIn } from "../../src/impact/compare.ts";
import { declarationsOf } from "../../src/impact/declarations.ts";
import { equalEnds, hunksBetween } from "../../src/impact/hunks.ts";
import {
	importsOf,
	isSeenByImporters,
	passingLists,
	scriptSpecifiers,
	tailOf,
	withoutCommentLines,
	withoutExtension,
} from "../../src/impact/index/imports.ts";
import { isSameMeaning, meaningOf } from "../../src/impact/index/meaning.ts";
import { IdentifierScan, WantedNames } from "../../src/impact/outline/identifier-filter.ts";
import { languageOf } from "../../src/impact/outline/languages.ts";
import { isCommonJs, scriptReader } from "../../src/impact/outline/read-script.ts";
import { scriptMentions } from "../../src/impact/outline/script-mentions.ts";
import { partsOf } from "../../src/impact/outline/source-file.ts";
import { folded, foreignChange, unreadChange } from "../../src/impact/outline/unread.ts";
import { ContentLengthReader } from "../../src/jsonrpc/content-length.ts";
import { LineSplitter } from "../../src/jsonrpc/line-splitter.ts";
import { parseLine } from "../../src/jsonrpc/lines.ts";
import { LineReader } from "../../src/jsonrpc/ndjson.ts";
import { parseLong } from "../../src/jsonrpc/parse-long.ts";
import { refusedAsTooLong } from "../../src/jsonrpc/refusals.ts";
import { cleanCommand, cleanFlags, splitCommand } from "../../src/launch/compile-flags.ts";
import { schemaOutside } from "../../src/launch/named-schemas.ts";
import { schemaByUrl, tomlSchemas } from "../../src/launch/toml-schemas.ts";
import { withComplaint } from "../../src/lsp/complaint.ts";
import type { OpenDocument } from "../../src/lsp/documents.ts";
import { readFirstOutput } from "../../src/lsp/process-errors.ts";
import { Schemas } from "../../src/lsp/schemas.ts";
import { smallestChange } from "../../src/lsp/smallest-change.ts";
import { hasSeparators, TsserverLines } from "../../src/lsp/tsserver-lines.ts";
import { actionCalled } from "../../src/operations/common/choose-action.ts";
import { requireName } from "../../src/operations/common/new-name.ts";
import { parsePointer, pointerOf } from "../../src/operations/common/parse-pointer.ts";
import { byCodeUnit, rankName, rankPath } from "../../src/operations/common/rank-names.ts";
import { sourceLines } from "../../src/operations/common/source-lines.ts";
import { replacePiece, replaceText } from "../../src/planning/find-text.ts";
import { mergeTexts } from "../../src/planning/merge.ts";
import { planReplaced } from "../../src/planning/new-text.ts";
import { planPatch } from "../../src/planning/patch.ts";
import type { PlannedTree } from "../../src/planning/planned-tree.ts";
import { indentCode, unitOf } from "../../src/planning/symbols/indent-code.ts";
import { deleteSymbol, insertAfter, insertBefore, replaceSymbol } from "../../src/planning/symbols/place-code.ts";
import { spanInLines } from "../../src/planning/symbols/symbol-span.ts";
import { replaceAll, replacementsOf, textEditsOf, withLineEndsOf } from "../../src/planning/text-edits.ts";
import { outputEnd } from "../../src/pool/server-entry.ts";
import { describePosition } from "../../src/project/describe-position.ts";
import { matchesName } from "../../src/project/file-match.ts";
import { indentationOf } from "../../src/project/indentation.ts";
import { goModulePath, goRequirements, goWorkUses } from "../../src/project/manifests/go-mod.ts";
import { distributionOf } from "../../src/project/manifests/python-packages.ts";
import { readToml } from "../../src/project/manifests/toml.ts";
import { containsName } from "../../src/project/markers.ts";
import { isTestFunction, marksTest } from "../../src/project/test-functions.ts";
import { isTestPath, subjectOf } from "../../src/project/test-paths.ts";
import { matchesWildcard } from "../../src/project/wildcard.ts";
import { plainName, scriptDeclarations, symbolTree } from "../../src/query/document-symbols.ts";
import { sectionsOf } from "../../src/query/editorconfig.ts";
import type { FileQuery } from "../../src/query/file-query.ts";
import { findPosition } from "../../src/query/find-position.ts";
import { indexOfWord, nameStart, overloadsIn, requestableIn, selectDeclaration } from "../../src/query/find-symbol.ts";
import { findPattern } from "../../src/query/search-pattern.ts";
import { plainLinks } from "../../src/render/answers/links.ts";
import { codeName, groupEqual, messageWithCode } from "../../src/render/check/causes.ts";
import { causedBySession } from "../../src/render/check/new-and-old.ts";
import { summarize } from "../../src/render/check/summary.ts";
import {
	escapeMarkup,
	escapeMessage,
	escapePath,
	escapeTags,
	oneLine,
	oneLineOutside,
} from "../../src/render/escape.ts";
import { concise } from "../../src/render/formats/concise.ts";
import { type FormatContext, ruleOf, shortened } from "../../src/render/formats/format.ts";
import { github } from "../../src/render/formats/github.ts";
import { gitlab } from "../../src/render/formats/gitlab.ts";
import { junit } from "../../src/render/formats/junit.ts";
import { pretty } from "../../src/render/formats/pretty.ts";
import { sarif } from "../../src/render/formats/sarif.ts";
import { harmless, harmlessData, harmlessJson } from "../../src/render/harmless.ts";
import { didYouMean, nearestNames } from "../../src/render/nearest-names.ts";
import { shellWord } from "../../src/render/shell-word.ts";
import { auditLine } from "../../src/render/status/audit.ts";
import { columns } from "../../src/render/status/columns.ts";
import { logLine } from "../../src/render/status/log.ts";
import { ByteRing } from "../../src/util/byte-ring.ts";
import { listingOf } from "../../src/util/files.ts";
import { hashOf } from "../../src/util/hash.ts";
import { LruMap } from "../../src/util/lru-map.ts";
import {
	isUri,
	lineStart,
	linesOf,
	positionAt,
	spotsAlong,
	toPath,
	toPosition,
	toSpot,
	toSpots,
} from "../../src/util/positions.ts";
import { withoutMark } from "../../src/util/read-file.ts";
import { globTest } from "../../src/watch/globs.ts";
import { plainRules } from "../../src/watch/ignores.ts";
import { hostileTexts } from "./shapes.ts";

type Call = (text: string) => unknown;

/** A file with a hostile text, in the form of its server. */
function documentOf(text: string, languageId = "typescript"): OpenDocument {
	const path = "/p/src/a.ts";
	return { path, uri: `file://${path}`, languageId, text, version: 1, hash: "", stamp: "" } as unknown as OpenDocument;
}

/** A position in a text, at about a share of it. */
function placeIn(text: string, share: number): { readonly line: number; readonly column: number } {
	const before = linesOf(text.slice(0, Math.floor(text.length * share)));
	return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The arguments made from the texts, kept so that they do not count when the call is repeated. */
function once<Value>(make: (text: string) => Value): (text: string) => Value {
	const kept = new LruMap<{ readonly value: Value }>(hostileTexts.size);
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

/** The longest text that the reader takes. */
const yamlPart = once((text) => `lsp:\n ${text.slice(0, 130_000).replaceAll("\n", "\n ")}`);
const yamlList = once((text) => `lsp:\n - [${text.slice(0, 250_000).replaceAll("\n", ",")}]`);
const turned = once((text) => text.split("\n").toReversed().join("\n1"));
const halves = (text: string) => [text, text.slice(0, text.length / 2), text.slice(7)] as const;

/** The answer of a server that finds two thousand declarations in a text, with positions in bytes. */
const symbolsIn = once((text): DocumentSymbol[] => {
	const { line } = placeIn(text, 1);
	return Array.from({ length: 2000 }, (_, index) => {
		const start = { line: Math.floor((line - 1) * (index / 2000)), character: index * 500 };
		const name = index === 0 ? text : `name${index}`;
		return { name, kind: 12, range: { start, end: start }, selectionRange: { start, end: start } };
	});
});

const linesIn = once(linesOf);

const treeOf = once((text) => symbolTree(symbolsIn(text), linesIn(text), "utf-8"));

/** A file whose server answers with those declarations. */
function queryFor(text: string): FileQuery {
	const query = {
		server: { encoding: "utf-8" },
		document: documentOf(text),
		lines: linesIn(text),
		allSymbols: async () => treeOf(text),
	};
	return query as unknown as FileQuery;
}

/** A planned tree whose files all contain a text. */
function treeWith(text: string): PlannedTree {
	const nothing = async () => {};
	return {
		textOf: async () => text,
		write: nothing,
		edit: nothing,
		move: nothing,
		delete: nothing,
	} as unknown as PlannedTree;
}

const sources = ["a.ts", "a.js", "a.vue", "a.py", "a.go", "a.c", "a.json", "a.yaml", "a.toml"].map(
	(name) => `/p/src/${name}`,
);
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

/** The result for some flags and words of a compiler's command line, without a known one among them. */
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

/** The call of each function with a hostile text, by its name; a comma precedes the variant. */
export const calls: Readonly<Record<string, Call>> = {
	"builds/output/compiler-lines.ts compilerError": (text) => [compilerError(text), compilerError(text, true)],
	"builds/output/failure.ts withoutColours": (text) => withoutColours(text),
	"builds/output/junit.ts junitReport": (text) => [
		junitReport(text),
		junitReport(`<testcase name="${text}"><failure>${text}</failure>`),
	],
	"builds/output/jest.ts jestReport": (text) =>
		jestReport(
			JSON.stringify({
				testResults: [{ name: text, assertionResults: [{ status: "failed", failureMessages: [text] }] }],
			}),
		),
	"builds/output/place-of-test.ts placeOfTest": (text) =>
		placeOfTest({ group: "", name: text, file: "a.ts", line: 1, message: text, text }, "/p"),
	"changes/unseen-uses.ts isRegistered": (text) =>
		isRegistered({ text, at: { line: 7, column: 1 } } as DeclaredSymbol, { lines: linesIn(text) }),
	"changes/unseen-uses.ts mayImplement": (text) =>
		mayImplement(
			{ path: text, spans: [[1, 9]] } as unknown as DeclaredSymbol,
			{ spans: [[1, 9]] } as unknown as DeclaredSymbol,
			{
				lines: linesIn(text),
			},
		),
	"changes/unseen-uses.ts isSpecialName": (text) => isSpecialName(text),
	"changes/unseen-uses.ts isEntryPoint": (text) => [isEntryPoint("a.go", text), isEntryPoint("a.rs", text)],
	"diagnostics/explain/declaration-line.ts declarationLine": (text) => declarationLine(text.split("\n"), { line: 0 }),
	"diagnostics/explain/named-in-error.ts calleeAt": (text) => calleeAt([text], { line: 1, column: 1 }),
	"diagnostics/explain/named-in-error.ts calleeBefore": (text) => [
		calleeBefore([text], { line: 1, column: text.length + 1 }),
		calleeBefore([`f(${text.slice(0, 3000)}`], { line: 1, column: 3000 }),
		calleeBefore(text.split("\n").slice(0, 30), { line: 30, column: 1 }),
	],
	"diagnostics/explain/fix-titles.ts suggestionFrom": (text) =>
		suggestionFrom([text, `import ${text}`, `from ${text} import`]),
	"diagnostics/sources/typescript-config.ts compilerOptionsOf": (text) =>
		compilerOptionsOf({ path: "/no/such/tsconfig.json", text }),
	"diagnostics/overlay/gone-imports.ts importedNames": (text) =>
		["/a/b.ts", "/a/b.py"].map((path) => importedNames(text, path, "/a/greet")),
	"diagnostics/sources/convert.ts convertDiagnostics": (text) => {
		const lines = linesIn(text);
		const items = symbolsIn(text).map(({ name, range }) => ({ message: name, range, source: text, code: text }));
		return convertDiagnostics(items as ProtocolDiagnostic[], lines, "utf-8");
	},
	"diagnostics/merge-diagnostics.ts mergeDiagnostics": (text) =>
		mergeDiagnostics([diagnosticsOf(text), diagnosticsOf(text)]),
	"diagnostics/sources/convert.ts diagnosticKey": (text) => diagnosticsOf(text).map(diagnosticKey),
	"diagnostics/diff-diagnostics.ts carryOver": (text) => {
		const [before, now] = halves(text);
		return carryOver(
			{ text: before, diagnostics: diagnosticsOf(before) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts countFixed": (text) => {
		const [before, , now] = halves(text);
		return countFixed(
			{ text: before, diagnostics: diagnosticsOf(before) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts fixedIn": (text) => {
		const [before, , now] = halves(text);
		return fixedIn(
			{ text: before, diagnostics: diagnosticsOf(before) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts markNew": (text) => {
		const now = turned(text);
		return markNew({ text, diagnostics: diagnosticsOf(text) }, { text: now, diagnostics: diagnosticsOf(now) });
	},
	"diagnostics/diff-diagnostics.ts markNewAndEarlier": (text) => {
		const now = turned(text);
		return markNewAndEarlier(
			{ text, diagnostics: diagnosticsOf(text).map((item) => ({ ...item, new: true })) },
			{ text: now, diagnostics: diagnosticsOf(now) },
		);
	},
	"diagnostics/diff-diagnostics.ts reportedNames": (text) => reportedNames({ text, diagnostics: diagnosticsOf(text) }),
	"diagnostics/diff-diagnostics.ts mentionsChange": (text) =>
		mentionsChange(
			{ text, diagnostics: diagnosticsOf(text) },
			{ changed: new Set(["other"]), added: new Set() },
			"/p/a.ts",
		),
	"diagnostics/diff-diagnostics.ts withoutMentions": (text) =>
		withoutMentions({ text, diagnostics: diagnosticsOf(text) }, new Map([["/p/a.ts", new Set(["other"])]])),
	"contract/errors.ts describeError": (text) => describeError(new LspError("LSP_INTERNAL", text)),
	"contract/errors.ts withHintFor": (text) =>
		withHintFor(new LspError("LSP_INTERNAL", "", { suggestion: text }), (command) => command),
	"contract/errors.ts reviveError": (text) => reviveError({ code: text, message: text, details: {} }, text),
	"faces/tools/format-answer.ts harmlessError": (text) =>
		harmlessError(new LspError("LSP_INTERNAL", text, { [text]: text })),
	"edit-hook/command-changes.ts fileNamesIn": fileNamesIn,
	"edit-hook/patch.ts editsOfPatch": (text) => editsOfPatch(`*** Begin Patch\n*** Update File: a\n@@\n${text}`),
	"edit-hook/patch.ts pathsOfPatch": pathsOfPatch,
	"faces/agents/configured-file.ts splitMark": splitMark,
	"faces/agents/examine/own-hooks.ts withOwnHooks": (text) =>
		withOwnHooks(`{"hooks":[{"command":"${text}`, [], () => true),
	"faces/agents/examine/own-hooks.ts wrongLimits": (text) =>
		wrongLimits(JSON.stringify([{ command: text, timeout: 1 }]), [{ command: text, timeout: 100 }], () => true),
	"faces/agents/examine/try-command.ts isOwnHook": (text) => isOwnHook(`pi-lsp hook ${text}`),
	"faces/agents/json-text.ts withProperty": (text) => withProperty(text, ["a", "b"], 1),
	"faces/agents/json-text.ts withProperty, an object": (text) => withProperty(`{"a":{"b":0}${text}`, ["a", "c"], 1),
	"faces/agents/json-text.ts isBlank": (text) => isBlank(`{"a":{}${text}`, []),
	"faces/agents/json-text.ts withItem": (text) => withItem(`{"a":[0 ${text}`, ["a"], 1),
	"faces/agents/json-text.ts without": (text) => without(`{"a":0 ${text}`, ["a"]),
	"faces/hooks/event.ts changeIn": (text) => changeIn({}, `*** Begin Patch\n*** Update File: a\n@@\n${text}`),
	"faces/hooks/limit-text.ts limitText": (text) => limitText(text, { unit: "bytes", most: 9_900 }),
	"faces/hooks/run.ts answerEvent": (text) => answerEvent("codex", text, text),
	"faces/pi/edit-tools.ts textAfter": (text) => textAfter({ edits: [{ oldText: text.slice(7), newText: "" }] }, text),
	"contract/check-report.ts byPosition": (text) => diagnosticsOf(text).sort(byPosition),
	"impact/compare.ts macrosIn": macrosIn,
	"impact/outline/identifier-filter.ts IdentifierScan.read": (text) => new IdentifierScan().read(text, 0, text.length),
	"impact/outline/identifier-filter.ts WantedNames.in": (text) => new WantedNames(new Set(["other", text])).in(text),
	...Object.fromEntries(
		sources.map((path) => [`impact/index/imports.ts importsOf, ${path}`, (text: string) => importsOf(text, path)]),
	),
	"impact/index/imports.ts isSeenByImporters": (text) =>
		sources.map((path) => isSeenByImporters(path, [text, undefined])),
	"impact/index/imports.ts scriptSpecifiers": scriptSpecifiers,
	"impact/index/imports.ts passingLists": (text) => ["/a.js", "/a.py"].map((path) => passingLists(text, path)),
	"impact/index/imports.ts tailOf": tailOf,
	"impact/index/imports.ts withoutCommentLines": (text) => withoutCommentLines(text, "/a.js"),
	...Object.fromEntries(
		[...sources, "/a.java", "/a.php", "/a.rb", "/a.zig", "/a.dart"].map((path) => [
			`architecture/read-imports.ts importsIn, ${path}`,
			(text: string) => importsIn(path, text),
		]),
	),
	"architecture/rust-paths.ts rustPaths": rustPaths,
	"architecture/entry-points.ts startsProcess": (text) =>
		["/a.go", "/a.py", "/a.rs", "/a.java", "/a.cs", "/a.c", "/a.dart"].map((path) => startsProcess(path, text)),
	"impact/index/imports.ts withoutExtension": withoutExtension,
	...Object.fromEntries(
		declared.flatMap((path): [string, Call][] => {
			const language = languageOf(path);
			if (language === undefined) throw new Error(`${path} is of no language that is read.`);
			return [
				[`impact/index/meaning.ts meaningOf, ${path}`, (text) => meaningOf(path, text)],
				[
					`impact/outline/source-file.ts partsOf, ${path}`,
					(text) => partsOf(text, language.shown?.(text) ?? text, language),
				],
			];
		}),
	),
	"impact/index/meaning.ts isSameMeaning": (text) => isSameMeaning("/p/src/a.py", text, `${text}b`),
	"impact/outline/read-script.ts isCommonJs": (text) => sources.map((path) => isCommonJs(path, text)),
	"impact/outline/read-script.ts scriptReader": (text) =>
		["/p/a.ts", "/p/a.js"].map((path) => scriptReader(path, text, false)),
	"impact/outline/script-mentions.ts scriptMentions": scriptMentions,
	"impact/outline/unread.ts folded": folded,
	"impact/outline/unread.ts foreignChange": (text) => foreignChange("/p/a.vue", text, turned(text)),
	"impact/outline/unread.ts unreadChange": (text) => unreadChange("/p/a.ts", text, turned(text)),
	"pool/server-entry.ts outputEnd": (text) =>
		outputEnd(new LspError("LSP_SERVER_START_FAILED", "no", { stderr: text })),
	"lsp/process-errors.ts readFirstOutput": readFirstOutput,
	"lsp/complaint.ts withComplaint": (text) => withComplaint(text, text.slice(7)),
	"lsp/smallest-change.ts smallestChange": (text) => {
		const [before, shorter, other] = halves(text);
		return [smallestChange(before, shorter, "utf-8"), smallestChange(before, other, "utf-32")];
	},
	"faces/pi/lsp-command.ts inPromptWords": inPromptWords,
	"render/nearest-names.ts nearestNames": (text) => [
		nearestNames(text, [text, "a.b"]),
		nearestNames("ab", namesOf(text)),
	],
	"render/shell-word.ts shellWord": shellWord,
	"render/status/columns.ts columns": (text) => columns([[text], namesOf(text)]),
	"render/nearest-names.ts didYouMean": (text) => [didYouMean(text, [text, "check"]), didYouMean("ab", namesOf(text))],
	"util/files.ts listingOf": (text) => listingOf(undefined, [text, ...text.split("\n")]),
	"util/positions.ts isUri": isUri,
	"util/positions.ts lineStart": (text) => [lineStart(text, 0), lineStart(text, text.length)],
	"util/positions.ts linesOf": linesOf,
	"util/positions.ts positionAt": (text) => positionAt(600_000, text, "utf-8"),
	"util/positions.ts spotsAlong": (text) => {
		const spotOf = spotsAlong(text);
		for (let offset = 0; offset < text.length; offset++) spotOf(offset);
	},
	"util/positions.ts toPath": (text) => [toPath(text), toPath(`file://${text}`), toPath(`file:///%41${text}`)],
	"util/positions.ts toPosition": (text) => toPosition({ line: 1, column: 600_000 }, linesIn(text), "utf-8"),
	"util/positions.ts toSpot": (text) => toSpot(position, linesIn(text), "utf-8"),
	"util/positions.ts toSpots": (text) => toSpots({ start: position, end: position }, linesIn(text), "utf-32"),
	"lsp/schemas.ts Schemas.refusedFor": async (text) => {
		const schemas = new Schemas();
		for (const uri of [text, `https://a.b/${text}`]) await schemas.answer(uri);
		return [schemas.refusedFor(text), schemas.refusedFor(`$schema${text.slice(9)}`)];
	},
	"lsp/tsserver-lines.ts hasSeparators": hasSeparators,
	"lsp/tsserver-lines.ts new TsserverLines": (text) => new TsserverLines(text),
	...Object.fromEntries(
		languages.map((language) => [
			`contract/import-lines.ts importLines, ${language}`,
			(text: string) => importLines(text, language),
		]),
	),
	"contract/import-lines.ts passedOnLines": (text) => languages.map((language) => passedOnLines(text, language)),
	"contract/import-lines.ts isImportLine": (text) => isImportLine(documentOf(text), 7),
	"operations/common/parse-pointer.ts parsePointer": parsePointer,
	"operations/common/parse-pointer.ts pointerOf": pointerOf,
	"contract/symbol-path.ts namesOf": namesOf,
	"operations/common/rank-names.ts byCodeUnit": (text) => [byCodeUnit(text, `${text}a`), byCodeUnit("a", text)],
	"operations/common/rank-names.ts rankName": (text) => [
		rankName(text, "aab"),
		rankName("aab", text),
		rankName(text, text),
	],
	"operations/common/rank-names.ts rankPath": (text) => [
		rankPath(text, "/p/a.ts", ["b", "aab"]),
		rankPath("a.b", text, namesOf(text)),
	],
	"operations/common/source-lines.ts sourceLines": (text) => {
		const [start, end] = [placeIn(text, 0.9), placeIn(text, 0.95)];
		const group = [{ name: "a", path: "a", kind: "function", start, end, at: start, children: [] }];
		return sourceLines(group, linesIn(text), { doc: true });
	},
	"jsonrpc/byte-stream.ts ByteReader.feed": (text) => {
		const stream = new PassThrough();
		read(new LineReader(stream), stream, text);
	},
	"jsonrpc/content-length.ts ContentLengthReader.feed": (text) => {
		for (const refuse of [undefined, () => {}]) {
			const stream = new PassThrough();
			read(new ContentLengthReader(stream, undefined, refuse), stream, text);
		}
	},
	"faces/lsp/client.ts LspClient.showMessage": (text) =>
		new LspClient({ notify: () => {}, request: async () => ({}) as never }).showMessage(text),
	"faces/lsp/editor-documents.ts EditorDocuments.change": (text) => {
		const documents = new EditorDocuments();
		documents.open("file:///a.ts", 1, text);
		const range = { start: { line: 9, character: 500_000 }, end: { line: 400_000, character: 600_000 } };
		documents.change("file:///a.ts", 2, [{ range, text }]);
	},
	"faces/lsp/failures.ts adviceOf": (text) => adviceOf(new LspError("LSP_SERVER_UNAVAILABLE", text)),
	"faces/lsp/failures.ts responseError": (text) => responseError(new LspError("LSP_SERVER_ERROR", text)),
	"faces/lsp/protocol-diagnostics.ts toProtocol": (text) => toProtocol(diagnosticsOf(text), "/p"),
	"jsonrpc/line-splitter.ts LineSplitter.feed": split,
	"jsonrpc/lines.ts parseLine": (text) => {
		try {
			parseLine(Buffer.from(`{${text}`));
		} catch {}
		parseLine(Buffer.from(JSON.stringify({ text })));
	},
	"jsonrpc/ndjson.ts LineReader.feed": (text) => {
		const stream = new PassThrough();
		read(new LineReader(stream), stream, `${text}\n${JSON.stringify({ text })}\n`);
	},
	"jsonrpc/parse-long.ts parseLong": async (text) => {
		await parseLong(Buffer.from(text)).catch(() => {});
		await parseLong(
			Buffer.from(`[[${text}],"${text.replaceAll(/[\\"]/g, " ")}",${JSON.stringify({ [text]: text })}]`),
		).catch(() => {});
	},
	"jsonrpc/refusals.ts refusedAsTooLong": (text) => {
		const bytes = Buffer.from(text);
		return [refusedAsTooLong(bytes, bytes, 1), refusedAsTooLong(Buffer.from(`{"id":"${text}`), bytes, 1)];
	},
	"render/check/causes.ts groupEqual": (text) => groupEqual(diagnosticsOf(text)),
	"render/check/causes.ts codeName": (text) => [codeName(text, text), codeName("1", text)],
	...Object.fromEntries(
		[concise, github, gitlab, junit, sarif, pretty].map((format) => [
			`render/formats/format.ts shownMessage, in ${format.name}`,
			(text: string) => format(reportOf(text), contextOf(text)),
		]),
	),
	"render/formats/format.ts shortened": (text) => shortened(text),
	"render/formats/format.ts ruleOf": (text) =>
		diagnosticsOf(text)
			.slice(0, 2)
			.map((item) => ruleOf({ ...item, code: text })),
	"faces/cli/baseline.ts withoutKnown": (text) =>
		withoutKnown("/a", reportOf(text), [{ path: text, rule: text, message: text, count: 1 }], {
			top: "/",
			fromTop: String,
		}),
	"render/check/causes.ts messageWithCode": (text) =>
		diagnosticsOf(text)
			.slice(0, 2)
			.map((item) => messageWithCode(item)),
	"render/escape.ts escapeMarkup": escapeMarkup,
	"render/escape.ts escapeMessage": escapeMessage,
	"render/escape.ts escapePath": escapePath,
	"render/escape.ts escapeTags": escapeTags,
	"render/escape.ts oneLineOutside": oneLineOutside,
	"render/escape.ts oneLine": oneLine,
	"render/harmless.ts harmless": harmless,
	"render/harmless.ts harmlessData": (text) => harmlessData({ [text]: [text] }, "data"),
	"render/harmless.ts harmlessJson": harmlessJson,
	"render/check/new-and-old.ts causedBySession": (text) => causedBySession(diagnosticsOf(text)),
	"render/answers/links.ts plainLinks": (text) => plainLinks(text, (uri) => uri),
	"render/status/audit.ts auditLine": (text) => [
		auditLine(text),
		auditLine(`{"tool": "a", "error_message": "${text}"}`),
	],
	"faces/skills/shell-commands.ts kindOfCommand": kindOfCommand,
	"faces/skills/shell-words.ts commandsIn": commandsIn,
	"faces/audit/without-secrets.ts withoutSecrets": (text) => withoutSecrets(text, 80, [text.slice(0, 20), text]),
	"render/status/log.ts logLine": (text) => [logLine(text), logLine(`{"event": "a", "text": "${text}"}`)],
	"render/check/summary.ts summarize": (text) => [
		summarize("check", text),
		summarize("symbols", `ERROR [1:1] ${text}`),
	],
	"util/byte-ring.ts ByteRing.add": (text) => new ByteRing(64 * 1024).add(Buffer.from(text)),
	"util/read-file.ts withoutMark": withoutMark,
	"util/hash.ts hashOf": hashOf,
	"config/yaml-reader.ts readYaml": (text) => readYaml(text),
	"config/yaml-reader.ts readYaml, its part": (text) => readYaml(yamlPart(text)),
	"config/yaml-reader.ts readYaml, a list": (text) => readYaml(yamlList(text)),
	"config/json-reader.ts readJson": (text) => readJson(text),
	"config/json-reader.ts readJson, an object": (text) => readJson(`{${text}`),
	"config/json-reader.ts readJson, a list": (text) => readJson(`{"a":[${text}`),
	// Escapes would make six megabytes of one.
	"config/json-reader.ts readJson, a text": (text) => readJson(JSON.stringify({ text }).slice(0, text.length)),
	"project/test-paths.ts isTestPath": isTestPath,
	"project/test-paths.ts subjectOf": subjectOf,
	"watch/ignores.ts plainRules": (text) => {
		const rules = ignore().add(plainRules(`${"*a".repeat(30)}b\n${text}`));
		return rules.ignores(`${"a".repeat(250)}/${"a".repeat(250)}/`);
	},
	"launch/compile-flags.ts cleanCommand": (text) => cleanCommand(["cl.exe", ...flagsIn(text)], "/p"),
	"launch/compile-flags.ts cleanFlags": (text) => cleanFlags(flagsIn(text), "/p"),
	"launch/compile-flags.ts splitCommand": splitCommand,
	"config/validate-field.ts quoted": quoted,
	"config/servers.ts readEntry": (text) => readEntry(text, { command: text, match: [text] }, [], () => {}),
	"config/servers.ts readFields": (text) => readFields(serverFields, { [text]: text, match: [text] }, [], () => {}),
	// A configuration file is at most 256 KiB.
	"config/servers.ts readFields, a name": (text) =>
		readFields(serverFields, { env: { [text.slice(0, 2 ** 18)]: 1 } }, [], () => {}),
	"config/servers.ts readFields, a list": (text) =>
		readFields(serverFields, { command: [...text.slice(0, 2 ** 17)].map(Number) }, [], () => {}),
	"config/read-servers.ts readLanguages": (text) =>
		readLanguages({ [text]: { command: text, extensions: [text] } }, [], [], () => {}),
	"config/read-servers.ts readServers": (text) => [
		readServers({ [text]: { command: text, match: [text] } }, [], servers, () => {}),
		readServers([text, { command: text }, ...text.slice(0, 100_000).split("")], [], servers, () => {}),
	],
	"query/find-symbol.ts nameStart": (text) => treeOf(text).map((symbol) => nameStart(symbol, linesIn(text))),
	"query/find-symbol.ts indexOfWord": (text) => [
		indexOfWord(text, "a"),
		indexOfWord(text, text.slice(9)),
		indexOfWord(text, "ab"),
		indexOfWord(text, ""),
	],
	"query/find-symbol.ts selectDeclaration": (text) => [
		selectDeclaration(overloadsIn(treeOf(text)), text, linesIn(text)),
		selectDeclaration(requestableIn(treeOf(text), "cpp"), "other", linesIn(text)),
	],
	"query/document-symbols.ts symbolTree": treeOf,
	"query/document-symbols.ts scriptDeclarations": (text) => scriptDeclarations(treeOf(text), text, linesIn(text)),
	"query/document-symbols.ts plainName": (text) => [plainName(text), plainName(`impl ${text}`), plainName(`(*${text}`)],
	"project/markers.ts containsName": (text) => [
		containsName(new Set(["a".repeat(255)]), text),
		containsName(new Set(["a".repeat(255)]), `${text.slice(0, 300)}*a*`),
	],
	"query/find-position.ts findPosition": (text) => findPosition(queryFor(text), { symbol: text }),
	"query/find-position.ts findPosition, a name": (text) => findPosition(queryFor(text), { symbol: "other" }),
	"query/find-position.ts findPosition, on a line": (text) =>
		findPosition(queryFor(text), { line: 1, symbol: "other" }),
	"project/file-match.ts matchesName": (text) =>
		matchesName(
			{ ...(servers[0] as (typeof servers)[0]), patterns: ["*a".repeat(30), text, `*${text}`] },
			"a".repeat(200),
		),
	"launch/toml-schemas.ts tomlSchemas": (text) => [
		tomlSchemas("/p/a.toml", `#:schema ${text}`),
		tomlSchemas("/p/a.toml", text),
	],
	"launch/toml-schemas.ts schemaByUrl": (text) => schemaByUrl("/p/a.toml", `#:schema ${text}`),
	"launch/named-schemas.ts schemaOutside": (text) => [
		schemaOutside("/p/a.yaml", `$schema: ${text}`, "/p"),
		schemaOutside("/p/a.yaml", `$schema: &a ${text}`, "/p"),
		schemaOutside("/p/a.yaml", `"\\x${text}`, "/p"),
	],
	"query/search-pattern.ts findPattern": (text) => findPattern(text, { pattern: "a@@b" }),
	"query/search-pattern.ts findPattern, blanks": (text) => findPattern(text, { pattern: "\n @@a" }),
	"query/search-pattern.ts findPattern, of the text": (text) =>
		findPattern(text, { pattern: `${text.slice(0, 5000)}@@ b` }),
	"project/manifests/python-packages.ts distributionOf": (text) => [
		distributionOf(text, ["other"]),
		distributionOf("a.b", [text]),
	],
	"project/describe-position.ts describePosition": (text) => describePosition(text, position, "utf-8"),
	"project/manifests/go-mod.ts goModulePath": (text) => [goModulePath(text), goModulePath(`module ${text}`)],
	"project/manifests/go-mod.ts goRequirements": (text) => [goRequirements(text), goRequirements(`require (\n${text}`)],
	"project/manifests/go-mod.ts goWorkUses": (text) => [goWorkUses(text), goWorkUses(`use .${text}`)],
	"project/manifests/toml.ts readToml": (text) => [
		readToml(text),
		readToml(`a = ${text}`),
		readToml(`a = [${text}`.slice(0, 250_000)),
		readToml(`${"a.".repeat(100_000)}a = 1\n`),
	],
	"project/wildcard.ts matchesWildcard": (text) => [
		matchesWildcard("a".repeat(200), "*a".repeat(30)),
		matchesWildcard(text, "**/*a*b/c"),
		matchesWildcard("a".repeat(200), `*${text}`),
		matchesWildcard(text.slice(0, 4096), `*${text.slice(0, 400)}*b`),
	],
	"changes/declared-symbols.ts linesOutside": (text) => linesOutside(linesIn(text), [{ spans: [[1, 1]] }]),
	"changes/declared-symbols.ts declaredSymbols": (text) => declaredSymbols(treeOf(text), linesIn(text)),
	"changes/declared-symbols.ts kindWord": (text) => kindWord({ kind: "class", text }),
	"changes/reaching-tests.ts ReachingTests.causesOf": (text) => {
		const reached = new ReachingTests(() => Promise.resolve([]));
		reached.cases.set("a.go", new Set(["TestA"]));
		return reached.causesOf("a.go", text);
	},
	"changes/go-methods.ts isGoMethod": (text) => isGoMethod("a.go", { text }),
	"changes/go-methods.ts calledByText": (text) => calledByText({ lines: linesIn(text) }, "Name"),
	"changes/named-users.ts membersIn": (text) => [membersIn(text, "a"), membersIn("a(", text.slice(0, 1000))],
	"changes/named-users.ts sharedIn": (text) => [sharedIn(text), sharedIn(`${"tests/".repeat(50)}${text}`)],
	"project/test-functions.ts marksTest": (text) => ["/a.rs", "/a.java", "/a.cs"].map((path) => marksTest(path, text)),
	"project/test-functions.ts isTestFunction": (text) => [
		isTestFunction("/a.rs", "a.b", text, false),
		isTestFunction("/a.cs", text, text, true),
	],
	"impact/declarations.ts declarationsOf": (text) => declarationsOf("/a.ts", text),
	"impact/hunks.ts hunksBetween": (text) => [
		hunksBetween(text, text.slice(9)),
		hunksBetween(text, [...text.slice(0, 200_000)].reverse().join("")),
	],
	"impact/hunks.ts equalEnds": (text) => equalEnds(linesIn(text), linesIn(text).slice(1)),
	"planning/merge.ts mergeTexts": (text) => [
		mergeTexts(text, text.slice(9), `${text}a`),
		mergeTexts(text, [...text.slice(0, 200_000)].reverse().join(""), "other\n"),
	],
	"planning/symbols/indent-code.ts unitOf": (text) => unitOf(text),
	"planning/symbols/indent-code.ts indentCode": (text) => [
		indentCode(text, { indent: "\t", unit: "  " }),
		indentCode(`\t${text}`, { indent: "    ", unit: "  " }),
	],
	"planning/symbols/symbol-span.ts spanInLines": (text) => spanInLines(text, text.length >> 1, text.length - 9),
	...Object.fromEntries(
		[replaceSymbol, insertBefore, insertAfter, deleteSymbol].map((work) => [
			`planning/symbols/place-code.ts ${work.name}`,
			(text: string) => {
				const span = spanInLines(text, text.length >> 1, text.length - 9);
				return work({ text, span, isPython: false }, { text, kept: new Set<number>(), begins: "code" });
			},
		]),
	),
	"planning/find-text.ts replaceText": (text) => [
		refusedName(() => replaceText(text, text.slice(9, 5000), text, "a.ts")),
		refusedName(() => replaceText(text, ` ${text}`, text, "a.ts")),
	],
	"planning/find-text.ts replacePiece": (text) => replacePiece(text, { line: 1 }, text),
	"planning/new-text.ts planReplaced": (text) => [
		planReplaced(treeWith(text), "a.ts", { piece: { line: 1 }, next: text }, "a.ts").catch(() => {}),
		planReplaced(treeWith(text), "a.ts", { old: text.slice(1, 3000), next: text }, "a.ts").catch(() => {}),
	],
	"planning/patch.ts planPatch": (text) => [
		planPatch(text, treeWith(text), String).catch(() => {}),
		planPatch(`--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-${linesIn(text)[0]}\n+b\n`, treeWith(text), String).catch(
			() => {},
		),
	],
	"planning/text-edits.ts replaceAll": (text) =>
		replaceAll(text, [{ start: 1, end: text.length - 1, text: text.slice(9) }]),
	"planning/text-edits.ts replacementsOf": (text) =>
		replacementsOf(text, [{ range: { start: position, end: position }, newText: text }], "utf-8", "a.ts"),
	"planning/text-edits.ts textEditsOf": (text) => textEditsOf([{ start: 0, end: text.length, text }], text, "utf-8"),
	"planning/text-edits.ts withLineEndsOf": (text) => [
		withLineEndsOf(text, text),
		withLineEndsOf("\r\n", text),
		withLineEndsOf(`\r\n${text}`, "\n"),
	],
	"operations/common/choose-action.ts actionCalled": (text) => [
		refusedName(() => actionCalled(text, [{ title: text }, { title: `${text}a` }], serverNamed)),
		refusedName(() => actionCalled("none", [{ title: text }], serverNamed)),
	],
	"project/indentation.ts indentationOf": (text) => indentationOf(text),
	"query/editorconfig.ts sectionsOf": (text) => sectionsOf(text),
	"watch/globs.ts globTest": (text) => globTest(text)?.("src/a.ts"),
	"operations/common/new-name.ts requireName": (text) => [
		refusedName(() => requireName("a", text, "typescript")),
		refusedName(() => requireName(text, "b", "typescript")),
	],
};

function reportOf(text: string): CheckReport {
	const diagnostics = diagnosticsOf(text)
		.slice(0, 2)
		.map((item) => ({ ...item, code: text }));
	const file = { path: text, role: "edited", state: "timed_out", reason: text, diagnostics } as const;
	return { files: [file], servers: [], omitted: { diagnostics: 0, files: 0 } };
}

function contextOf(text: string): FormatContext {
	return { version: "1", ms: 1, fromTop: (path) => path, sourceLine: () => text, hash: (all) => hashOf(all, 32) };
}

/** The part of a question that a refused title needs. */
const serverNamed = { server: { config: { id: "a" } } } as unknown as FileQuery;

/** A refused name is right here. */
function refusedName(call: () => void): boolean {
	try {
		call();
		return false;
	} catch {
		return true;
	}
}
