/** Files that may only follow from a change are proven after all files that name it. */
const unlikelyRank = 1_000_000;
/** So few files are proven soon, whether they are likely to be affected or not. */
export const fewFiles = 20;

/** A file that is to be proven; another object each time that it is added. */
interface QueuedFile {
	/** The lower, the sooner. */
	readonly rank: number;
	readonly isLikely: boolean;
}

/** The files that a server is still to prove, by their paths. */
export class FileQueue extends Map<string, QueuedFile> {
	add(path: string, distance: number, isLikely: boolean): void {
		const rank = distance + (isLikely ? 0 : unlikelyRank);
		const known = this.get(path);
		this.set(path, { rank: Math.min(rank, known?.rank ?? rank), isLikely: isLikely || known?.isLikely === true });
	}

	/** True while a file is likely to be affected, or few are left. */
	get hasLikely(): boolean {
		if (this.size > 0 && this.size <= fewFiles) return true;
		for (const { isLikely } of this.values()) if (isLikely) return true;
		return false;
	}
}
