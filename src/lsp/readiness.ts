import type {
	ProgressToken,
	WorkDoneProgressBegin,
	WorkDoneProgressEnd,
	WorkDoneProgressReport,
} from "vscode-languageserver-protocol";
import { waitOrAbort } from "../util/abort.ts";

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** rust-analyzer's `experimental/serverStatus`: quiet once it has loaded and indexed everything. */
interface ServerStatus {
	readonly quiescent?: boolean;
	readonly message?: string;
}

/** In what time a server that announces what it loads has begun to, in milliseconds (gopls 30, rust-analyzer 300, jdtls 900). */
const beginsWithinMs = 2000;

/**
 * Whether a server has read its project, by what it says of itself: the ends of its progress (`$/progress`), and
 * rust-analyzer's status. A server that says nothing is taken to read what it needs when it is asked (tsserver,
 * TypeScript 7, pyright).
 */
export class Readiness {
	readonly #running = new Map<
		string | number,
		{ readonly title: string; message: string; percentage: number | undefined }
	>();
	readonly #bornAt = performance.now();
	readonly #announces: boolean;
	#status: ServerStatus | undefined;
	#begun = false;
	readonly #waiting = new Set<() => void>();

	/** `announces`: it tells of the loading of its project as soon as it has started. */
	constructor(announces: boolean) {
		this.#announces = announces;
	}

	/** To be called with the parameters of every `$/progress`. */
	progressed(params: unknown): void {
		const { token, value } = (params ?? {}) as { token: ProgressToken; value: WorkDone | undefined };
		switch (value?.kind) {
			case "begin":
				this.#begun = true;
				this.#running.set(token, { title: value.title, message: value.message ?? "", percentage: value.percentage });
				break;
			case "report": {
				const known = this.#running.get(token);
				if (!known) return;
				known.message = value.message ?? known.message;
				known.percentage = value.percentage ?? known.percentage;
				break;
			}
			case "end":
				this.#running.delete(token);
				this.#wake();
		}
	}

	/** To be called with the parameters of every `experimental/serverStatus`. */
	statusChanged(params: unknown): void {
		this.#status = typeof params === "object" && params !== null ? params : undefined;
		this.#begun = true;
		this.#wake();
	}

	/** One line on what is going on, e.g. "Loading main.ts 40%", or undefined when nothing is. */
	get busy(): string | undefined {
		// What it is busy with says more than its status, but only the status says that it is done.
		if (this.#status?.quiescent === true) return undefined;
		const [first] = this.#running.values();
		if (first) {
			const percentage = first.percentage === undefined ? "" : `${Math.round(first.percentage)}%`;
			return [first.title, first.message, percentage].filter(Boolean).join(" ");
		}
		if (this.#status?.quiescent === false) return this.#status.message ?? "loading the project";
		if (!this.#begun && this.#graceMs > 0) return "starting to load the project";
		return undefined;
	}

	/** Resolves when nothing is going on any more, or after `ms` milliseconds. Rejects with what the signal says. */
	async settled(ms: number, signal?: AbortSignal): Promise<void> {
		const end = performance.now() + ms;
		while (this.busy !== undefined) {
			const left = end - performance.now();
			if (left <= 0) return;
			await waitOrAbort(this.#next(Math.min(left, this.#begun ? left : this.#graceMs)), signal);
		}
	}

	get #graceMs(): number {
		return this.#announces ? Math.max(beginsWithinMs - (performance.now() - this.#bornAt), 0) : 0;
	}

	/** Resolves at the next sign of an end, at the latest after `ms` milliseconds. */
	#next(ms: number): Promise<void> {
		return new Promise((resolve) => {
			const wake = () => {
				clearTimeout(timer);
				this.#waiting.delete(wake);
				resolve();
			};
			const timer = setTimeout(wake, ms);
			this.#waiting.add(wake);
		});
	}

	#wake(): void {
		for (const wake of [...this.#waiting]) wake();
	}
}
