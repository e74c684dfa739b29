import type { Location } from "vscode-languageserver-protocol";
import type { Diagnostic, SignatureChange, State } from "../findings.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Semaphore } from "../util/semaphore.ts";
import { Directories } from "../workspace/directories.ts";
import type { Located, Route } from "../workspace/locate.ts";
import { languageOf } from "../workspace/match.ts";
import { isOurs } from "../workspace/root.ts";
import { shapeOnDisk, usersOf } from "./affected.ts";
import { goneFrom, markNew } from "./carry.ts";
import { type Edit, onOldText, type See } from "./edit.ts";
import type { ImportGraph } from "./import-graph.ts";
import { isSeenByImporters } from "./imports.ts";
import { renewState, type Told, toldNow } from "./last-states.ts";
import type { Judged, Ledger } from "./ledger.ts";
import { outlookOf } from "./outlook.ts";
import { ProofQueue } from "./proof-queue.ts";
import { type Asking, type Proof, proveOther, readsDisk } from "./prove.ts";
import { pushedPaths } from "./push.ts";
import { reach } from "./reach.ts";
import type { Shape, ShapeChange } from "./shape.ts";
import { signaturesOf } from "./signature-changes.ts";

/** What is known of a file that was not edited. */
export interface OtherFinding {
	readonly path: string;
	readonly state: State;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed?: number;
}

export interface Others {
	readonly others: readonly OtherFinding[];
	/** Files that were not proven: out of time, or the server did not answer. */
	readonly missed: readonly string[];
	readonly changes: readonly SignatureChange[];
}

/** The file around which is looked, and by whose means. */
export interface EditedFile {
	readonly server: LanguageServer;
	readonly route: Route;
	readonly located: Located;
	readonly ledger: Ledger;
	readonly graph: ImportGraph;
	/** True if every change below the root is told to the graph. */
	readonly watched: boolean;
	readonly signal: AbortSignal;
	readonly hints: boolean;
	/** True if there is a second look behind the answer. */
	readonly isLate: boolean;
}

export interface OthersContext extends EditedFile {
	readonly edit: Edit;
}

export const nobody: Others = { others: [], missed: [], changes: [] };

/** A look at the files around an edited one that has begun: `begun` resolves with what changed, when all of them are proven. */
export interface Around {
	readonly queue: ProofQueue;
	/** The references of the declarations whose changed signature is told of. */
	readonly uses: Map<string, Location[]>;
	readonly begun: Promise<ShapeChange | undefined>;
	/** What the server knew when it was asked of the first. */
	readonly told: Told;
	/** True if the server's references are left to the second look: the texts tell who imports the file. */
	readonly restLater: boolean;
}

/** What is known of an edit when its text has just been sent. */
export interface Sight {
	readonly before: Shape | undefined;
	/** The new text; undefined for a file that is gone. */
	readonly text: string | undefined;
	readonly see: See;
}

/**
 * Begins to ask about the files that an edit may have broken or mended, while its own file is asked about:
 * 1. those whose errors this session knows: none of them may stay told after it is gone;
 * 2. those that the texts say may see the change, at once where the texts tell what has changed, else as soon as the
 *    server has;
 * 3. unless `restLater`, those that use what changed, by the server's references.
 * Nothing different from outside, nothing asked but 1.
 */
export function beginOthers(context: EditedFile, sight: Sight): Around {
	const { server, located, signal } = context;
	const { path, workspace } = located;
	const { before, text, see } = sight;
	const restLater = context.isLate && isSeenByImporters(path, [before?.document.text, text]);
	const queue = queueOf(context);
	const told = toldNow(server);
	const uses = new Map<string, Location[]>();
	const found = (other: string) => queue.add(other);
	const used = (name: string, at: Location[]) => uses.set(name, at);
	const follow = followed(context, found);
	const search = async () => {
		for (const known of knownToFail(context)) found(known);
		const outlook = before && text !== undefined ? outlookOf(before, text) : undefined;
		// Where the texts tell it all, the server is asked behind the answer.
		const seen = outlook && !outlook.signed && restLater ? undefined : see();
		if (outlook?.name !== undefined) await follow(before, [outlook.name]);
		if (!seen) return undefined;
		const { shape, change } = await seen;
		if (!outlook || !restLater) await follow(shape, change?.names);
		if (!shape || !change) return undefined;
		const asked = restLater ? change.signatures.map(({ name }) => name) : change.changed;
		await usersOf(server, shape, asked, workspace, signal, { found, used, ...(restLater ? { hops: 1 } : {}) });
		return change;
	};
	// Within one turn from the first question to the last answer: a writer may show the server a text that is not there.
	const begun = server.turns.read(async () => {
		const change = await search();
		await queue.done();
		return change;
	});
	begun.catch(() => {});
	return { queue, uses, begun, told, restLater };
}

