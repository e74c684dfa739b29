/** What one text of pi-lsp says of other files than the edited one. */
export interface ToldOfOthers {
	/** How many files it says are broken, those that it does not name included. */
	readonly files: number;
	readonly named: readonly string[];
}

/** The errors of one file as a text lists them. */
interface Block {
	readonly file: string;
	/** `line:column` of those that are listed. */
	readonly places: readonly string[];
	/** All of them, those that the caps leave out included. */
	readonly count: number;
}

/** The blocks of a text, one for each file whose errors it lists. */
function blocksOf(text: string): Block[] {
	return [...text.matchAll(/<diagnostics file="([^"\n]*)">\n([\s\S]*?)<\/diagnostics>/g)].map(
		([, file = "", body = ""]) => {
			const places: string[] = [];
			let more = 0;
			for (const line of body.split("\n")) {
				const error = /^ERROR \[(\d+:\d+)\]/.exec(line);
				const cut = /^\.\.\. and (\d+) more$/.exec(line);
				if (cut) more += Number(cut[1]);
				if (!error) continue;
				// Errors that say the same stand on one line, the place of the first in front.
				const also = /\) also at ([\d:, ]+)(?: and (\d+) more)?$/.exec(line);
				places.push(error[1] as string, ...(also?.[1]?.trim().split(", ") ?? []));
				more += Number(also?.[2] ?? 0);
			}
			return { file, places, count: places.length + more };
		},
	);
}

/** What a text says of files that an edit of `edited` broke. */
export function othersIn(text: string, edited: string): ToldOfOthers {
	let files = 0;
	const named: string[] = [];
	for (const [, count, list = ""] of text.matchAll(/newly broke (\d+) other files?: (.*)/g)) {
		files += Number(count);
		named.push(...[...list.matchAll(/([^\s,()]+) \(\d+ errors?\)/g)].map(([, path = ""]) => path));
	}
	for (const [, count] of text.matchAll(/errors detected in other files, (\d+) files?:/gi)) files += Number(count);
	named.push(...blocksOf(text).flatMap(({ file }) => (file === edited ? [] : [file])));
	return { files, named: [...new Set(named)] };
}

/**
 * Whether a result tells exactly the errors that an edit brought into its own file. Errors that were there before may be
 * counted in words, but are not listed.
 */
export function tellsOwn(text: string, file: string, expected: ReadonlySet<string>, count: number): boolean {
	const own = blocksOf(text).find((block) => block.file === file);
	if (own === undefined) return count === 0;
	return own.count === count && own.places.every((place) => expected.has(place));
}
