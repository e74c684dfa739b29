import type {
	ProgressToken,
	WorkDoneProgressBegin,
	WorkDoneProgressEnd,
	WorkDoneProgressReport,
} from "vscode-languageserver-protocol";

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** What a server says that it is busy with (`$/progress`), by token. */
export class Progress {
	readonly #running = new Map<
		string | number,
		{ readonly title: string; message: string; percentage: number | undefined }
	>();
	readonly #ended = new Set<(token: string | number) => void>();

	update(params: unknown): void {
		const { token, value } = params as { token: ProgressToken; value: WorkDone | undefined };
		switch (value?.kind) {
			case "begin":
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
				for (const listener of [...this.#ended]) listener(token);
		}
	}

	/** One line on what is going on, e.g. "Loading main.ts 40%", or undefined when nothing is. */
	describe(): string | undefined {
		const [first] = this.#running.values();
		if (!first) return undefined;
		const percentage = first.percentage === undefined ? "" : `${Math.round(first.percentage)}%`;
		return [first.title, first.message, percentage].filter(Boolean).join(" ");
	}

	/** Calls `listener` when a token ends, until the returned function is called. */
	onEnd(listener: (token: string | number) => void): () => void {
		this.#ended.add(listener);
		return () => this.#ended.delete(listener);
	}
}
