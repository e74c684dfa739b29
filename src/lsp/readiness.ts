import type {
	ProgressToken,
	WorkDoneProgressBegin,
	WorkDoneProgressEnd,
	WorkDoneProgressReport,
} from "vscode-languageserver-protocol";
import type { Loading } from "../../server.ts";
import { waitOrAbort } from "../util/abort.ts";

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** rust-analyzer's `experimental/serverStatus`: quiet once it has loaded and indexed everything. */
interface ServerStatus {
	readonly quiescent?: boolean;
	readonly message?: unknown;
}

/** jdtls' `language/status`: `ServiceReady` once it has imported the projects. */
interface JavaStatus {
	readonly type?: string;
	readonly message?: unknown;
}

/** What a server says, or other words where that is no text. */
function textOr(other: string, said: unknown): string {
	return typeof said === "string" ? said : other;
}

/** In what time a server that announces what it loads has begun to, in milliseconds (gopls 5, rust-analyzer 70 to 110). */
const beginsWithinMs = 2000;
/** In what time a server has logged that it has read its project, or it will not: somebody has turned its log down. */
const logsWithinMs = 60_000;

/**
 * Whether a server has read its project, by what it says of itself: the ends of its progress (`$/progress`),
 * rust-analyzer's and jdtls' status, a line of its log. A server that says nothing is taken to read what it needs when
 * it is asked: TypeScript 7, typescript-language-server and gopls keep a question waiting until they have loaded, while
 * rust-analyzer answers "none" and pyright with what the open file alone says.
 */
export class Readiness {
	readonly #running = new Map<
		string | number,
		{ readonly title: string; message: string; percentage: number | undefined }
	>();
	readonly #bornAt = performance.now();
	readonly #loading: Loading;
	#status: ServerStatus | undefined;
	#java: JavaStatus | undefined;
	#begun = false;
	#loaded = false;
	readonly #waiting = new Set<() => void>();

	constructor(loading: Loading = {}) {
		this.#loading = loading;
	}

	/** To be called with every notification. */
	heard(method: string, params: unknown): void {
		if (method === "$/progress") this.#progressed(params);
		else if (method === "experimental/serverStatus") this.#statusChanged(params);
		else if (method === "language/status") this.#javaStatusChanged(params);
		else if (method === "window/logMessage") this.#logged(params);
	}

	#progressed(params: unknown): void {
		const { token, value } = (params ?? {}) as { token: ProgressToken; value: WorkDone | undefined };
		switch (value?.kind) {
			case "begin":
				if (!this.#counts(String(value.title))) return;
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

	#statusChanged(params: unknown): void {
		this.#status = typeof params === "object" && params !== null ? params : undefined;
		this.#begun = true;
		this.#wake();
	}

	#javaStatusChanged(params: unknown): void {
		const status: JavaStatus = typeof params === "object" && params !== null ? params : {};
		this.#begun = true;
		if (this.#java?.type === "ServiceReady") return;
		this.#java = status;
		this.#wake();
	}

	#logged(params: unknown): void {
		const { message } = (params ?? {}) as { message?: unknown };
		if (this.#loading.log === undefined || this.#loaded || typeof message !== "string") return;
		this.#loaded = new RegExp(this.#loading.log).test(message);
		if (this.#loaded) this.#wake();
	}

	/** One line on what is going on, e.g. "Loading main.ts 40%", or undefined when nothing is. */
	get busy(): string | undefined {
		// Before anybody writes it beside words of our own.
		return this.#going?.replaceAll(/\s+/g, " ").trim();
	}

	get #going(): string | undefined {
		if (this.#loading.log !== undefined)
			return this.#loaded || this.#leftOf(logsWithinMs) === 0 ? undefined : "reading the project";
		// What it is busy with says more than its status, but only the status says that it is done.
		if (this.#status?.quiescent === true) return undefined;
		const [first] = this.#running.values();
		if (first) {
			const percentage = first.percentage === undefined ? "" : `${Math.round(first.percentage)}%`;
			return [first.title, first.message, percentage].filter(Boolean).join(" ");
		}
		if (this.#status?.quiescent === false) return textOr("loading the project", this.#status.message);
		if (this.#java && !["ServiceReady", "Error"].includes(this.#java.type ?? ""))
			return textOr("loading the project", this.#java.message);
		if (!this.#begun && this.#graceMs > 0) return "starting to load the project";
		return undefined;
	}

	/** Resolves when nothing is going on any more, or after `ms` milliseconds. Rejects with what the signal says. */
	async settled(ms: number, signal?: AbortSignal): Promise<void> {
		const end = performance.now() + ms;
		while (this.busy !== undefined) {
			const left = end - performance.now();
			if (left <= 0) return;
			const grace = this.#loading.log === undefined ? this.#graceMs : this.#leftOf(logsWithinMs);
			// Whatever it waits for by the clock alone is looked at when that has run out.
			await waitOrAbort(this.#next(this.#begun || grace === 0 ? left : Math.min(left, grace)), signal);
		}
	}

	#counts(title: string): boolean {
		return this.#loading.titles?.some((beginning) => title.startsWith(beginning)) !== false;
	}

	get #graceMs(): number {
		return this.#loading.announced ? this.#leftOf(beginsWithinMs) : 0;
	}

	/** What is left of so many milliseconds since the start. */
	#leftOf(ms: number): number {
		return Math.max(ms - (performance.now() - this.#bornAt), 0);
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
