/** What may follow from a change is asked about after all that names it. */
const uncertainRank = 1_000_000;
/** So few files are asked about soon, whether they are likely to be affected or not. */
export const fewFiles = 20;

/** A file to ask about; another object each time that it is wanted anew. */
export interface FileToAsk {
	/** The lower, the sooner. */
	readonly rank: number;
	/** True if the file is likely to be affected. */
	readonly likely: boolean;
}

/** The files that a server is still to be asked about, by their paths. */
export class FilesToAsk extends Map<string, FileToAsk> {
	/** Adds a file, or says that it is wanted anew. */
	want(path: string, distance: number, likely: boolean): void {
		const rank = distance + (likely ? 0 : uncertainRank);
		const known = this.get(path);
		this.set(path, { rank: Math.min(rank, known?.rank ?? rank), likely: likely || known?.likely === true });
	}

	/** True while one of them is likely to be affected, or all are asked about soon. */
	get areLikely(): boolean {
		if (this.size > 0 && this.size <= fewFiles) return true;
		for (const { likely } of this.values()) if (likely) return true;
		return false;
	}
}
