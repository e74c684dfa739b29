import type { LanguageServer } from "../lsp/server.ts";
import { pause } from "../util/abort.ts";
import type { Semaphore } from "../util/semaphore.ts";
import { usersOf } from "./affected.ts";
import { onOldTexts, type Seen } from "./edit.ts";
import { renewState, toldNow } from "./last-states.ts";
import type { Judged } from "./ledger.ts";
import {
	type Around,
	findingOf,
	judged,
	nobody,
	type Others,
	type OthersContext,
	oldTextOf,
	onFailing,
	queueOf,
	usersOfGone,
} from "./others.ts";
import { newRoom } from "./proof-queue.ts";
import { readsDisk } from "./prove.ts";
import { pullWorkspace } from "./workspace-pull.ts";

/** So many of those that depend on an edited file at all are proven behind its answer. */
const mostDependents = 400;

/**
 * All second looks at one server share their room, so that what goes on behind the answers does not stand in front of the
 * next ones, nor keep hundreds of documents open: twelve agents in one Go package were 96.
 */
const behind = new WeakMap<LanguageServer, Semaphore>();

function roomBehind(server: LanguageServer): Semaphore {
	const room = behind.get(server) ?? newRoom();
	behind.set(server, room);
	return room;
}

/**
 * How long after its answer a second look begins, in milliseconds: its requests would keep the processors from whoever
 * reads the answer.
 */
const headStartMs = 10;

/**
 * The second look, behind the answer: everything that depends on the edited file over any number of imports, except
 * what was asked already. An inferred type carries an error to files that never import the edited one. What it finds
 * is held until the agent has been told; where the next edit cuts it off, the next second look takes over.
 */
export async function askDependents(
	context: OthersContext,
	asked: ReadonlySet<string>,
	{ restLater }: Pick<Around, "restLater">,
	call?: string,
): Promise<Others> {
	const { server, located, edit, ledger, graph, watched, route, signal, isLate } = context;
	if (isLate) await pause(headStartMs);
	const seen = await edit.see();
	const owed = ledger.takeOwed(route);
	const same = seen.change?.same === true;
	if (same && owed.paths.length === 0) return nobody;
	const dependents = same ? [] : await graph.dependents(located.path, { all: true, watched });
	let wanted = [...owed.paths, ...dependents];
	const text = oldTextOf(context);
	const before = new Map([...(text === undefined ? [] : [[located.path, text] as const]), ...owed.before]);
	const queue = queueOf(context, isLate ? roomBehind(server) : undefined);
	try {
		// Those that surely use what changed come before those that may.
		if (restLater && !same) wanted = [...(await usersOfChanged(context, seen)), ...wanted];
		const all = [...new Set(wanted)].filter((path) => path !== located.path && !asked.has(path));
		wanted = all.slice(0, mostDependents);
		// Within the turn from the first question on: before it, a writer may show the server a text that is not there.
		const proofs = await server.turns.read(async () => {
			const told = toldNow(server);
			for (const proof of await pullWorkspace(server, wanted, signal)) queue.put(proof);
			for (const path of wanted) queue.add(path);
			const found = await queue.done();
			for (const proof of found) renewState(server, told, proof);
			return found;
		});
		const earlier = await onFailing(context, proofs, (work) =>
			before.size > 0 && !readsDisk(server) ? onOldTexts(server, route, before, work) : undefined,
		);
		// Behind an answer it is looked again; in it, what the time did not reach is counted.
		if (isLate) signal.throwIfAborted();
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
			missed: [...all.slice(mostDependents), ...queue.unproven(proofs)],
			changes: [],
		};
	} catch (error) {
		if (!signal.aborted) throw error;
		if (!isLate) return { ...nobody, missed: wanted };
		ledger.owe(route, { paths: wanted, before });
		throw error;
	}
}

/** The users of what changed by the server's references, on the new text and on the old one. */
async function usersOfChanged(context: OthersContext, { shape, change }: Seen): Promise<string[]> {
	const { server, located, signal } = context;
	if (!shape || !change) return [];
	const users = await server.turns.read(() => usersOf(server, shape, change.changed, located.workspace, signal));
	return [...users, ...(await usersOfGone(context))];
}
