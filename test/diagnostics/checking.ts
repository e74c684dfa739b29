import { type CheckContext, Checker } from "../../src/diagnostics/check.ts";
import { EditSession } from "../../src/diagnostics/edit-session.ts";
import { FileIndex } from "../../src/impact/index/file-index.ts";
import { Pool } from "../../src/pool/pool.ts";
import type { Located } from "../../src/routing/locate.ts";
import { aborter } from "../../src/util/abort.ts";
import type { Fake } from "../fakes/fake.ts";

/** A checker of a fake server's files, as the daemon has one. */
export interface Checking {
	readonly pool: Pool;
	readonly checker: Checker;
	/** The session of `context`, unless it names another. */
	readonly session: EditSession;
	/** Writes a file; returns its path and that the fake server answers for it. */
	located(name: string, text: string): Located;
	/** The caller of a check. */
	context(over?: Partial<CheckContext>): CheckContext;
	/** Aborts all requests that were made with `context`. */
	end(): void;
}

/** Runs `body` with a checker; with `watched` the servers are notified of every change. */
export async function withChecker<T>(fake: Fake, body: (on: Checking) => Promise<T>, watched = false): Promise<T> {
	const pool = new Pool((message) => void fake.log.push(message));
	const index = new FileIndex(fake.root);
	const checker = new Checker(pool, { indexOf: () => index, importIndex: async () => ({ index, watched }) });
	const session = new EditSession();
	const asking = aborter();
	const { root: workspace, route, env } = fake;
	const located = (name: string, text: string) => {
		return { path: fake.write(name, text), display: name, workspace, routes: [route] };
	};
	const whom = { cwd: workspace, env: async () => env, signal: asking.signal, session, call: undefined };
	const context = (over: Partial<CheckContext> = {}) => ({ ...whom, ...over });
	try {
		return await body({ pool, checker, session, located, context, end: () => asking.abort() });
	} finally {
		asking.abort();
		session.close();
		await pool.close();
	}
}
