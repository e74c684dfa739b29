import type { Location } from "vscode-languageserver-protocol";
import type { Diagnostic, SignatureChange, State } from "../findings.ts";
import { linesOf, toPath } from "../lsp/positions.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { isInside } from "../util/paths.ts";
import { Directories } from "../workspace/directories.ts";
import type { Located, Route } from "../workspace/locate.ts";
import { languageOf } from "../workspace/match.ts";
import { isForeign } from "../workspace/root.ts";
import { usersOf } from "./affected.ts";
import { goneFrom, markNew } from "./carry.ts";
import { type Edit, onOldText, onOldTexts, readsDisk } from "./edit.ts";
import type { ImportGraph } from "./import-graph.ts";
import type { Judged, Ledger } from "./ledger.ts";
import { ProofQueue } from "./proof-queue.ts";
import { type Proof, proveOther } from "./prove.ts";
import { pushedPaths } from "./push.ts";
import { pullWorkspace } from "./workspace-pull.ts";

/** What is known of a file that was not edited. */
export interface OtherFinding {
	readonly path: string;
	readonly state: State;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

export interface Others {
	readonly others: readonly OtherFinding[];
	/** Files that were not reached in time. */
	readonly missed: number;
	readonly changes: readonly SignatureChange[];
}

export interface OthersContext {
	readonly server: LanguageServer;
	readonly route: Route;
	readonly located: Located;
	readonly edit: Edit;
	readonly ledger: Ledger;
	readonly graph: ImportGraph;
	/** True if every change below the root is told to the graph. */
	readonly watched: boolean;
	readonly signal: AbortSignal;
	readonly hints: boolean;
}

export const nobody: Others = { others: [], missed: 0, changes: [] };

const isImport = /^\s*(import\b|from\b|export\s*(type\s*)?[{*])/;

/** So many of those that depend on an edited file at all are proven behind its answer. */
const mostDependents = 400;

/**
 * Finds the files that an edit may have broken or mended, and proves them, until the time is up:
 * 0. those that the answer for the file itself told of: they need no question;
 * 1. those whose errors this session knows: none of them may stay told after it is gone;
 * 2. those that use what changed, asked on the new text, and on the old text for what is gone;
 * 3. where a name is gone or has come, or a module is passed on: those that import the file, read out of the texts;
 * 4. which of it is new, by asking the failing files on the old text.
 * Nothing different from outside, nothing asked but 1.
 */
export async function askOthers(context: OthersContext): Promise<Others> {
	const { server, route, located, edit, ledger, graph, watched, signal } = context;
	const { baseline, now, shape, change } = edit;
	const { path, workspace } = located;
	const before = oldTextOf(context);
	const untold = ledger.takeUntold(route);
	const queue = queueOf(context);
	const uses = new Map<string, Location[]>();
	const isOurs = ({ path: other }: Proof) => isInside(other, workspace) && !isForeign(other, workspace);
	const proofs = await server.turns.read(async () => {
		for (const proof of now.related?.filter(isOurs) ?? []) queue.put(proof);
		for (const known of [...untold.keys(), ...ledger.broken(route)]) queue.add(known);
		const names = change?.names;
		if (names?.length !== 0) for (const user of await graph.dependents(path, { watched, names })) queue.add(user);
		if (shape && change) {
			const found = (other: string) => queue.add(other);
			await usersOf(server, shape, change.changed, workspace, signal, found, (name, at) => uses.set(name, at));
		}
		// A check of the whole project has told of others by itself.
		if (readsDisk(server)) for (const other of pushedPaths(server)) queue.add(other);
		return queue.done();
	});
	if (before !== undefined && baseline?.shape && change && change.removed.length > 0) {
		const old = baseline.shape;
		const gone = await onOldText(server, route, before, now, () =>
			usersOf(server, old, change.removed, workspace, signal),
		);
		const all = await server.turns.read(() => {
			for (const other of gone ?? []) queue.add(other);
			return queue.done();
		});
		proofs.splice(0, proofs.length, ...all);
	}
	const earlier = await onFailing(context, proofs, (work) =>
		before === undefined ? undefined : onOldText(server, route, before, now, work),
	);
	for (const lost of queue.gone) ledger.forget(route, lost);
	const others = proofs.map((proof): OtherFinding => {
		const known = ledger.last(route, proof.path);
		const diagnostics = judged(proof, leftBy(untold.get(proof.path)) ?? earlier.get(proof.path) ?? known);
		ledger.saw(route, { ...proof, diagnostics });
		return findingOf(context, proof, diagnostics, known);
	});
	return { others, missed: queue.size - proofs.length, changes: signaturesOf(context, uses, proofs) };
}

/**
 * The second look, behind the answer: everything that depends on the edited file over any number of imports, except
 * what was asked already. An inferred type carries an error to files that never import the edited one. What it finds
 * is held until the agent has been told; where the next edit cuts it off, the next second look takes over.
 */
export async function askDependents(
	context: OthersContext,
	asked: ReadonlySet<string>,
	call?: string,
): Promise<Others> {
	const { server, located, edit, ledger, graph, watched, route, signal } = context;
	const owed = ledger.takeOwed(route);
	const same = edit.change?.same === true;
	if (same && owed.paths.length === 0) return nobody;
	const dependents = same ? [] : await graph.dependents(located.path, { all: true, watched });
	const all = [...new Set([...owed.paths, ...dependents])].filter((path) => path !== located.path && !asked.has(path));
	const wanted = all.slice(0, mostDependents);
	const text = oldTextOf(context);
	const before = new Map([...(text === undefined ? [] : [[located.path, text] as const]), ...owed.before]);
	const queue = queueOf(context);
	try {
		// Within the turn from the first question on: before it, a writer may show the server a text that is not there.
		const proofs = await server.turns.read(async () => {
			for (const proof of await pullWorkspace(server, wanted, signal)) queue.put(proof);
			for (const path of wanted) queue.add(path);
			return queue.done();
		});
		const earlier = await onFailing(context, proofs, (work) =>
			before.size > 0 && !readsDisk(server) ? onOldTexts(server, route, before, work) : undefined,
		);
		signal.throwIfAborted();
		const found = proofs.map((proof) => {
			const known = ledger.last(route, proof.path);
			const diagnostics = judged(proof, earlier.get(proof.path) ?? known);
			return { seen: { ...proof, diagnostics }, finding: findingOf(context, proof, diagnostics, known) };
		});
		const untold: Judged[] = [];
		for (const { seen } of found)
			if (call === undefined || seen.diagnostics.length === 0) ledger.saw(route, seen);
			else untold.push(seen);
		if (call !== undefined && untold.length > 0) ledger.hold(call, route, untold);
		return {
			others: found.map(({ finding }) => finding),
			missed: all.length - wanted.length + queue.size - proofs.length,
			changes: [],
		};
	} catch (error) {
		if (signal.aborted) ledger.owe(route, { paths: wanted, before });
		throw error;
	}
}

function queueOf({ server, route, located, signal, hints }: OthersContext): ProofQueue {
	const asking = { signal, hints, save: false, directories: new Directories() };
	// Not the edited file's: a .tsx that is opened as plain TypeScript is full of errors.
	const prove = (other: string) => proveOther(server, other, languageOf(route.config, other), asking);
	const queue = new ProofQueue(prove, signal);
	return queue.without(located.path);
}

/** The text before the edit, where the server can be asked about one that is not on disk. */
function oldTextOf({ server, edit: { baseline, now } }: OthersContext): string | undefined {
	const isGone = now.hash === "";
	return readsDisk(server) || isGone ? undefined : baseline?.shape?.document.text;
}

/** Proves the failing files once more on the old text, if there is one; by path. */
async function onFailing(
	context: OthersContext,
	proofs: readonly Proof[],
	ask: (work: () => Promise<Proof[]>) => Promise<Proof[] | undefined> | undefined,
): Promise<ReadonlyMap<string, Proof>> {
	const { ledger, route, watched } = context;
	const failing = proofs.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === "error"));
	// Where every change is told, what this session knows of a file is what the old text would say.
	const known = failing.map((proof) => ledger.lastOfOurs(route, proof));
	if (failing.length === 0 || (watched && known.every((state) => state !== undefined))) return new Map();
	const earlier = await ask(() => {
		const queue = queueOf(context);
		for (const { path } of failing) queue.add(path);
		return queue.done();
	});
	return new Map(earlier?.map((proof) => [proof.path, proof]));
}

