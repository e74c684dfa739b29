import type { Declaration, Outline } from "./outline.ts";

/** Some names of a file with all of its own whose visible text mentions one of them, directly or through others. */
export function follow(outlines: readonly Outline[], roots: Iterable<string>): ReadonlySet<string> {
	const reached = new Set(roots);
	if (reached.size === 0) return reached;
	const mentionedBy = new Map<string, Declaration[]>();
	for (const { declarations } of outlines) {
		for (const declaration of declarations) {
			for (const word of declaration.mentions()) {
				const known = mentionedBy.get(word);
				if (known) known.push(declaration);
				else mentionedBy.set(word, [declaration]);
			}
		}
	}
	for (const name of reached)
		for (const { names } of mentionedBy.get(name) ?? []) for (const each of names) reached.add(each);
	return reached;
}

/** The names of a file that others see, with all that the visible text of these mentions. */
export function reachable({ declarations, seen }: Outline): ReadonlySet<string> {
	const reached = new Set([...seen.values()].flatMap((names) => [...names]));
	for (const { names, everywhere } of declarations) if (everywhere) for (const name of names) reached.add(name);
	const declaring = new Map<string, Declaration[]>();
	for (const declaration of declarations) {
		for (const name of declaration.names) {
			const known = declaring.get(name);
			if (known) known.push(declaration);
			else declaring.set(name, [declaration]);
		}
	}
	const read = new Set<Declaration>();
	for (const name of reached) {
		for (const declaration of declaring.get(name) ?? []) {
			if (read.has(declaration)) continue;
			read.add(declaration);
			for (const word of declaration.mentions()) if (declaring.has(word)) reached.add(word);
			for (const each of declaration.names) reached.add(each);
		}
	}
	return reached;
}
