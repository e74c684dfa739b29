import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckReport } from "../src/contract/check-report.ts";
import type {
	BaselineParams,
	CheckEditParams,
	CheckEditResult,
	LateParams,
	LateResult,
} from "../src/contract/protocol.ts";
import type { DaemonClient } from "../src/daemon/lifecycle/connect.ts";

/** The edits of one agent, announced as pi's hook announces them. */
export class Session {
	readonly #daemon: DaemonClient;
	readonly #cwd: string;
	readonly #id = randomUUID();
	/** Ids of received late reports, which the next call confirms. */
	readonly #received: string[] = [];

	constructor(daemon: DaemonClient, cwd: string) {
		this.#daemon = daemon;
		this.#cwd = cwd;
	}

	/** Announces an edit and writes it; the returned check is to be measured. */
	async edit(
		{ file, text }: { readonly file: string; readonly text: string },
		scope: "file" | "affected" = "affected",
	): Promise<() => Promise<CheckReport>> {
		await this.rest();
		const about = { cwd: this.#cwd, session: this.#id, call: randomUUID(), file };
		const path = join(this.#cwd, file);
		const announced: BaselineParams = { ...about, text: readFileSync(path, "utf8"), next: text };
		this.#daemon.notify("baseline", announced);
		// pi's own tool runs meanwhile, for longer than this takes: 1.4 ms at the median (`npm run bench hook`).
		await this.#daemon.call("status", { cwd: this.#cwd, input: {} });
		writeFileSync(path, text);
		const asked: CheckEditParams = { ...about, scope, confirmed: this.#received.splice(0), budget: 60_000 };
		return async () => (await this.#daemon.call<CheckEditResult>("check_edit", asked)).report;
	}

	/**
	 * Waits for the work behind the answers: it ends long before an agent's next edit, and must not slow down the next
	 * measurement, of pi-lsp or of the bare client.
	 */
	async rest(): Promise<void> {
		for (let more = true; more; ) {
			const params: LateParams = { session: this.#id, wait: 60_000, confirmed: this.#received.splice(0) };
			const late = await this.#daemon.call<LateResult>("late", params);
			this.#received.push(...late.results.map(({ id }) => id));
			more = late.more && late.results.length === 0;
		}
	}
}
