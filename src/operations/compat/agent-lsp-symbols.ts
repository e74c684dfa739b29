import { Type } from "@sinclair/typebox";
import { describeError, type ErrorCode, LspError } from "../../contract/errors.ts";
import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { symbolKindNumber } from "../../contract/protocol-kinds.ts";
import { t } from "../../contract/schema.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Documentation } from "../documentation.ts";
import type { Candidates } from "../find.ts";
import type { Source } from "../source.ts";
import type { FileTests } from "../tests-for.ts";
import type { WorkspaceSymbols } from "../workspace-symbols.ts";
import { file, lspRange, pascalCase, position, positionInput, profile, tokenSavings } from "./agent-lsp.ts";
import { inputFrom } from "./input-from.ts";
import { skillOperations } from "./skill-operations.ts";

const window = { limit: 3, offset: 0 };

export const workspaceSymbols = defineAlias({
	profile,
	name: "get_workspace_symbols",
	alsoNamed: ["find_symbol"],
	description: "Symbols of the whole workspace by name.",
	input: t.object({
		query: t.optional.text("Search string; all symbols without it"),
		detail_level: t.optional.oneOf(["basic", "hover"], "`hover`: with documentation of the symbols from offset on", {
			default: "basic",
		}),
		limit: t.optional.integer("With hover: of how many symbols", { minimum: 0, default: window.limit }),
		offset: t.optional.integer("With hover: from which symbol on", { minimum: 0, default: window.offset }),
	}),
	toInput: ({ query = "", detail_level: detail, limit = window.limit, offset = window.offset }) => ({
		query,
		limit: 10_000,
		...(detail === "hover" ? { hover: limit, hover_offset: offset } : {}),
	}),
	toOutput({ symbols: found, total }: WorkspaceSymbols, given, context) {
		const symbols = found.map((each) => toSymbolInformation(each, context));
		if (given.detail_level !== "hover") return symbols;
		const { limit = window.limit, offset = window.offset } = given;
		const enriched = found.slice(offset).map((each) => ({
			...toSymbolInformation(each, context),
			...(each.hover === undefined ? {} : { hover: each.hover }),
		}));
		const pagination = { offset, limit, more: enriched.length > limit };
		return { total, symbols, enriched: enriched.slice(0, limit), pagination };
	},
});

function toSymbolInformation(
	{ symbol, kind, path, ...range }: WorkspaceSymbols["symbols"][number],
	{ uri }: AliasContext,
) {
	const names = symbol.split(".");
	return {
		name: names.at(-1),
		kind: symbolKindNumber(kind),
		...(names.length > 1 ? { containerName: names.slice(0, -1).join(".") } : {}),
		location: { uri: uri(path), range: lspRange(range) },
	};
}

export const find = defineAlias({
	profile,
	name: "go_to_symbol",
	description: "Where a symbol is defined, by its dotted path.",
	input: t.object({
		symbol_path: t.text("Dot-notation symbol path, e.g. MyClass.method"),
		workspace_root: t.optional.text("Restrict search to a specific workspace root"),
		language: t.optional.text("Filter candidates by language ID"),
	}),
	toInput: inputFrom({ symbol: "symbol_path", directory: "workspace_root", language: "language" }),
	toOutput: ({ candidates }: Candidates, _given, { absolute }) =>
		candidates.slice(0, 1).map(({ symbol, path, line, column = 1 }) => ({
			file: absolute(path),
			line,
			column,
			end_line: line,
			end_column: column + (symbol.split(".").at(-1) ?? "").length,
		})),
});

export const source = defineAlias({
	profile,
	name: "get_symbol_source",
	description: "The source of the innermost symbol that holds a position.",
	input: t.object({ ...position.properties, character: t.optional.positive("The same as column (1-based)") }),
	toInput: ({ character, ...given }) => ({
		...positionInput(character === undefined ? given : { column: character, ...given }),
		limit: 10_000,
	}),
	toOutput({ symbol = "", kind = "", line, endLine, source: text }: Source) {
		if (symbol === "") throw new LspError("LSP_SYMBOL_NOT_FOUND", "No symbol holds this position.");
		return {
			symbol_name: symbol.split(".").at(-1),
			symbol_kind: pascalCase(kind),
			start_line: line,
			end_line: endLine,
			source: text,
		};
	},
	toMeta: ({ characters }, answer) => tokenSavings(characters, answer),
});

