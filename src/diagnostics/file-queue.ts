/** Likely files come first. */
const unlikelyRank = 1_000_000;
/** So few files are proven soon in any case. */
export const fewFiles = 20;

/** Another object each time that a file is added. */
interface QueuedFile {
	readonly rank: number;
	readonly isLikely: boolean;
}

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
