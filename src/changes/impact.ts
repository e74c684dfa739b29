import { asLspError, LspError } from "../contract/errors.ts";
import type { OperationCall } from "../daemon/operation-context.ts";
import type { FileQuery } from "../query/file-query.ts";
import { askFirst } from "../query/run.ts";
import { displayPath } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { complaintOf } from "./at-server.ts";
import { type ChangeSet, changeSet, readChanges } from "./change-set.ts";
import { type DeclaredSymbol, declaredSymbols } from "./declared-symbols.ts";
import { type FileOutlines, OutlinesOfCall } from "./file-outlines.ts";
import type { ChangeScope, FileChange } from "./git-changes.ts";
import { type OldReach, type Reach, reachOf } from "./reach.ts";
import { type Risk, riskOf, risks } from "./risk.ts";
import { isSeen, type SymbolChange } from "./symbol-changes.ts";
import type { User } from "./users.ts";

export interface ImpactOrder {
	/** Absolute. */
	readonly files: readonly string[];
	/** Of the first file: names, dotted paths or `LINE:NAME`. */
	readonly symbols: readonly string[];
	/** Undefined: what differs from HEAD, or all symbols of files without differences. */
	readonly scope: ChangeScope | undefined;
	/** All symbols of the first file, whatever differs. */
	readonly whole?: boolean;
	readonly depth: number;
	/** Changes that are not written yet, in place of `files`. */
	readonly planned?: readonly FileChange[] | undefined;
}

interface CoveringTest {
	readonly file: string;
	readonly line: number;
	readonly test?: string;
}

interface SymbolImpact extends Risk, Omit<Reach, "further" | "users"> {
	readonly symbol: string;
	readonly kind: string;
	/** Displayed path. */
	readonly file: string;
	readonly line: number;
	readonly change?: SymbolChange["change"];
	readonly exported?: boolean;
	readonly from?: string;
	readonly callers: readonly User[];
	readonly tests: readonly CoveringTest[];
}

export interface Impact {
	/** Riskiest first. */
	readonly symbols: readonly SymbolImpact[];
	readonly omitted: number;
	readonly skipped: ChangeSet["skipped"];
	readonly unread: readonly { readonly path: string; readonly reason: string }[];
	readonly incomplete?: string;
}

interface Subject {
	readonly symbol: string;
	readonly change?: SymbolChange;
	readonly before?: OldReach | undefined;
}

const maxSubjects = 400;
const filesAtOnce = 4;
const symbolsAtOnce = 6;
/** agent-lsp waits as long. */
const fileMs = 120_000;

/** Rejects like `changeSet` and `locate`. */
export async function impactOf(call: OperationCall, order: ImpactOrder): Promise<Impact> {
	const { files, symbols, planned } = order;
	const [first] = files;
	const asking = { order, outlines: new OutlinesOfCall() };
	if ((symbols.length > 0 || order.whole) && first !== undefined) {
		const subjects = symbols.map((symbol) => ({ symbol }));
		const { omitted = 0, ...found } = await ofFile(call, { path: first, subjects, named: symbols.length > 0 }, asking);
		return { ...found, symbols: ranked(found.symbols), omitted, skipped: [], unread: [] };
	}
	const changed = await changesIn(call, order);
	const wanted = subjectsOf(changed);
	const whole = order.scope === undefined && !planned ? files.filter((each) => !wanted.has(each)) : [];
	for (const path of whole) if (!(await statOf(path))?.isDirectory()) wanted.set(path, []);
	const found: FileImpact[] = [];
	const all = [...wanted];
	for (let at = 0; at < all.length; at += filesAtOnce) {
		call.signal.throwIfAborted();
		const some = all.slice(at, at + filesAtOnce);
		const answers = some.map(([path, subjects]) =>
			subjects.length === 0
				? ofFile(call, { path, subjects, named: false }, asking)
				: ofChangedFile(call, { path, subjects, named: false }, asking),
		);
		found.push(...(await Promise.all(answers)));
	}
	const unread = (changed?.files ?? []).flatMap(({ path, unread: reason }) =>
		reason === undefined ? [] : { path, reason },
	);
	const incomplete = changed?.incomplete ?? found.find((each) => each.incomplete !== undefined)?.incomplete;
	return {
		symbols: ranked(found.flatMap((each) => each.symbols)),
		omitted: found.reduce(
			(sum, each) => sum + (each.omitted ?? 0),
			Math.max((changed?.symbols.length ?? 0) - maxSubjects, 0),
		),
		skipped: changed?.skipped ?? [],
		unread: [...unread, ...found.flatMap((each) => each.unread ?? [])],
		...(incomplete === undefined ? {} : { incomplete }),
	};
}

