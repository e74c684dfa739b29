import type { FileReport, State } from "../../contract/check-report.ts";
import { unprovenLine } from "../../render/check/diagnostics.ts";

/** What a person or a project can change; that nobody answers for a file at all is no news. */
const worthSaying: ReadonlySet<State> = new Set(["timed_out", "unavailable", "untrusted", "too_large"]);

/**
 * Says of which files nothing is proven, each file and cause once until the file is proven: silence means proven clean.
 * That a server is still loading, or takes too long, is said once for all files, until something is proven.
 */
export class UnprovenLines {
	/** By cause: the files of which it was said. */
	readonly #said = new Map<string, Set<string>>();

	/** One line for each cause that is new; `later` if the checks go on. */
	of(files: readonly FileReport[], later: boolean): string[] {
		this.proven(files);
		const news = new Map<string, FileReport[]>();
		for (const file of files) {
			const cause = causeOf(file);
			const said = this.#said.get(cause);
			if (!worthSaying.has(file.state) || said?.has(file.path) || (said && ranOutOfTime(cause))) continue;
			news.set(cause, [...(news.get(cause) ?? []), file]);
		}
		return [...news].flatMap(([cause, [first, ...alike]]) => {
			if (!first) return [];
			this.#said.set(cause, new Set([...(this.#said.get(cause) ?? []), first.path, ...alike.map(({ path }) => path)]));
			return unprovenLine(first, { alike: alike.length, later });
		});
	}

	/** Of a file that is proven it is said again when it no longer is. */
	proven(files: readonly FileReport[]): void {
		for (const { path } of files.filter(({ state }) => state === "fresh"))
			for (const [cause, paths] of this.#said) {
				paths.delete(path);
				if (paths.size === 0 || ranOutOfTime(cause)) this.#said.delete(cause);
			}
	}
}

/** The same for the next file and the next per cent; of a server that takes its time, whatever it is busy with. */
function causeOf({ path, state, reason = "" }: FileReport): string {
	const words =
		state === "timed_out" ? reason.replace(/ (?:is still|did not answer) .*/s, "") : reason.replaceAll(path, "");
	return `${state} ${words.replace(/\d+/g, "")}`;
}

function ranOutOfTime(cause: string): boolean {
	return cause.startsWith("timed_out ");
}
