const unlikelyRank = 1_000_000;
/** Up to so many files are soon proven, likely or not. */
export const fewQueued = 20;

/** `add` makes a new object, which shows that a file was added again. */
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

	get hasLikelyOrFew(): boolean {
		if (this.size > 0 && this.size <= fewQueued) return true;
		for (const { isLikely } of this.values()) if (isLikely) return true;
		return false;
	}
}
