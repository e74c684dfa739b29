const unlikelyRank = 1_000_000;
export const fewQueued = 20;

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
