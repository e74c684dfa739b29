import type { FileReport, State } from "../contract/check-report.ts";
import { unprovenLine } from "../render/check/diagnostics.ts";

const reportedStates: ReadonlySet<State> = new Set(["timed_out", "unavailable", "untrusted", "too_large"]);

/** Once for each file and cause, until it is proven. */
export class UnprovenLines {
	readonly #reported = new Map<string, Set<string>>();

	of(files: readonly FileReport[], goesOn: boolean): string[] {
		this.proven(files);
		const news = new Map<string, FileReport[]>();
		for (const file of files) {
			const reported = this.#reported.get(causeOf(file)) ?? new Set();
			if (!reportedStates.has(file.state) || reported.has(file.path)) continue;
			this.#reported.set(causeOf(file), reported.add(file.path));
			const words = `${file.state} ${wordsOf(file)}`;
			news.set(words, [...(news.get(words) ?? []), file]);
		}
		return [...news.values()].flatMap(([first, ...alike]) =>
			first ? unprovenLine(first, { alike: alike.length, later: goesOn }) : [],
		);
	}

	proven(files: readonly FileReport[]): void {
		for (const { path } of files.filter(({ state }) => state === "fresh"))
			for (const [cause, paths] of this.#reported)
				if (paths.delete(path) && paths.size === 0) this.#reported.delete(cause);
	}
}

function causeOf(file: FileReport): string {
	return file.state === "timed_out" ? file.state : `${file.state} ${wordsOf(file)}`;
}

function wordsOf({ path, reason = "" }: FileReport): string {
	return reason
		.replaceAll(path, "")
		.replace(/^\S+ is broken: |\.+$/g, "")
		.replace(/\d+/g, "");
}
