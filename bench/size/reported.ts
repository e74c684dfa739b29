/** What a text of pi-lsp reports of other files than the edited one. */
export interface ReportedOthers {
	/** The number of broken files, unnamed ones included. */
	readonly files: number;
	readonly named: readonly string[];
}

/** The errors of one file as a text lists them. */
interface Block {
	readonly file: string;
	/** `line:column` of the listed ones. */
	readonly places: readonly string[];
	/** All of them, truncated ones included. */
	readonly count: number;
}

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
				// Errors with the same message share a line, the place of the first one in front.
				const also = /\) also at ([\d:, ]+)(?: and (\d+) more)?$/.exec(line);
				places.push(error[1] as string, ...(also?.[1]?.trim().split(", ") ?? []));
				more += Number(also?.[2] ?? 0);
			}
			return { file, places, count: places.length + more };
		},
	);
}

/** What a text reports of files that an edit of `edited` broke. */
export function othersIn(text: string, edited: string): ReportedOthers {
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
 * Whether a result reports exactly the errors that an edit added to its own file. Earlier errors may be counted in words,
 * but must not be listed.
 */
export function reportsOwn(text: string, file: string, expected: ReadonlySet<string>, count: number): boolean {
	const own = blocksOf(text).find((block) => block.file === file);
	if (own === undefined) return count === 0;
	return own.count === count && own.places.every((place) => expected.has(place));
}
