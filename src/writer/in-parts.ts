import { TimeSlices } from "../util/time-slices.ts";

/** Files whose fsync is awaited together share commits of the disk's journal. */
const atOnce = 32;

/** Rejects with the first error when all have ended: nothing may be written later. */
export async function inParts<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const slices = new TimeSlices();
	for (let at = 0; at < items.length; at += atOnce) {
		if (slices.isOver) await slices.next();
		for (const end of await Promise.allSettled(items.slice(at, at + atOnce).map(work))) {
			if (end.status === "rejected") throw end.reason;
			results.push(end.value);
		}
	}
	return results;
}