function subjectsOf(changed: ChangeSet | undefined): Map<string, Subject[]> {
	const subjects = new Map<string, Subject[]>();
	for (const change of changed?.symbols.slice(0, maxSubjects) ?? []) {
		const before = changed?.before.get(change.source ?? change);
		const subject = { symbol: change.symbol, change, before };
		subjects.set(change.path, [...(subjects.get(change.path) ?? []), subject]);
	}
	return subjects;
}

async function ofChangedFile(call: OperationCall, wanted: FileSubjects, asking: Asking): Promise<FileImpact> {
	try {
		return await ofFile(call, wanted, asking);
	} catch (thrown) {
		call.signal.throwIfAborted();
		const { cwd } = await call.context();
		const unread = [{ path: displayPath(wanted.path, cwd), reason: asLspError(thrown).message }];
		return { symbols: [], omitted: wanted.subjects.length, unread };
	}
}

async function changesIn(call: OperationCall, order: ImpactOrder): Promise<ChangeSet | undefined> {
	const { files, scope, planned } = order;
	if (planned) return readChanges(call, planned, { reach: true, unwritten: unwrittenIn(order) });
	if (scope !== undefined) return changeSet(call, scope, files, { reach: true });
	return changeSet(call, {}, files, { reach: true }).catch((thrown: unknown) => {
		call.signal.throwIfAborted();
		if (asLspError(thrown).code !== "LSP_INVALID_INPUT") throw thrown;
		return undefined;
	});
}

function unwrittenIn({ planned = [] }: ImpactOrder): ReadonlyMap<string, string> {
	// No server can be shown that a file is gone; in an empty one nothing uses anything.
	return new Map(planned.map(({ path, after = "" }) => [path, after]));
}

interface Asking {
	readonly order: ImpactOrder;
	readonly outlines: OutlinesOfCall;
}

interface FileSubjects {
	readonly path: string;
	/** Empty for all symbols. */
	readonly subjects: readonly Subject[];
	readonly named: boolean;
}

interface FileImpact {
	readonly symbols: readonly SymbolImpact[];
	readonly omitted?: number;
	readonly unread?: Impact["unread"];
	readonly incomplete?: string;
}

async function ofFile(call: OperationCall, wanted: FileSubjects, { order, outlines }: Asking): Promise<FileImpact> {
	const { cwd } = await call.context();
	const mayBeMissing = wanted.subjects.some(({ change }) => change !== undefined);
	const { located } = await call.service.locate(wanted.path, call.params, { mayBeMissing });
	const texts = unwrittenIn(order);
	if (located.missing && !texts.has(wanted.path))
		return { symbols: wanted.subjects.flatMap((subject) => withoutFile(subject, displayPath(wanted.path, cwd))) };
	const answer = async (asked: FileQuery) => {
		const all = await selected(asked, wanted);
		const found: SymbolImpact[] = [];
		const own = outlines.of(asked.server);
		for (let at = 0; at < Math.min(all.length, maxSubjects); at += symbolsAtOnce) {
			asked.signal.throwIfAborted();
			const some = all.slice(at, at + symbolsAtOnce);
			found.push(...(await Promise.all(some.map((each) => ofSymbol(each, order, own)))));
		}
		const incomplete = complaintOf(asked.server);
		const note = incomplete === undefined ? {} : { incomplete };
		return { symbols: found, omitted: Math.max(all.length - maxSubjects, 0), ...note };
	};
	return askFirst(await call.context(), { located, answer, options: { whole: true, ms: fileMs, texts } });
}

interface Selected extends Subject {
	readonly asked: FileQuery;
	readonly declared: DeclaredSymbol | undefined;
}

async function selected(asked: FileQuery, { subjects, named }: FileSubjects): Promise<Selected[]> {
	if (named) return Promise.all(subjects.map((subject) => selectNamed(asked, subject)));
	const declared = declaredSymbols(await asked.symbols(), asked.lines);
	if (subjects.length > 0)
		return subjects.map((subject) => {
			const isGone = subject.change?.change === "removed";
			return { ...subject, asked, declared: isGone ? undefined : declared.get(subject.symbol) };
		});
	return [...declared.values()].map((each) => ({ symbol: each.path, asked, declared: each }));
}

