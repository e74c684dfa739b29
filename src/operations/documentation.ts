import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { At, File } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";
import { hover } from "./hover.ts";

const languages = ["go", "python", "rust"] as const;

const Output = t.object({
	text: t.text("Empty where there is no documentation"),
	from: t.oneOf(["server", "toolchain", "none"], "Where the text comes from"),
	command: t.optional.text("What the toolchain was asked with"),
	reason: t.optional.text("Why it says nothing, in its own words"),
});

export type Documentation = ValueOf<typeof Output>;

export const documentation = defineOperation({
	name: "documentation",
	title: "Documentation of a symbol",
	description:
		"What the language server says of a symbol, and where that is nothing, what the toolchain says: `go doc`, `pydoc`, the installed pages of Rust's libraries. Knows symbols of libraries that no file here uses, by their full names.",
	effect: "read",
	aliases: [agentLsp.documentation],
	requests: ["textDocument/hover"],
	input: t.object({
		file: t.optional(File),
		symbol: t.optional.text("Its name, or its full name as fmt.Println, os.path.join, std::vec::Vec"),
		line: At.line,
		column: At.column,
		language: t.optional.oneOf(languages, "Whose toolchain is asked, if no file says it"),
		toolchain: t.optional.flag("Ask the toolchain without asking the server first"),
	}),
	output: Output,
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: { text: "```typescript\n(alias) function greet(name: string): string\n```\nSays hello.", from: "server" },
	},
	async run({ file, symbol, line, column, language, toolchain = false }, on): Promise<Documentation> {
		if (file === undefined && (language === undefined || symbol === undefined))
			throw new LspError("LSP_INVALID_INPUT", "documentation: give a file, or a symbol and its language.");
		if (file !== undefined && !toolchain) {
			const pointer = { symbol, line, column };
			const given = Object.fromEntries(Object.entries(pointer).filter(([, value]) => value !== undefined));
			const text = await serverText(() => hover.run({ file, ...given } as never, on), symbol);
			if (text !== "") return { text, from: "server" };
		}
		if (symbol === undefined) return { text: "", from: "none" };
		const { text, ...asked } = await on.toolchainDocs(symbol, { file, language });
		return text === undefined ? { text: "", from: "none", ...asked } : { text, from: "toolchain", ...asked };
	},
	render: ({ text, from, command }) =>
		from === "none"
			? `Neither the language server nor its toolchain has documentation${command ? ` (${command})` : ""}.`
			: text,
});

async function serverText(ask: () => Promise<unknown>, symbol: string | undefined): Promise<string> {
	try {
		return ((await ask()) as { readonly text?: string }).text ?? "";
	} catch (thrown) {
		const elsewhere = ["LSP_SYMBOL_NOT_FOUND", "LSP_SERVER_UNAVAILABLE", "LSP_UNSUPPORTED_REQUEST"];
		if (symbol !== undefined && thrown instanceof LspError && elsewhere.includes(thrown.code)) return "";
		throw thrown;
	}
}