const answeredErrors: readonly ErrorCode[] = [
	"LSP_INVALID_INPUT",
	"LSP_PREREQUISITE_MISSING",
	"LSP_SERVER_UNTRUSTED",
	"LSP_SERVER_TIMEOUT",
];

export const documentation = defineAlias({
	profile,
	name: "get_symbol_documentation",
	description: "Documentation of a named symbol from the toolchain: go doc, pydoc, the pages of Rust's libraries.",
	input: t.object({
		symbol: t.text("Fully-qualified symbol name, e.g. fmt.Println"),
		language_id: Type.Unsafe<"go" | "python" | "rust">(t.text("Language identifier: go, rust, python")),
		file_path: t.optional.text("Absolute path to any file of the project"),
		format: t.optional.oneOf(["text", "markdown"], "Whether the signature is fenced", { default: "text" }),
	}),
	toInput: inputFrom({ symbol: "symbol", language: "language_id", file: "file_path" }, { toolchain: true }),
	toOutput({ text, from, reason }: Documentation, { symbol, language_id, format }) {
		if (from !== "toolchain") return undocumented(symbol, language_id, reason ?? "the toolchain says nothing of it");
		// go doc and pydoc begin with the package or the help.
		const line = text.split("\n").find((each) => each.trim() !== "" && !/^(?:package|Help on) /.test(each)) ?? "";
		// Rust's pages begin with a function's first version.
		const declared = line.replace(/^\d+\.\d+\.\d+[^·]*· /, "");
		const signature = format === "markdown" ? `\`\`\`${language_id}\n${declared}\n\`\`\`` : declared;
		return { symbol, language: language_id, source: "toolchain", doc: text, signature, error: "" };
	},
	toFailed: ({ code, message, details }, { symbol, language_id }) =>
		answeredErrors.includes(code)
			? undocumented(symbol, language_id, describeError(new LspError(code, message, details)))
			: undefined,
});

function undocumented(symbol: string, language: string, error: string) {
	return { symbol, language, source: "error", doc: "", signature: "", error };
}

export const testsFor = defineAlias({
	profile,
	name: "get_tests_for_file",
	description: "The test files of a source file.",
	input: t.object(file),
	toInput: inputFrom({ file: "file_path" }, { limit: 1000 }),
	toOutput: ({ tests }: FileTests, { file_path: path }, { absolute }) => ({
		source_file: path,
		test_files: tests.map((each) => absolute(each.path)),
	}),
});

export const capabilities = defineAlias({
	profile,
	name: "get_server_capabilities",
	description: "What the running language servers of the workspace support, by the names of these tools.",
	input: t.object({}),
	toInput: inputFrom({}),
	toOutput({ servers }: Capabilities, _given, { names }) {
		const [first] = servers;
		const supported = new Set(servers.flatMap((each) => each.supported));
		const unsupported = new Set(servers.flatMap((each) => each.unsupported).filter((name) => !supported.has(name)));
		const offers = servers.flatMap(({ offers, options = {} }) =>
			offers.map((name) => [`${name}Provider`, options[name] ?? true] as const),
		);
		return {
			...(first ? { server_name: first.server } : {}),
			...(first?.version === undefined ? {} : { server_version: first.version }),
			...(servers.length > 1
				? { servers: servers.map(({ server, version }) => ({ server_name: server, server_version: version ?? null })) }
				: {}),
			supported_tools: names(profile, (name) => !unsupported.has(name)),
			unsupported_tools: names(profile, (name) => unsupported.has(name)),
			capabilities: Object.fromEntries(offers),
			skills: Object.entries(skillOperations).map(([name, needed]) => {
				const missing = needed.split(" ").filter((operation) => unsupported.has(operation));
				if (missing.length === 0) return { name, status: "supported" };
				const tools = missing.flatMap((operation) => {
					const own = names(profile, (each) => each === operation);
					return own.length > 0 ? own : [operation];
				});
				return { name, status: "partial", missing_optional: tools };
			}),
		};
	},
});