async function selectNamed(asked: FileQuery, subject: Subject): Promise<Selected> {
	const [, line, word] = /^(\d+):([^:]+)$/.exec(subject.symbol) ?? [];
	const pointer = line === undefined ? { symbol: subject.symbol } : { symbol: word ?? "", line: Number(line) };
	const found = await asked.declaration(pointer, { follow: true });
	// `position` refuses a missing name, with the nearest names.
	if (!found) await asked.position(pointer);
	if (!found) throw new LspError("LSP_SYMBOL_NOT_FOUND", `The server lists no symbol ${subject.symbol} in this file.`);
	const { path } = found.group[0];
	const declaredIn = async (query: FileQuery) => {
		const whole = declaredSymbols(await query.symbols(), query.lines).get(path);
		const declared = whole ?? declaredSymbols(found.group, query.lines).get(path);
		return { ...subject, asked: query, declared };
	};
	const isElsewhere = found.path !== asked.displayPath(asked.document.path);
	return isElsewhere ? asked.inFile(found.path, declaredIn) : declaredIn(asked);
}

async function ofSymbol(
	{ asked, declared, change, before, symbol }: Selected,
	{ depth }: ImpactOrder,
	outlines: FileOutlines,
): Promise<SymbolImpact> {
	const file = asked.displayPath(asked.document.path);
	if (!declared) return withoutFile({ symbol, ...(change ? { change } : {}), before }, file)[0]!;
	const isBody = change?.change === "body";
	const outline = { depth, isSeen: !isBody, outlines, before };
	const [reach, seen] = await Promise.all([
		reachOf(asked, declared, outline),
		change ? undefined : outlines.declarationsIn(asked),
	]);
	const exported = change?.exported ?? (seen && isSeen(declared, seen));
	return judged({
		symbol: declared.path,
		kind: declared.kind,
		file,
		line: declared.at.line,
		...ofChange(change),
		...(exported === undefined ? {} : { exported }),
		reach,
		left: before?.users.length ?? 0,
	});
}

function withoutFile({ change, before }: Subject, file: string): SymbolImpact[] {
	if (!change) return [];
	const users = before?.users ?? [];
	const reach = { users, implementers: before?.implementers, further: [], files: [], unfollowed: 0 };
	const { symbol, kind, line, exported } = change;
	const named = { symbol, kind, file, line, ...ofChange(change), ...(exported === undefined ? {} : { exported }) };
	return [judged({ ...named, reach, left: users.length })];
}

function ofChange(change: SymbolChange | undefined): Pick<SymbolImpact, "change" | "from"> {
	return { ...(change ? { change: change.change } : {}), ...(change?.from === undefined ? {} : { from: change.from }) };
}

interface Unjudged extends Pick<SymbolImpact, "symbol" | "kind" | "file" | "line" | "change" | "exported" | "from"> {
	readonly reach: Reach;
	readonly left: number;
}

function judged({ reach: { users, further, ...reach }, left, ...named }: Unjudged): SymbolImpact {
	const tests = testsIn([...users, ...further]);
	const code = users.filter(({ isTest, isImport }) => !isTest && !isImport);
	const { change, exported } = named;
	const risk = riskOf({
		change,
		exported,
		callers: code.filter(({ symbol, path }) => symbol !== undefined || path !== named.file).length,
		files: new Set(code.map(({ path }) => path).filter((path) => path !== named.file)).size,
		implementers: reach.implementers?.length ?? 0,
		tests: tests.length,
		left,
	});
	return { ...named, callers: users, tests, ...reach, ...risk };
}

/** A test file counts as a whole only if none of its tests is named. */
function testsIn(users: readonly User[]): CoveringTest[] {
	const found = new Map<string, CoveringTest>();
	const inTests = users.filter(({ isTest }) => isTest);
	for (const { path, line, testCase, testLine = line } of inTests) {
		if (testCase === undefined && inTests.some((other) => other.path === path && other.testCase !== undefined))
			continue;
		const test = testCase === undefined ? {} : { test: testCase };
		found.set(`${path}#${testCase ?? ""}`, { file: path, line: testLine, ...test });
	}
	return [...found.values()];
}

function ranked(symbols: readonly SymbolImpact[]): SymbolImpact[] {
	return symbols.toSorted(
		(a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk) || b.callers.length - a.callers.length,
	);
}
