import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { CheckReport } from "../../contract/check-report.ts";
import { questionText, type TrustView } from "../../render/status/trust.ts";
import { anyManifest, readTextNow } from "../../util/read-file.ts";
import type { DaemonLink } from "../daemon-link.ts";
import { notify, select } from "./screen.ts";

const answers = {
	yes: "Trust it: run what is listed",
	no: "Not in this session",
	never: "Never ask about this again",
} as const;

/** Asks once per repository and list of what it would run. No edit waits. */
export class TrustQuestion {
	readonly #link: DaemonLink;
	#ctx: ExtensionContext | undefined;
	readonly #asked = new Set<string>();
	#asking = false;
	onTrusted: (() => void) | undefined;

	constructor(link: DaemonLink) {
		this.#link = link;
	}

	attach(ctx: ExtensionContext | undefined): void {
		this.#ctx = ctx?.hasUI ? ctx : undefined;
	}

	consider({ files, servers, withheld = [] }: CheckReport): void {
		const untrusted = [...files, ...servers].some(({ state }) => state === "untrusted");
		if (!this.#ctx || this.#asking || !(untrusted || withheld.length > 0)) return;
		this.#asking = true;
		this.#ask(this.#ctx)
			.catch(() => {})
			.finally(() => {
				this.#asking = false;
			});
	}

	async #ask(ctx: ExtensionContext): Promise<void> {
		const { cwd } = ctx;
		const client = await this.#link.get();
		const call = (params: object) =>
			client.call<TrustView>("trust", this.#link.withTrust({ cwd, ...params }), undefined, { background: true });
		const view = await call({});
		const question = JSON.stringify([view.root, view.hash]);
		if (!["untrusted", "stale"].includes(view.state) || this.#asked.has(question)) return;
		this.#asked.add(question);
		const answer = await select(ctx, questionText(view), Object.values(answers));
		if (answer === answers.yes) await call({ answer: "yes", hash: view.hash });
		if (answer === answers.never) await call({ answer: "never", hash: view.hash });
		if (answer !== answers.yes) return;
		this.onTrusted?.();
		notify(ctx, `pi-lsp trusts ${view.root} and checks what was edited again. /lsp trust remove takes it back.`);
	}
}

/** The directory at or above `cwd` trusted in pi (docs/facts.md, 1). */
export function trustedByPi(cwd: string): string | undefined {
	try {
		const directory = process.env.PI_CODING_AGENT_DIR || join(homedir(), ".pi/agent");
		const decisions = JSON.parse(readTextNow(join(directory, "trust.json"), anyManifest) ?? "") as Record<
			string,
			unknown
		>;
		for (let at = realpathSync(cwd); ; at = dirname(at)) {
			const decision = Object.hasOwn(decisions, at) ? decisions[at] : undefined;
			if (typeof decision === "boolean") return decision ? at : undefined;
			if (at === dirname(at)) return undefined;
		}
	} catch {
		return undefined;
	}
}
