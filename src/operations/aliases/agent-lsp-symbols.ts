import { Type } from "@sinclair/typebox";
import { defineAlias } from "../../operation.ts";
import { oneOf } from "../inputs.ts";
import { at, file, place, profile, type Range, range } from "./agent-lsp.ts";

/** The tools of specs/agent-lsp-tool-reference.md that are asked by a name or about a whole file, and about servers. */

interface Found extends Range {
	readonly symbol: string;
	readonly kind: string;
	readonly path: string;
}

export const workspaceSymbols = defineAlias({
	profile,
	name: "get_workspace_symbols",
	description: "Symbols of the whole workspace by name.",
	input: Type.Object({
		query: Type.Optional(Type.String({ description: "Search string; all symbols without it" })),
	}),
	toInput: ({ query = "" }) => ({ query, limit: 1000 }),
	toOutput: ({ symbols }: { readonly symbols: readonly Found[] }, _given, reader) =>
		symbols.map(({ symbol, kind, path, line, column = 1, endLine = line, endColumn = column }) => ({
			name: symbol.split(".").at(-1),
			kind: reader.symbolKind(kind),
			location: { uri: reader.uri(path), range: range({ line, column, endLine, endColumn }) },
		})),
});

export const find = defineAlias({
	profile,
	name: "go_to_symbol",
	description: "Where a symbol is defined, by its dotted path.",
	input: Type.Object({
		symbol_path: Type.String({ description: "Dot-notation symbol path, e.g. MyClass.method" }),
	}),
	toInput: ({ symbol_path: symbol }) => ({ symbol }),
	toOutput: ({ candidates }: { readonly candidates: readonly Found[] }, _given, { absolute }) =>
		candidates.slice(0, 1).map(({ symbol, path, line, column = 1 }) => ({
			file: absolute(path),
			line,
			column,
			end_line: line,
			end_column: column + (symbol.split(".").at(-1) ?? "").length,
		})),
});

interface Source {
	readonly symbol?: string;
	readonly kind?: string;
	readonly line?: number;
	readonly endLine?: number;
	readonly source: string;
}

export const source = defineAlias({
	profile,
	name: "get_symbol_source",
	description: "The source of the innermost symbol that holds a position.",
	input: Type.Object({
		...place.properties,
		character: Type.Optional(Type.Integer({ minimum: 1, description: "The same as column (1-based)" })),
	}),
	toInput: ({ character, ...given }) => ({
		...at(character === undefined ? given : { column: character, ...given }),
		limit: 10_000,
	}),
	toOutput: ({ symbol = "", kind = "", line, endLine, source: text }: Source) => ({
		symbol_name: symbol.split(".").at(-1),
		symbol_kind: kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
		start_line: line,
		end_line: endLine,
		source: text,
	}),
});

export const documentation = defineAlias({
	profile,
	name: "get_symbol_documentation",
	description: "Documentation of a named symbol from the toolchain: go doc, pydoc, the pages of Rust's libraries.",
	input: Type.Object({
		symbol: Type.String({ description: "Fully-qualified symbol name, e.g. fmt.Println" }),
		language_id: oneOf(["go", "python", "rust"], "Language identifier"),
		file_path: Type.Optional(Type.String({ description: "Absolute path to any file of the project" })),
		format: Type.Optional(oneOf(["text", "markdown"], "Whether the signature is fenced", { default: "text" })),
	}),
	toInput: ({ symbol, language_id, file_path: path }) => ({
		symbol,
		language: language_id,
		toolchain: true,
		...(path === undefined ? {} : { file: path }),
	}),
	toOutput({ text, from }: { readonly text: string; readonly from: string }, { symbol, language_id, format }) {
		const [signature = ""] = text.split("\n");
		const found = from === "toolchain";
		return {
			symbol,
			language: language_id,
			source: found ? "toolchain" : "error",
			doc: found ? text : "",
			signature: found && format === "markdown" ? `\`\`\`${language_id}\n${signature}\n\`\`\`` : found ? signature : "",
			error: found ? "" : "the toolchain says nothing of it",
		};
	},
});

export const testsFor = defineAlias({
	profile,
	name: "get_tests_for_file",
	description: "The test files of a source file.",
	input: Type.Object(file),
	toInput: ({ file_path: path }) => ({ file: path, limit: 1000 }),
	toOutput: (
		{ tests }: { readonly tests: readonly { readonly path: string }[] },
		{ file_path: path },
		{ absolute },
	) => ({
		source_file: path,
		test_files: tests.map((each) => absolute(each.path)),
	}),
});

interface Abilities {
	readonly servers: readonly {
		readonly server: string;
		readonly version?: string;
		readonly supported: readonly string[];
		readonly unsupported: readonly string[];
		readonly offers: readonly string[];
	}[];
}

export const capabilities = defineAlias({
	profile,
	name: "get_server_capabilities",
	description: "What the running language servers of the workspace support, by the names of these tools.",
	input: Type.Object({}),
	toInput: () => ({}),
	toOutput({ servers }: Abilities, _given, reader) {
		const [first] = servers;
		const supported = new Set(servers.flatMap((each) => each.supported));
		const unsupported = new Set(servers.flatMap((each) => each.unsupported).filter((name) => !supported.has(name)));
		const offers = servers.flatMap((each) => each.offers.map((name) => [`${name}Provider`, true] as const));
		return {
			...(first ? { server_name: first.server } : {}),
			...(first?.version === undefined ? {} : { server_version: first.version }),
			supported_tools: reader.names(profile, (name) => !unsupported.has(name)),
			unsupported_tools: reader.names(profile, (name) => unsupported.has(name)),
			capabilities: Object.fromEntries(offers),
		};
	},
});
