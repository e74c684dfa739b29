import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import type { Context } from "../context.ts";
import { file, language, profile, tokenSavings } from "./agent-lsp.ts";
import { inputFrom } from "./input-from.ts";

export const context = defineAlias({
	profile,
	name: "get_editing_context",
	description: "What to know before an edit of a file: its symbols with signatures, callers, callees and imports.",
	input: t.object({ ...file, ...language, if_none_match: t.optional.text("The etag of an earlier answer") }),
	toInput: inputFrom({ file: "file_path", if_none_match: "if_none_match" }),
	toOutput(found: Context, { file_path: path }, { absolute }) {
		const { tag: etag, unchanged, symbols = [], imports = [], callers = [], callees = [], characters } = found;
		if (unchanged) return { file: path, etag, not_modified: true };
		const answer = {
			file: path,
			etag,
			symbols: symbols.map(({ symbol, kind, line, endLine, signature = "" }) => ({
				name: symbol,
				kind,
				start_line: line,
				end_line: endLine,
				signature,
			})),
			callers: callers.map(({ symbol, files }) => ({
				symbol,
				non_test: counted(files, false, absolute),
				test: counted(files, true, absolute),
			})),
			callees: callees.map(({ path: callee, symbol, line }) => ({ symbol, file: absolute(callee), line })),
			imports,
		};
		return { ...answer, _meta: tokenSavings(characters, answer) };
	},
	toMeta: (_, answer) => (answer as { readonly _meta?: object })._meta,
});

type Files = NonNullable<Context["callers"]>[number]["files"];

function counted(files: Files, tests: boolean, absolute: AliasContext["absolute"]) {
	return files
		.filter(({ test = false }) => test === tests)
		.map(({ path, count }) => ({ file: absolute(path), references: count }));
}
