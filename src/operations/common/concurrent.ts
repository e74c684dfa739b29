import type { CallHierarchyItem } from "vscode-languageserver-protocol";
import { t, type ValueOf } from "../../contract/schema.ts";
import type { ConcurrentCaller } from "../../query/concurrent-callers.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";
import { functionsAt, prepareCalls } from "./call-hierarchy.ts";
import { defaultLimit, type ReachInput, Root } from "./hierarchy.ts";

const Start = t.object({
	path: t.text(),
	line: t.integer(),
	column: t.integer(),
	endColumn: t.optional.integer(),
	text: t.optional.text(),
	test: t.optional.flag("In a file of tests"),
	how: t.text("What starts it: `go`, `threading.Thread`, `setTimeout`"),
	through: t.optional.text("The function started there that leads to the symbol"),
	caller: t.optional(Root),
});

export const Concurrent = t.object({
	starts: t.list(Start),
	omitted: t.integer("How many were found and left out"),
	unfollowed: t.optional.integer("How many functions on the way were not followed"),
	unread: t.optional.texts("Files with uses whose syntax was not read: no grammar, or too long"),
});

export type Concurrent = ValueOf<typeof Concurrent>;

/** None for a field, or from a server without call hierarchy. */
export async function itemsAt(query: FileQuery, pointer: Pointer): Promise<readonly CallHierarchyItem[]> {
	return query.server.offers(prepareCalls) ? functionsAt(query, pointer) : [];
}

/** On another goroutine, thread, task or worker; of a field too. */
export async function concurrentStarts(
	query: FileQuery,
	pointer: Pointer,
	{ depth = 1, limit = defaultLimit }: ReachInput,
): Promise<Concurrent> {
	const isFunction = !query.server.offers(prepareCalls) || (await itemsAt(query, pointer)).length > 0;
	const { found, unread, unfollowed } = await query.concurrentCallers(pointer, { depth, isFunction });
	return {
		starts: found.slice(0, limit).map(startOf),
		omitted: Math.max(found.length - limit, 0),
		...(unfollowed > 0 ? { unfollowed } : {}),
		...(unread.length > 0 ? { unread: [...unread] } : {}),
	};
}

function startOf({ caller, path, line, column, endColumn, text, test, how, through }: ConcurrentCaller) {
	return {
		...{ path, line, column, endColumn, how },
		...(text === undefined ? {} : { text }),
		...(test ? { test } : {}),
		...(through === undefined ? {} : { through }),
		...(caller ? { caller: rootOf(path, caller) } : {}),
	};
}

function rootOf(path: string, { name, kind, line, column, start, end }: NonNullable<ConcurrentCaller["caller"]>): Root {
	const body = { ...start, endLine: end.line, endColumn: end.column };
	const last = name.slice(name.lastIndexOf(".") + 1);
	return { name, kind, path, line, column, endLine: line, endColumn: column + last.length, body };
}
