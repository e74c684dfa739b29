/** Added to the rank of a file that is not likely to be affected, so that the likely ones are proven first. */
const unlikelyRank = 1_000_000;
/** Up to this number, the files are soon proven, likely or not. */
export const fewQueued = 20;

/** `add` always makes a new object, so that a caller can see whether a file was added again meanwhile. */
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

	/** True while a file is likely to be affected, or only few files are left, likely or not. */
	get hasLikelyOrFew(): boolean {
		if (this.size > 0 && this.size <= fewQueued) return true;
		for (const { isLikely } of this.values()) if (isLikely) return true;
		return false;
	}
}
