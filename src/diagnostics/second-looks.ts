import type { LanguageServer } from "../lsp/server.ts";
import { aborter } from "../util/abort.ts";
import type { Ledger } from "./ledger.ts";

/** So often one look gives way; then it runs to its end, however many edit. */
const mostCuts = 3;

interface Look {
	readonly session: Ledger;
	aborter: AbortController;
	cuts: number;
	/** Resolves when the edit for which it has given way has its answer. */
	after: Promise<unknown> | undefined;
	/** The session itself has gone on: its next look takes over. */
	superseded: boolean;
}

/** The second looks at servers, which go on behind the answers and give way to edits. */
export class SecondLooks {
	readonly #looks = new WeakMap<LanguageServer, Set<Look>>();

	/**
	 * Runs `work` of a session in front of all second looks at a server. The session's own ends, since its edit is looked
	 * behind anew; those of others begin again when `work` is over, or nobody would tell those sessions what they broke.
	 */
	before<T>(server: LanguageServer, session: Ledger, work: () => Promise<T>): Promise<T> {
		const looks = [...(this.#looks.get(server) ?? [])];
		for (const look of looks) look.superseded ||= look.session === session;
		const giving = looks.filter(
			({ superseded, aborter, cuts }) => superseded || (!aborter.signal.aborted && cuts < mostCuts),
		);
		for (const { aborter } of giving) aborter.abort();
		const done = work();
		for (const look of giving) look.after = done.catch(() => {});
		return done;
	}

	/** A second look for a session, which rejects when the session's next edit has ended it. */
	async run<T>(server: LanguageServer, session: Ledger, look: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const looks = this.#looks.get(server) ?? new Set();
		this.#looks.set(server, looks);
		const mine: Look = { session, aborter: aborter(), cuts: 0, after: undefined, superseded: false };
		looks.add(mine);
		try {
			for (;;) {
				try {
					return await look(mine.aborter.signal);
				} catch (error) {
					if (!mine.aborter.signal.aborted || mine.superseded) throw error;
					await mine.after;
					if (mine.superseded) throw error;
				}
				mine.cuts++;
				mine.aborter = aborter();
			}
		} finally {
			looks.delete(mine);
		}
	}
}
