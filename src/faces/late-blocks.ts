import type { LateResult } from "../daemon/protocol.ts";
import { editBlock, type OtherFiles } from "../text/diagnostics.ts";
import type { DaemonLink } from "./daemon-link.ts";

const waitMs = 30_000;

/** A block that came after its call's result had gone to the model. */
export interface LateBlock {
	readonly call: string;
	readonly text: string;
}

/** Fetches what checks that ran out of time prove later, in the background, and keeps it until somebody tells it. */
export class LateBlocks {
	readonly #link: DaemonLink;
	readonly #session: string;
	readonly #others = new Map<string, OtherFiles>();
	readonly #ready: LateBlock[] = [];
	#fetching = false;

	constructor(link: DaemonLink, session: string) {
		this.#link = link;
		this.#session = session;
	}

	/** Says that a call's check goes on in the daemon. */
	expect(call: string, others: OtherFiles): void {
		this.#others.set(call, others);
		if (!this.#fetching) void this.#fetch();
	}

	/** The blocks that have arrived, each given once. */
	take(): LateBlock[] {
		return this.#ready.splice(0);
	}

	async #fetch(): Promise<void> {
		this.#fetching = true;
		try {
			for (let pending = 1; pending > 0; ) {
				const client = await this.#link.get();
				const params = { session: this.#session, wait: waitMs };
				const answer = await client.call<LateResult>("late", params, undefined, { background: true });
				pending = answer.pending;
				for (const { call, report } of answer.results) {
					const text = editBlock(report, this.#others.get(call) ?? "line");
					this.#others.delete(call);
					if (text) this.#ready.push({ call, text });
				}
			}
		} catch {
			// The daemon is gone, and with it what it was still proving.
		} finally {
			this.#fetching = false;
		}
	}
}