/** The files whose errors this session was told of, or is still to be told of. */
export function knownToFail({ ledger, route }: EditedFile): string[] {
	return [...ledger.untold(route), ...ledger.broken(route)];
}

/** Finds the files that, by the texts, may see a change of some of a file's declarations; of any without names or shape. */
export function followed(
	{ server, located, graph, watched, signal }: EditedFile,
	found: (path: string) => void,
): (shape: Shape | undefined, names: readonly string[] | undefined) => Promise<void> {
	const look = (other: string) => shapeOnDisk(server, other, signal);
	return async (shape, names) => {
		if (shape) return reach(shape, names, { graph, watched, look, found });
		for (const user of await graph.dependents(located.path, { watched, names })) found(user);
	};
}

/**
 * Proves the files around an edited one, until the time is up: those that the answer for the file itself told of need no
 * question. Of a name that is gone the users are asked for on the old text. Which errors are new, the failing files say
 * on the old text.
 */
export async function askOthers(
	context: OthersContext,
	{ queue, uses, begun, told, restLater }: Around,
): Promise<Others> {
	const { server, route, located, edit, ledger } = context;
	const { now } = edit;
	const { path, workspace } = located;
	const before = oldTextOf(context);
	const untold = ledger.takeUntold(route);
	const prove = (more: readonly string[] = []) =>
		server.turns.read(() => {
			for (const other of more) queue.add(other);
			return queue.done();
		});
	for (const proof of now.related ?? []) if (isOurs(proof.path, workspace)) queue.put(proof);
	// Where the time is over before the server has told who uses what, what is proven counts: the second look, which is in
	// the same answer then, counts what is not.
	const inTime = <T, Otherwise>(work: Promise<T>, otherwise: Otherwise) =>
		work.catch((error: unknown) => {
			if (!context.signal.aborted || context.isLate) throw error;
			return otherwise;
		});
	const change = await inTime(begun, undefined);
	// A check of the whole project has told of others by itself.
	let proofs = await prove(readsDisk(server) ? pushedPaths(server) : []);
	const gone = restLater ? [] : await inTime(usersOfGone(context), []);
	if (gone.length > 0) proofs = await prove(gone);
	for (const proof of proofs) renewState(server, told, proof);
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
	return {
		others,
		missed: queue.unproven(proofs),
		changes: signaturesOf(path, change?.signatures ?? [], uses, proofs),
	};
}

/** The users of what is gone, who can only be asked for on the old text. */
export async function usersOfGone(context: OthersContext): Promise<string[]> {
	const { server, route, located, edit, signal } = context;
	const { baseline, now } = edit;
	const { change } = await edit.see();
	const before = oldTextOf(context);
	const old = baseline?.shape;
	if (before === undefined || !old || !change || change.removed.length === 0) return [];
	const found = onOldText(server, route, before, now, () =>
		usersOf(server, old, change.removed, located.workspace, signal),
	);
	return (await found) ?? [];
}

export function queueOf(
	{ server, route, located, signal, hints }: EditedFile,
	room?: Semaphore,
	how: Pick<Asking, "ahead"> = {},
): ProofQueue {
	const asking = { signal, hints, save: false, directories: new Directories(), ...how };
	// Not the edited file's: a .tsx that is opened as plain TypeScript is full of errors.
	const prove = (other: string) => proveOther(server, other, languageOf(route.config, other), asking);
	const queue = new ProofQueue(prove, signal, room);
	return queue.without(located.path);
}

/** The text before the edit, where the server can be asked about one that is not on disk. */
export function oldTextOf({ server, edit: { baseline, now } }: OthersContext): string | undefined {
	const isGone = now.hash === "";
	return readsDisk(server) || isGone ? undefined : baseline?.shape?.document.text;
}

/** Proves the failing files once more on the old text, if there is one; by path. */
export async function onFailing(
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

export function judged(proof: Proof, before: Judged | undefined): readonly Diagnostic[] {
	return before ? markNew(before, proof) : proof.diagnostics;
}

/** What was there before somebody looked a second time and told nobody. */
function leftBy(untold: Judged | undefined): Judged | undefined {
	return untold && { ...untold, diagnostics: untold.diagnostics.filter((item) => item.new === false) };
}

export function findingOf(
	{ server }: OthersContext,
	proof: Proof,
	diagnostics: readonly Diagnostic[],
	known: Judged | undefined,
): OtherFinding {
	const fixed = known ? goneFrom(known, proof) : 0;
	const state = server.config.partial ? "untrusted" : "fresh";
	return { path: proof.path, state, diagnostics, ...(fixed > 0 ? { fixed } : {}) };
}
