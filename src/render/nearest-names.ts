/** The time grows with the product of both lengths. */
const [maxNameLength, maxCompared] = [64, 10_000];

/** At most five, with a similar last name. */
export function nearestNames(name: string, paths: readonly string[]): string[] {
	if (name.length > maxNameLength) return [];
	const wanted = name.toLowerCase();
	const maxCost = Math.max(2, Math.floor(wanted.length / 2));
	return paths
		.slice(0, maxCompared)
		.filter((path) => path.length - path.lastIndexOf(".") - 1 <= wanted.length + maxCost)
		.map((path) => ({ path, cost: editDistance(wanted, (path.split(".").at(-1) ?? path).toLowerCase()) }))
		.filter(({ cost }) => cost <= maxCost)
		.sort((a, b) => a.cost - b.cost)
		.slice(0, 5)
		.map(({ path }) => path);
}

export function didYouMean(word: string, known: readonly string[]): string {
	if (word.length < 2 || word.length > maxNameLength) return "";
	const wanted = word.toLowerCase();
	const maxCost = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
	let [nearest, least] = ["", maxCost + 1];
	for (const name of known.slice(0, maxCompared)) {
		const candidate = name.toLowerCase();
		if (Math.abs(candidate.length - wanted.length) > maxCost && !candidate.startsWith(wanted)) continue;
		const cost = candidate.startsWith(wanted) ? 1 : editDistance(wanted, candidate);
		if (cost < least) [nearest, least] = [name, cost];
	}
	return nearest ? ` Did you mean "${nearest}"?` : "";
}

function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++)
			next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
		row = next;
	}
	return row[b.length] ?? 0;
}
