const atOnce = 8;

/** A few at once. Rejects with the first error when all have ended: nothing may be written later. */
export async function inParts<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let at = 0; at < items.length; at += atOnce)
		for (const end of await Promise.allSettled(items.slice(at, at + atOnce).map(work))) {
			if (end.status === "rejected") throw end.reason;
			results.push(end.value);
		}
	return results;
}
