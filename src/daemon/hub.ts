import { Checker } from "../diagnostics/check.ts";
import { Ledger } from "../diagnostics/ledger.ts";
import { collectPushes } from "../diagnostics/push.ts";
import { realPathOf } from "../util/files.ts";
import { Recent } from "../util/recent.ts";
import { Pool } from "../workspace/pool.ts";
import { LateResults } from "./late.ts";

/** What all calls of one process share: the servers, and what each session is owed. */
export class Hub {
	readonly pool: Pool;
	readonly checker: Checker;
	readonly late = new LateResults();
	readonly startedAt = Date.now();
	readonly #ledgers = new Recent<Ledger>(100);

	constructor(log: (message: string) => void, stderr?: (id: string, chunk: Buffer) => void) {
		this.pool = new Pool(log, stderr);
		this.pool.onStarted = collectPushes;
		this.checker = new Checker(this.pool);
	}

	ledger(session: string): Ledger {
		const ledger = this.#ledgers.get(session) ?? new Ledger();
		this.#ledgers.set(session, ledger);
		return ledger;
	}
}

/** A directory with links followed; itself where it is gone. */
export function realDirectory(directory: string): Promise<string> {
	return realPathOf(directory).then((real) => real ?? directory);
}
