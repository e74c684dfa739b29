import type { CompletionItem, CompletionList, Position, Range } from "vscode-languageserver-protocol";
import { CompletionItemTag, completionKind } from "../contract/protocol-kinds.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { oneLine } from "../render/escape.ts";
import { page } from "./common/inputs.ts";
import { definePointed } from "./common/pointed.ts";
import { byCodeUnit } from "./common/rank-names.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/completion";
const defaultLimit = 40;

const Item = t.object({
	label: t.text(),
	kind: t.text(),
	detail: t.optional.text(),
	insert: t.optional.text("What would be written, if it is not the label"),
	column: t.optional.integer("From which column on it replaces what stands there, if not from the name's first"),
	documentation: t.optional.text(),
	deprecated: t.optional.flag(),
});

const Output = t.object({
	items: t.list(Item),
	total: t.integer(),
	partial: t.optional.flag("The server has more; a longer beginning of the name finds them"),
});

export type Completion = ValueOf<typeof Output>;

export const completion = definePointed({
	name: "completion",
	title: "Completions at a position",
	description:
		"The members of an object, the exports of a module, the names in scope, as the compiler knows them. Point behind the dot (a pattern such as `user.@@`); of a symbol the end of its name counts, and what begins with it is listed.",
	aliases: [agentLsp.completion],
	requests: [method],
	input: {
		kinds: t.optional.texts("Only these: method, function, property, field, class, keyword, …"),
		...page(defaultLimit, "items"),
	},
	output: Output.properties,
	options: { isEmpty: ({ total }) => total === 0 },
	example: {
		input: { file: "src/app.ts", pattern: "user.@@" },
		output: {
			items: [
				{ label: "greet", kind: "method", detail: "(method) User.greet(): string" },
				{ label: "name", kind: "property" },
			],
			total: 2,
		},
	},
	async answer(query, pointer, { kinds, limit = defaultLimit, offset = 0 }) {
		const nameEnd = await nameEndOf(query, pointer);
		const found = await query.request<CompletionList | CompletionItem[] | null>(method, nameEnd);
		const items = Array.isArray(found) ? found : (found?.items ?? []);
		const position = await query.position(nameEnd);
		const wanted = items
			.filter((item) => continuesText(query, item, position))
			.filter(({ kind }) => kinds === undefined || kinds.includes(completionKind(kind)))
			.sort((a, b) => byCodeUnit(a.sortText ?? a.label, b.sortText ?? b.label));
		return {
			items: wanted.slice(offset, offset + limit).map((item) => toItem(query, item, position)),
			total: wanted.length,
			...(!Array.isArray(found) && found?.isIncomplete ? { partial: true } : {}),
		};
	},
	render({ items, total, partial }, { offset = 0 }) {
		if (total === 0) return "Nothing to complete.";
		const rest = total - offset - items.length;
		const byKind = new Map<string, (typeof items)[number][]>();
		for (const item of items) byKind.set(item.kind, [...(byKind.get(item.kind) ?? []), item]);
		return [
			...[...byKind].flatMap(([kind, group]) => [
				`${kind}:`,
				...group.map(
					({ label, detail, deprecated }) =>
						`  ${oneLine(label)}${detail ? `  ${oneLine(detail)}` : ""}${deprecated ? "  (deprecated)" : ""}`,
				),
			]),
			...(rest > 0 ? [`... and ${rest} more from offset ${offset + items.length} on`] : []),
			...(partial ? ["The server has more: give a longer beginning of the name."] : []),
		].join("\n");
	},
	next({ items, total }, given) {
		const offset = (given.offset ?? 0) + items.length;
		if (items.length === 0 || offset >= total) return undefined;
		return { operation: "completion", input: { ...given, offset }, why: `The other ${total - offset}` };
	},
});

async function nameEndOf(query: FileQuery, pointer: Pointer): Promise<Pointer> {
	if (pointer.symbol === undefined || pointer.pattern !== undefined) return pointer;
	const { line, column } = query.toSpot(await query.position(pointer));
	const rest = (query.lines[line - 1] ?? "").slice(column - 1);
	return { line, column: column + (/^[\p{L}\p{N}_$]*/u.exec(rest)?.[0].length ?? 0) };
}

function textBefore(query: FileQuery, position: Position): string {
	const { line, column } = query.toSpot(position);
	return (query.lines[line - 1] ?? "").slice(0, column - 1);
}

const nameAtEnd = /[\p{L}\p{N}_$]*$/u;

/** LSP leaves this filter to the client. */
function continuesText(query: FileQuery, { textEdit, filterText, label }: CompletionItem, position: Position): boolean {
	const before = textBefore(query, position);
	const range = textEdit && rangeOf(textEdit as { range?: Range; insert?: Range });
	const written = range ? before.slice(query.toSpot(range.start).column - 1) : (nameAtEnd.exec(before)?.[0] ?? "");
	const plain = (text: string) => text.toLowerCase().replace(/^[^\p{L}\p{N}_$]+/u, "");
	return plain(filterText ?? label).startsWith(plain(written));
}

function rangeOf({ range, insert }: { range?: Range; insert?: Range }): Range | undefined {
	return range ?? insert;
}

function toItem(query: FileQuery, item: CompletionItem, position: Position) {
	const { label, detail, documentation, tags, deprecated } = item;
	const { insert, column } = insertion(query, item, position);
	const text = typeof documentation === "string" ? documentation : documentation?.value;
	return {
		label: label.trim(),
		kind: completionKind(item.kind),
		...(detail ? { detail } : {}),
		...(insert !== undefined && insert !== label.trim() ? { insert } : {}),
		...(column === undefined ? {} : { column }),
		...(text ? { documentation: text.trim() } : {}),
		...(deprecated === true || tags?.includes(CompletionItemTag.Deprecated) ? { deprecated: true } : {}),
	};
}

function insertion(query: FileQuery, { insertText, textEdit }: CompletionItem, position: Position) {
	const range = textEdit && rangeOf(textEdit as { range?: Range; insert?: Range });
	if (!textEdit || !range) return { insert: insertText };
	const before = textBefore(query, position);
	const first = query.toSpot(range.start).column;
	const name = before.length - (nameAtEnd.exec(before)?.[0].length ?? 0);
	// TypeScript repeats the dot.
	const again = before.slice(first - 1, Math.max(name, first - 1));
	if (textEdit.newText.startsWith(again)) return { insert: textEdit.newText.slice(again.length) };
	return { insert: textEdit.newText, column: first };
}
