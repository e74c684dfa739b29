import type { Location } from "vscode-languageserver-protocol";
import { declaredSymbols, kindWord } from "../changes/declared-symbols.ts";
import { asLspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import { declarationsOf } from "../impact/declarations.ts";
import type { FileIndex } from "../impact/index/file-index.ts";
import type { ArchitectureReport } from "../operations/architecture.ts";
import type { FileQuery } from "../query/file-query.ts";
import { askFirst } from "../query/run.ts";
import { anySource, readText } from "../util/read-file.ts";

type HotSpot = ArchitectureReport["hotSpots"][number];

interface HotSpots {
	readonly symbols: readonly HotSpot[];
	readonly unasked: ArchitectureReport["unread"];
}

const maxRead = 60;
const maxAsked = 30;
const filesAtOnce = 4;
/** No file is begun later. */
const beginMs = 60_000;
const fileMs = 60_000;
const maxUnreadFiles = 6;
const maxUnreadSymbols = 8;

export async function hotSpots(call: OperationCall, files: readonly string[], index: FileIndex): Promise<HotSpots> {
	const candidates: { readonly path: string; readonly name: string; readonly mentions: number }[] = [];
	const unread: string[] = [];
	for (const path of files.slice(0, maxRead)) {
		call.signal.throwIfAborted();
		const text = await readText(path, anySource);
		const seen = text === undefined ? undefined : await declarationsOf(path, text);
		if (!seen) {
			unread.push(path);
			continue;
		}
		const importers = (await index.dependents(path, { watched: true })).length;
		for (const name of new Set(seen.declarations.map((each) => each.path))) {
			if (name.includes(".") || !seen.seen.has(name)) continue;
			// A short name means other things elsewhere.
			const mentions = Math.min(index.filesWith(new Set([name]), path).length, importers);
			candidates.push({ path, name, mentions });
		}
	}
	const wanted = new Map<string, Set<string> | undefined>();
	for (const { path, name } of candidates.sort((a, b) => b.mentions - a.mentions).slice(0, maxAsked))
		wanted.set(path, (wanted.get(path) ?? new Set()).add(name));
	if (candidates.length < maxAsked) for (const path of unread.slice(0, maxUnreadFiles)) wanted.set(path, undefined);
	const symbols: HotSpot[] = [];
	const unasked: { path: string; reason: string }[] = [];
	const all = [...wanted];
	const end = performance.now() + beginMs;
	for (let at = 0; at < all.length; at += filesAtOnce) {
		call.signal.throwIfAborted();
		const some = all.slice(at, at + filesAtOnce).map(async ([path, names]) => {
			if (performance.now() > end) return void unasked.push({ path, reason: "the time was over" });
			try {
				const { located } = await call.service.locate(path, call.params);
				const answer = (query: FileQuery) => referredTo(query, names);
				const found = await askFirst(await call.context(), { located, answer, options: { whole: true, ms: fileMs } });
				symbols.push(...found.symbols);
			} catch (thrown) {
				call.signal.throwIfAborted();
				unasked.push({ path, reason: asLspError(thrown).message });
			}
		});
		await Promise.all(some);
	}
	return { symbols: symbols.filter(({ files: users }) => users > 0).sort((a, b) => b.files - a.files), unasked };
}

/** Without `names` those of the first symbols. */
async function referredTo(query: FileQuery, names: ReadonlySet<string> | undefined): Promise<{ symbols: HotSpot[] }> {
	const declared = declaredSymbols(await query.symbols(), query.lines);
	const file = query.displayPath(query.document.path);
	const symbols: HotSpot[] = [];
	const first = [...declared.values()].filter(({ parent }) => parent === undefined).slice(0, maxUnreadSymbols);
	for (const name of names ?? first.map(({ path }) => path)) {
		const symbol = declared.get(name);
		if (!symbol) continue;
		const context = { includeDeclaration: false };
		const found =
			(await query.request<Location[] | null>("textDocument/references", { ...symbol.at }, { context })) ?? [];
		const others = found.filter(({ uri }) => query.isOwn(uri) && !query.isTest(uri) && uri !== query.document.uri);
		const { at } = symbol;
		const files = new Set(others.map(({ uri }) => uri)).size;
		symbols.push({ symbol: name, kind: kindWord(symbol), file, line: at.line, files, uses: others.length });
	}
	return { symbols };
}
