import type { OperationCall } from "../daemon/operation-context.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import { isInside } from "../util/paths.ts";
import { type ChangeScope, type FileChange, gitChanges } from "./git-changes.ts";
import type { OldReach } from "./reach.ts";
import { type ChangedFile, type ReadOptions, readChange } from "./read-changes.ts";
import { type SymbolChange, withMoves } from "./symbol-changes.ts";

export interface ChangeSet {
	readonly files: readonly ChangedFile[];
	/** A moved symbol is one change. */
	readonly symbols: readonly SymbolChange[];
	readonly before: ReadonlyMap<SymbolChange, OldReach>;
	readonly skipped: readonly { readonly path: string; readonly reason: string }[];
	readonly incomplete?: string;
}

const filesAtOnce = 6;

/** Paths of `within` are absolute. Rejects like `gitChanges`. */
export async function changeSet(
	call: OperationCall,
	scope: ChangeScope,
	within: readonly string[] = [],
	options: ReadOptions = {},
): Promise<ChangeSet> {
	const settings = await call.settings();
	const workspace = await workspaceOf((await call.context()).cwd);
	const { files, skipped } = await gitChanges(scope, {
		cwd: settings.directory,
		workspace,
		env: await call.env(),
		signal: call.signal,
		maxBytes: settings.maxFileBytes,
	});
	const isWanted = ({ path }: FileChange) => within.length === 0 || within.some((part) => isInside(path, part));
	return readChanges(call, files.filter(isWanted), { ...options, skipped });
}

/** Rejects only when the call is cancelled: a file that cannot be asked about is `unread`. */
export async function readChanges(
	call: OperationCall,
	changes: readonly FileChange[],
	{ skipped = [], ...options }: ReadOptions & Partial<Pick<ChangeSet, "skipped">> = {},
): Promise<ChangeSet> {
	const files: ChangedFile[] = [];
	for (let at = 0; at < changes.length; at += filesAtOnce) {
		call.signal.throwIfAborted();
		const some = changes.slice(at, at + filesAtOnce);
		files.push(...(await Promise.all(some.map((change) => readChange(call, change, options)))));
	}
	const displayed = new Map(
		files.flatMap(({ path, symbols }) => symbols.map((symbol) => [symbol.path, path] as const)),
	);
	const incomplete = files.find((file) => file.incomplete !== undefined)?.incomplete;
	return {
		files,
		symbols: withMoves(files.flatMap(({ symbols }) => symbols)).map((each) =>
			each.from === undefined ? each : { ...each, from: displayed.get(each.from) ?? each.from },
		),
		before: new Map(files.flatMap(({ before }) => [...before])),
		skipped,
		...(incomplete === undefined ? {} : { incomplete }),
	};
}
