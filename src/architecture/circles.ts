export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Largest first, without single nodes. By Tarjan's algorithm. */
export function componentsOf(graph: Graph): string[][] {
	const numbers = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const isOpen = new Set<string>();
	const found: string[][] = [];
	for (const start of graph.keys()) {
		if (numbers.has(start)) continue;
		// Recursion would be as deep as the longest way.
		const calls = [{ node: start, rest: enter(start) }];
		for (let call = calls.at(-1); call; call = calls.at(-1)) {
			const { node, rest } = call;
			const next = rest.next();
			if (!next.done) {
				if (!numbers.has(next.value)) calls.push({ node: next.value, rest: enter(next.value) });
				else if (isOpen.has(next.value)) lower(node, numbers.get(next.value) ?? 0);
				continue;
			}
			calls.pop();
			const above = calls.at(-1);
			if (above) lower(above.node, lowest.get(node) ?? 0);
			if (lowest.get(node) !== numbers.get(node)) continue;
			const component = open.splice(open.lastIndexOf(node));
			for (const each of component) isOpen.delete(each);
			if (component.length > 1) found.push(component.sort());
		}
	}
	return found.sort((a, b) => b.length - a.length);

	function enter(node: string): Iterator<string> {
		numbers.set(node, numbers.size);
		lowest.set(node, numbers.size - 1);
		open.push(node);
		isOpen.add(node);
		return (graph.get(node) ?? new Set<string>()).values();
	}

	function lower(node: string, to: number): void {
		lowest.set(node, Math.min(lowest.get(node) ?? to, to));
	}
}

export function shortestCircle(nodes: readonly string[], graph: Graph): string[] {
	const within = new Set(nodes);
	let best: string[] = [];
	for (const start of nodes) {
		const from = new Map<string, string>();
		const wave = [start];
		search: for (const node of wave)
			for (const next of graph.get(node) ?? []) {
				if (next === start) {
					const way = [node];
					for (let at = node; at !== start; ) {
						at = from.get(at) ?? start;
						way.unshift(at);
					}
					if (best.length === 0 || way.length < best.length) best = way;
					break search;
				}
				if (!within.has(next) || from.has(next)) continue;
				from.set(next, node);
				wave.push(next);
			}
		if (best.length === 2) break;
	}
	return best;
}

export function levelsOf(graph: Graph): Map<string, number> {
	const circleOf = new Map<string, string>();
	for (const component of componentsOf(graph)) for (const node of component) circleOf.set(node, component[0] ?? node);
	const nameOf = (node: string) => circleOf.get(node) ?? node;
	const targets = new Map<string, Set<string>>();
	for (const [node, uses] of graph) {
		const own = targets.get(nameOf(node)) ?? new Set();
		for (const each of uses) if (nameOf(each) !== nameOf(node)) own.add(nameOf(each));
		targets.set(nameOf(node), own);
	}
	const levels = new Map<string, number>();
	const levelAt = (node: string): number => {
		const known = levels.get(node);
		if (known !== undefined) return known;
		const level = Math.max(-1, ...[...(targets.get(node) ?? [])].map(levelAt)) + 1;
		levels.set(node, level);
		return level;
	};
	return new Map([...graph.keys()].map((node) => [node, levelAt(nameOf(node))]));
}
