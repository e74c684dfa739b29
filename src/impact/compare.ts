import { follow, reachable } from "./follow.ts";
import { type Declaration, inferredText, type Outline, visibleText } from "./outline.ts";
import { scriptKeywords } from "./script-mentions.ts";
import { isSameText } from "./tokens.ts";
import type { Uncertain, VisibleChange } from "./visible-change.ts";

/** A declaration of which only what its type is inferred from differs. */
interface Unsure extends Uncertain {
	readonly names: readonly string[];
}

interface Differences {
	/** Names that differ for sure. */
	readonly names: Set<string>;
	readonly unsure: Unsure[];
	/** Declarations that differ for sure, and are there before and after. */
	readonly altered: Unsure[];
	/** True if something differs that files see which do not import this one. */
	everywhere: boolean;
	/** Words by which others may see a change of a declaration without its name. */
	readonly words: Set<string>;
}

/** Compares what other files see of a file before and after a change. */
export function compare(before: Outline, after: Outline, same: ReadonlySet<string> | undefined): VisibleChange {
	const differences = differencesOf(before, after);
	const outlines = [before, after];
	const kept = new Set(after.declarations.flatMap(({ names }) => names));
	const lost = [...differences.names].filter((name) => !kept.has(name));
	// What is inferred from a name that is gone has an unknown type, about which compilers are silent; an heir lacks members.
	const roots = [...differences.names].filter((name) => kept.has(name));
	for (const { names, visible } of lost.length > 0 ? after.declarations : [])
		if (inherits(visible.tokens.textOf(visible.spans), lost)) roots.push(...names);
	const closure = (more: readonly string[]) => new Set([...follow(outlines, [...roots, ...more]), ...lost]);
	const sure = closure([]);
	const unsure = differences.unsure.filter(({ path }) => same?.has(path) !== true);
	const all = unsure.length > 0 ? closure(unsure.flatMap(({ names }) => names)) : sure;
	const added = new Set<string>();
	const changed = new Set<string>(differences.words);
	const gone = new Set<string>();
	let isAny = before.rest !== after.rest;
	const members = membersOf(after);
	// A file that becomes a module, or is one no more, gives its names to others in another way.
	const isOther = before.tokens !== undefined && after.tokens !== undefined && before.isGlobal !== after.isGlobal;
	for (const outside of new Set([...before.seen.keys(), ...after.seen.keys()])) {
		const [old, now] = [before.seen.get(outside), after.seen.get(outside)];
		const isNew = !old && now !== undefined;
		const differs = isOther || !isEqual(old, now) || [...(now ?? [])].some((name) => all.has(name));
		if (!differs) continue;
		const isNamed = outside !== "default" && !outside.startsWith("*");
		if (isNew && (isNamed || before.tokens === undefined) && ![...now].every((name) => members.has(name)))
			added.add(outside);
		else if (isNamed) {
			changed.add(outside);
			if (!now) gone.add(outside);
		} else isAny = true;
	}
	for (const name of listed(before, after)) changed.add(name);
	const nothing = !isAny && added.size === 0 && changed.size === 0;
	const isOpen = before.isGlobal || after.isGlobal || differences.everywhere || before.rest !== after.rest;
	const reached = unsure.length > 0 ? [reachable(before), reachable(after)] : [];
	const seen = new Set([...after.seen.values()].flatMap((names) => [...names]));
	const altered = differences.altered
		.filter(({ names }) => names.some((name) => seen.has(name)))
		.map(({ path, before, after }): Uncertain => ({ path, before, after }));
	const uncertain = unsure
		.filter(
			({ names }) =>
				!names.every((name) => sure.has(name)) && reached.some((set) => names.some((name) => set.has(name))),
		)
		.map(({ path, before, after }): Uncertain => ({ path, before, after }));
	const everywhere = !nothing && isOpen;
	return { nothing, added, changed: isAny ? undefined : changed, gone, everywhere, uncertain, altered };
}

function differencesOf(before: Outline, after: Outline): Differences {
	const differences: Differences = {
		names: new Set(),
		unsure: [],
		altered: [],
		everywhere: false,
		words: new Set(),
	};
	const [old, now] = [byPath(before), byPath(after)];
	for (const path of new Set([...old.keys(), ...now.keys()])) {
		const [was, is] = [old.get(path) ?? [], now.get(path) ?? []];
		const isSame = was.length === is.length && was.every((each, index) => isSameDeclaration(each, is[index]!));
		if (!isSame) addDifference(differences, was, is, before.isGlobal || after.isGlobal);
	}
	return differences;
}

function addDifference(
	differences: Differences,
	was: readonly Declaration[],
	is: readonly Declaration[],
	isGlobal: boolean,
): void {
	const both = [...was, ...is];
	if (both.some(({ everywhere }) => everywhere)) differences.everywhere = true;
	const differing = was.flatMap((each, index) => (is[index] && isSameDeclaration(each, is[index]) ? [] : [index]));
	const [old, now] = [was[differing[0] ?? 0], is[differing[0] ?? 0]];
	const isOne = was.length === is.length && differing.length === 1;
	if (isOne && old?.at !== undefined && now?.at !== undefined) {
		const found = { path: old.path, before: old.at, after: now.at, names: old.names };
		if (isSameHead(old, now)) return void differences.unsure.push(found);
		differences.altered.push(found);
	}
	for (const { names } of both) for (const name of names) differences.names.add(name);
	for (const declaration of both) {
		if (!declaration.merges || !(isGlobal || declaration.everywhere)) continue;
		for (const [word] of visibleText(declaration).matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
			if (!scriptKeywords.has(word)) differences.words.add(word);
	}
}

/** True if some text says that what it declares inherits from one of some names. */
export function inherits(text: string, names: readonly string[]): boolean {
	const bases = [...text.matchAll(/\bextends\b([^{;]*)/g)].flatMap(
		([, base = ""]) => base.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [],
	);
	return bases.some((base) => names.includes(base));
}

function isSameDeclaration(a: Declaration, b: Declaration): boolean {
	return isSameHead(a, b) && isSameText(a.inferred, b.inferred);
}

function isSameHead(a: Declaration, b: Declaration): boolean {
	return a.context === b.context && isSameText(a.visible, b.visible);
}

function byPath({ declarations }: Outline): ReadonlyMap<string, Declaration[]> {
	const found = new Map<string, Declaration[]>();
	for (const declaration of declarations) {
		const known = found.get(declaration.path);
		if (known) known.push(declaration);
		else found.set(declaration.path, [declaration]);
	}
	return found;
}

/** Names that are only those of members: a type has them, whatever else is called like it. */
function membersOf({ declarations }: Outline): ReadonlySet<string> {
	const members = new Set<string>();
	for (const { names, path } of declarations)
		if (path.includes(".")) for (const name of names.slice(1)) members.add(name);
	for (const { names, path } of declarations) if (!path.includes(".")) for (const name of names) members.delete(name);
	return members;
}

function isEqual(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
	return a !== undefined && b !== undefined && a.size === b.size && [...a].every((each) => b.has(each));
}

/** The names that only one of two lists `__all__` of a Python module has. */
function listed(before: Outline, after: Outline): readonly string[] {
	const [old, now] = [before, after].map(({ declarations }) => {
		const said = declarations
			.filter(({ path }) => path === "__all__")
			.map((each) => visibleText(each) + inferredText(each));
		return new Set(Array.from(said.join(" ").matchAll(/["'](\w+)["']/g), ([, name = ""]) => name));
	});
	return [...(old ?? []), ...(now ?? [])].filter((name) => old?.has(name) !== now?.has(name));
}
