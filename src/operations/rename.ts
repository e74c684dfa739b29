import type { Location, WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import type { DocumentSymbolEntry } from "../query/document-symbols.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { writtenText } from "../render/answers/written.ts";
import { count } from "../render/count.ts";
import { At } from "./common/inputs.ts";
import { requireName } from "./common/new-name.ts";
import { pointerOf } from "./common/parse-pointer.ts";
import { changeInput, exitCodeOfWritten, ReturnEdit, ReturnedEdit, writtenAnswer } from "./common/written.ts";
import { renameSymbol } from "./compat/agent-lsp-changes.ts";
import { renameRange } from "./prepare-rename.ts";

const method = "textDocument/rename";
const { file, symbol, line, column, pattern, end_line } = At;

const Output = t.object({
	...Written,
	old_name: t.text(),
	edit: ReturnedEdit,
	places: t.integer("How many places are changed"),
});

export const rename = defineOperation({
	name: "rename",
	title: "Rename a symbol",
	description:
		"Renames a symbol in all files or in none; unlike sed it tells equal names apart and follows imports. Shows the diff, new errors, and what undoes it.",
	effect: "write",
	core: true,
	requests: [method],
	aliases: [renameSymbol],
	input: t.object({
		file,
		symbol,
		new_name: t.text("The new name"),
		line,
		column,
		pattern,
		end_line,
		...changeInput,
		exclude: t.optional.texts("Globs of files that stay as they are"),
		confirm: t.optional.flag("Also do what the server wants to be confirmed"),
		return_edit: ReturnEdit,
	}),
	output: Output,
	positional: ["file", "symbol", "new_name"],
	example: {
		input: { file: "src/greet.ts", symbol: "greet", new_name: "welcome" },
		output: {
			old_name: "greet",
			places: 3,
			written: ["src/app.ts", "src/greet.ts"],
			diff: "--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1,1 +1,1 @@\n-export function greet(): void {}\n+export function welcome(): void {}\n",
			undo: "u7",
			check: {
				files: [{ path: "src/greet.ts", role: "edited", state: "fresh", diagnostics: [] }],
				servers: [],
				omitted: { diagnostics: 0, files: 0 },
			},
		},
	},
	async run({ file, symbol, new_name: newName, dry_run: dryRun, exclude, confirm, return_edit, ...position }, on) {
		const isNamed = symbol !== undefined && position.line === undefined;
		const pointer: Pointer = isNamed ? pointerOf(symbol) : { ...position, ...(symbol === undefined ? {} : { symbol }) };
		return on.ask({ file, whole: true }, async (query) => {
			query.server.require(method);
			// For `requireFree`; the server answers both at once.
			query.allSymbols().catch(() => {});
			const oldName = await nameAt(query, pointer);
			requireName(oldName, newName, query.document.languageId);
			await requireFree(query, pointer, newName);
			const [answer, unseen] = await Promise.all([
				query.request<WorkspaceEdit | null>(method, pointer, { newName }),
				referringFiles(query, pointer),
			]);
			const required = await query.requiredUses(pointer);
			const edit = answer && (await on.edits.withRequiredUses(answer, required, newName));
			const { busy } = query.server.readiness;
			if (busy !== undefined)
				throw new LspError(
					"LSP_FILE_NOT_INDEXED",
					`${query.server.config.id} is still busy (${busy}) and might miss places.`,
				);
			const isEmpty = !edit || (!edit.documentChanges?.length && Object.keys(edit.changes ?? {}).length === 0);
			if (isEmpty) throw refused(`${query.server.config.id} found nothing to rename at ${oldName}.`);
			const title = `rename ${oldName} → ${newName}`;
			const options = { title, exclude, confirmed: confirm, dryRun };
			const answered = return_edit ? await on.edits.answer(query, [edit], options) : undefined;
			const planned = answered ?? (await on.edits.plan(query, [edit], options));
			const right = required.uses.map(({ location }) => query.displayUri(location.uri));
			const known = new Set([...Object.keys(planned.places), ...planned.excluded, ...planned.planned.files, ...right]);
			const left = unseen.filter((path) => !known.has(path));
			const notes =
				left.length > 0 ? [`The server does not rename it in ${left.join(", ")}, which refer to it too.`] : [];
			const places = Object.values(planned.places).reduce((sum, each) => sum + each, 0);
			const returned = answered ? { edit: answered.edit } : {};
			return { ...writtenAnswer(planned, notes), old_name: oldName, places, ...returned };
		});
	},
	render(output, { new_name: newName }) {
		const { old_name: oldName, places, written, planned } = output;
		const files = written.length || (planned?.files.length ?? 0);
		const where = `${count(places, "place", "places")} in ${count(files, "file", "files")}`;
		return writtenText(`renamed ${oldName} → ${newName} · ${where}`, output);
	},
	exitCode: exitCodeOfWritten,
});

/** Rejects with LSP_EDIT_REFUSED if the server would not rename it. */
async function nameAt(query: FileQuery, pointer: Pointer): Promise<string> {
	const position = await query.position(pointer);
	const { line, column } = query.toSpot(position);
	const text = query.lines[line - 1] ?? "";
	const before = /[\p{L}\p{M}\p{N}\p{Pc}$]*$/u.exec(text.slice(0, column - 1))?.[0] ?? "";
	const word = before + (/^[#@$]?[\p{L}\p{M}\p{N}\p{Pc}$]*/u.exec(text.slice(column - 1))?.[0] ?? "");
	if (!query.server.offers("textDocument/prepareRename")) return word;
	const prepared = await renameRange(query, pointer);
	if (prepared.possible) {
		const { name = word, line: itsLine = line, column: itsColumn = column } = prepared;
		// TypeScript takes `import` for what is imported; a private name may begin behind its `#`.
		const isHere = itsLine === line && itsColumn <= column + 1;
		if (pointer.symbol === undefined || pointer.column !== undefined || isHere) return name;
		throw refused(`${word || "This place"} is no name; the server would rename ${name} at ${itsLine}:${itsColumn}.`);
	}
	throw refused(`${word || "This place"} cannot be renamed${prepared.reason ? `: ${prepared.reason}` : "."}`);
}

/** Servers would make two symbols of one name. */
async function requireFree(query: FileQuery, pointer: Pointer, newName: string): Promise<void> {
	const { line, column } = query.toSpot(await query.position(pointer));
	const isMeant = ({ at }: DocumentSymbolEntry) => at.line === line && at.column === column;
	const siblings = (symbols: readonly DocumentSymbolEntry[]): readonly DocumentSymbolEntry[] =>
		symbols.some(isMeant) ? symbols : symbols.flatMap(({ children }) => siblings(children));
	const taken = siblings(await query.allSymbols()).find(({ path }) => path.split(".").at(-1) === newName);
	if (taken)
		throw refused(
			`${newName} is declared already, on line ${taken.at.line} of ${query.displayPath(query.document.path)}.`,
		);
}

async function referringFiles(query: FileQuery, pointer: Pointer): Promise<readonly string[]> {
	const references = "textDocument/references";
	if (!query.server.offers(references)) return [];
	const context = { includeDeclaration: true };
	const found = await query.request<Location[] | null>(references, pointer, { context }).catch(() => null);
	const paths = (found ?? []).filter(({ uri }) => query.isOwn(uri)).map(({ uri }) => query.displayUri(uri));
	return [...new Set(paths)].sort();
}

function refused(message: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", message, { suggestion: "Nothing was written." });
}
