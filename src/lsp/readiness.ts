import type {
	ProgressToken,
	WorkDoneProgressBegin,
	WorkDoneProgressEnd,
	WorkDoneProgressReport,
} from "vscode-languageserver-protocol";
import type { Loading } from "../../server.ts";
import { waitOrAbort } from "../util/abort.ts";

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Activity {
	readonly text: string;
	/** 0 to 100. */
	readonly percentage?: number | undefined;
}

/** rust-analyzer's; `quiescent` once the project is indexed. */
interface ServerStatus {
	readonly quiescent?: boolean;
	readonly message?: unknown;
}

/** jdtls'; `ServiceReady` once projects are imported. */
interface JavaStatus {
	readonly type?: string;
	readonly message?: unknown;
}

const firstProgressMs = 2000;
const logLineMs = 60_000;

/** By progress, a status notification or a log line. A server without these counts as ready (docs/facts.md, 33). */
export class Readiness {
	readonly #running = new Map<
		string | number,
		{ readonly title: string; message: string; percentage: number | undefined }
	>();
	readonly #startedAt = performance.now();
	readonly #loading: Loading;
	#status: ServerStatus | undefined;
	#java: JavaStatus | undefined;
	#hasBegun = false;
	#hasLogged = false;
	#settledAt = 0;
	readonly #waiting = new Set<() => void>();

	constructor(loading: Loading = {}) {
		this.#loading = loading;
	}

	received(method: string, params: unknown): void {
		const wasBusy = this.busy !== undefined;
		this.#read(method, params);
		if (wasBusy && this.busy === undefined) this.#settledAt = performance.now();
	}

	#read(method: string, params: unknown): void {
		if (method === "$/progress") this.#progressed(params);
		else if (method === "experimental/serverStatus") this.#statusChanged(params);
		else if (method === "language/status") this.#javaStatusChanged(params);
		else if (method === "window/logMessage") this.#logged(params);
	}

	#progressed(params: unknown): void {
		const { token, value } = (params ?? {}) as { token: ProgressToken; value: WorkDone | undefined };
		switch (value?.kind) {
			case "begin":
				if (!this.#isLoading(String(value.title))) return;
				this.#hasBegun = true;
				this.#running.set(token, {
					title: value.title,
					message: value.message ?? "",
					percentage: percentageIn(value.percentage),
				});
				break;
			case "report": {
				const known = this.#running.get(token);
				if (!known) return;
				known.message = value.message ?? known.message;
				known.percentage = percentageIn(value.percentage) ?? known.percentage;
				break;
			}
			case "end":
				this.#running.delete(token);
				this.#wake();
		}
	}

	#statusChanged(params: unknown): void {
		this.#status = typeof params === "object" && params !== null ? params : undefined;
		this.#hasBegun = true;
		this.#wake();
	}

	#javaStatusChanged(params: unknown): void {
		const status: JavaStatus = typeof params === "object" && params !== null ? params : {};
		this.#hasBegun = true;
		if (this.#java?.type === "ServiceReady") return;
		this.#java = status;
		this.#wake();
	}

	#logged(params: unknown): void {
		const { message } = (params ?? {}) as { message?: unknown };
		if (this.#loading.log === undefined || this.#hasLogged || typeof message !== "string") return;
		this.#hasLogged = new RegExp(this.#loading.log).test(message);
		if (this.#hasLogged) this.#wake();
	}

	get busy(): string | undefined {
		return this.#activity?.text.replaceAll(/\s+/g, " ").trim();
	}

	/** By performance.now(); infinite while it loads, 0 before any notification. */
	get settledAt(): number {
		return this.busy === undefined ? this.#settledAt : Number.POSITIVE_INFINITY;
	}

	get percentage(): number | undefined {
		return this.#activity?.percentage;
	}

	get #activity(): Activity | undefined {
		if (this.#loading.log !== undefined)
			return this.#hasLogged || this.#leftOf(logLineMs) === 0 ? undefined : { text: "reading the project" };
		if (this.#status?.quiescent === true) return undefined;
		const [first] = this.#running.values();
		if (first) {
			const { title, message, percentage } = first;
			const counted = percentage === undefined ? "" : `${percentage}%`;
			return { text: [title, message, counted].filter(Boolean).join(" "), percentage };
		}
		if (this.#status?.quiescent === false) return { text: textOr("loading the project", this.#status.message) };
		if (this.#java && !["ServiceReady", "Error"].includes(this.#java.type ?? ""))
			return { text: textOr("loading the project", this.#java.message) };
		if (!this.#hasBegun && this.#graceMs > 0) return { text: "starting to load the project" };
		return undefined;
	}

	async settled(ms: number, signal?: AbortSignal): Promise<void> {
		const end = performance.now() + ms;
		while (this.busy !== undefined) {
			const left = end - performance.now();
			if (left <= 0) return;
			const grace = this.#loading.log === undefined ? this.#graceMs : this.#leftOf(logLineMs);
			// A grace period ends without a notification.
			await waitOrAbort(this.#next(this.#hasBegun || grace === 0 ? left : Math.min(left, grace)), signal);
		}
	}

	#isLoading(title: string): boolean {
		return this.#loading.titles?.some((beginning) => title.startsWith(beginning)) !== false;
	}

	get #graceMs(): number {
		return this.#loading.announced ? this.#leftOf(firstProgressMs) : 0;
	}

	#leftOf(ms: number): number {
		return Math.max(ms - (performance.now() - this.#startedAt), 0);
	}

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

function percentageIn(value: unknown): number | undefined {
	if (typeof value !== "number" || Number.isNaN(value)) return undefined;
	return Math.round(Math.min(Math.max(value, 0), 100));
}

function textOr(otherwise: string, value: unknown): string {
	return typeof value === "string" ? value : otherwise;
}
