import type { Range } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/prepareRename";

type Prepared = Range | { readonly range: Range; readonly placeholder: string } | { readonly defaultBehavior: true };

const Output = t.object({
	possible: t.flag(),
	name: t.optional.text("What would be replaced"),
	line: t.optional.integer(),
	column: t.optional.integer(),
	reason: t.optional.text("Why not, as the server says it"),
});

export type PreparedRename = ValueOf<typeof Output>;

export const prepareRename = definePointed({
	name: "prepare_rename",
	title: "Whether a symbol can be renamed",
	description:
		"Whether the server would rename what stands at a place, what it is called now, and where it stands; or why it would not: a keyword, a name of a library.",
	aliases: [agentLsp.prepareRename],
	requests: [method],
	output: Output.properties,
	options: { isEmpty: ({ possible }) => !possible },
	example: {
		input: { file: "src/greet.ts", symbol: "greet" },
		output: { possible: true, name: "greet", line: 1, column: 17 },
	},
	answer: (query, pointer) => renameRange(query, pointer),
	render({ possible, name, line, column, reason }) {
		if (!possible) return `It cannot be renamed${reason === undefined ? "." : `: ${reason}`}`;
		return name === undefined ? "It can be renamed." : `${name} at ${line}:${column} can be renamed.`;
	},
});

export async function renameRange(query: FileQuery, pointer: Pointer): Promise<PreparedRename> {
	await query.position(pointer);
	const found = await query.request<Prepared | null>(method, pointer).catch(reasonOf);
	if (typeof found === "string") return { possible: false, reason: found };
	if (found === null) return { possible: false };
	if ("defaultBehavior" in found) return { possible: true };
	const range = "range" in found ? found.range : found;
	const { line, column } = query.toSpot(range.start);
	const end = query.toSpot(range.end);
	const name = "placeholder" in found ? found.placeholder : query.lines[line - 1]?.slice(column - 1, end.column - 1);
	return { possible: true, ...(name === undefined ? {} : { name }), line, column };
}

function reasonOf(thrown: unknown): string {
	const cause = thrown instanceof LspError && thrown.code === "LSP_SERVER_ERROR" ? thrown.cause : undefined;
	if (cause instanceof Error) return cause.message;
	throw thrown;
}
