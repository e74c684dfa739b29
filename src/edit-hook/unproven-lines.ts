import type { FileReport, State } from "../contract/check-report.ts";
import { unprovenLine } from "../render/check/diagnostics.ts";

/** States that a person can change. */
const reportedStates: ReadonlySet<State> = new Set(["timed_out", "unavailable", "untrusted", "too_large"]);

/**
 * One line for each file that was not checked and each cause, until the file is proven. A loading or slow server gets one
 * line for all files.
 */
export class UnprovenLines {
	readonly #reported = new Map<string, Set<string>>();

	/** `goesOn` is true if the checks go on. */
	of(files: readonly FileReport[], goesOn: boolean): string[] {
		this.proven(files);
		const news = new Map<string, FileReport[]>();
		for (const file of files) {
			const cause = causeOf(file);
			const reported = this.#reported.get(cause);
			if (!reportedStates.has(file.state) || reported?.has(file.path) || (reported && isTimeout(cause))) continue;
			news.set(cause, [...(news.get(cause) ?? []), file]);
		}
		return [...news].flatMap(([cause, [first, ...alike]]) => {
			if (!first) return [];
			const paths = [first, ...alike].map(({ path }) => path);
			this.#reported.set(cause, new Set([...(this.#reported.get(cause) ?? []), ...paths]));
			return unprovenLine(first, { alike: alike.length, later: goesOn });
		});
	}

	proven(files: readonly FileReport[]): void {
		for (const { path } of files.filter(({ state }) => state === "fresh"))
			for (const [cause, paths] of this.#reported) {
				paths.delete(path);
				if (paths.size === 0 || isTimeout(cause)) this.#reported.delete(cause);
			}
	}
}

/** Without paths and numbers; for a timeout the server alone. */
function causeOf({ path, state, reason = "" }: FileReport): string {
	const words =
		state === "timed_out"
			? reason.replace(/ (?:is still|did not answer) .*/s, "")
			: reason.replaceAll(path, "").replace(/^\S+ is broken: |\.+$/g, "");
	return `${state} ${words.replace(/\d+/g, "")}`;
}

function isTimeout(cause: string): boolean {
	return cause.startsWith("timed_out ");
}