function judged(proof: Proof, before: Judged | undefined): readonly Diagnostic[] {
	return before ? markNew(before, proof) : proof.diagnostics;
}

/** What was there before somebody looked a second time and told nobody. */
function leftBy(untold: Judged | undefined): Judged | undefined {
	return untold && { ...untold, diagnostics: untold.diagnostics.filter((item) => item.new === false) };
}

function findingOf(
	{ server }: OthersContext,
	proof: Proof,
	diagnostics: readonly Diagnostic[],
	known: Judged | undefined,
): OtherFinding {
	const fixed = known ? goneFrom(known, proof) : 0;
	const state = server.config.partial ? "untrusted" : "fresh";
	return { path: proof.path, state, diagnostics, ...(fixed > 0 ? { fixed } : {}) };
}

/** The exported declarations whose signature changed, with how many of their users fail now. */
function signaturesOf(
	{ edit, located }: OthersContext,
	uses: ReadonlyMap<string, readonly Location[]>,
	proofs: readonly Proof[],
): SignatureChange[] {
	const failing = new Set(
		proofs.flatMap(({ path, diagnostics }) =>
			diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => `${path}:${line}`),
		),
	);
	const lines = new Map(proofs.map(({ path, text }) => [path, linesOf(text)]));
	return (edit.change?.signatures ?? []).map(({ name, before, after }) => {
		const places = (uses.get(name) ?? []).flatMap(({ uri, range }) => {
			const path = toPath(uri);
			if (path === undefined || path === located.path) return [];
			// An import is no call.
			const source = lines.get(path)?.[range.start.line] ?? "";
			return isImport.test(source) ? [] : [{ path, line: range.start.line + 1 }];
		});
		return {
			name,
			before,
			after,
			callers: places.length,
			files: new Set(places.map(({ path }) => path)).size,
			failing: places.filter(({ path, line }) => failing.has(`${path}:${line}`)).length,
		};
	});
}
