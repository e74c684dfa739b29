import type { Declaration } from "./outline/outline.ts";
import { follow, followAll, type Part, type SourceFile } from "./outline/source-file.ts";
import { noChange } from "./outline/unread.ts";
import type { ComparableDeclaration, ProvenOfChange, VisibleChange } from "./visible-change.ts";

interface Differing extends ComparableDeclaration {
	readonly names: readonly string[];
}

interface Differences {
	readonly names: Set<string>;
	readonly unsure: Differing[];
	readonly altered: Differing[];
	everywhere: boolean;
	readonly words: Set<string>;
	/** The declared type is the same, but another value narrows it. */
	readonly narrowed: Set<string>;
}

const keywords: ReadonlySet<string> = new Set(
	(
		"abstract any as async await bigint boolean break case catch class const constructor continue declare default " +
		"delete do else enum export extends false finally for from function get global if implements import in infer " +
		"instanceof interface is keyof let module namespace never new null number object of out override private " +
		"protected public readonly require return satisfies set static string super switch symbol this throw true try " +
		"type typeof undefined unique unknown var void while with yield"
	).split(" "),
);

export async function compare(
	before: SourceFile,
	after: SourceFile,
	{ same, hasMeaning }: ProvenOfChange,
): Promise<VisibleChange> {
	const files = [before, after];
	const isBoth = before.isThere && after.isThere;
	const isOther = isBoth && before.isGlobal !== after.isGlobal;
	if (isOther || !isBoth) for (const file of files) await file.readAll();
	else if (!(await readDifferent(before, after))) return noChange;
	await followAll(files, () => namesThatDiffer(before, after));
	const [old, now] = [before.outline, after.outline];
	const differences = differencesOf(before, after);
	const kept = new Set(now.declarations.flatMap(({ names }) => names));
	const lost = [...differences.names].filter((name) => !kept.has(name));
	// Types inferred from a lost name are unknown: only heirs and macros have errors.
	const roots = [...differences.names].filter((name) => kept.has(name) || hasMeaning?.(name));
	for (const { names, visible, isMacro, mentions } of lost.length > 0 ? now.declarations : [])
		if (inherits(visible, lost) || (isMacro && lost.some((name) => mentions.has(name)))) roots.push(...names);
	const closure = (more: readonly string[]) => new Set([...follow(files, [...roots, ...more]), ...lost]);
	const sure = closure([]);
	const unsure = differences.unsure.filter(({ path }) => same?.has(path) !== true);
	const all = unsure.length > 0 ? closure(unsure.flatMap(({ names }) => names)) : sure;
	const added = new Set<string>();
	const changed = new Set<string>(differences.words);
	const gone = new Set<string>();
	const isRestOther = restOf(before) !== restOf(after);
	let isAny = isRestOther;
	const members = membersOf(now.declarations);
	for (const outside of new Set([...old.seen.keys(), ...now.seen.keys()])) {
		const [was, is] = [old.seen.get(outside), now.seen.get(outside)];
		const differs = isOther || !isEqual(was, is) || [...(is ?? [])].some((name) => all.has(name));
		if (!differs) continue;
		const isNamed = outside !== "default" && !outside.startsWith("*");
		if (!was && is && (isNamed || !before.isThere) && ![...is].every((name) => members.has(name))) added.add(outside);
		else if (isNamed) {
			changed.add(outside);
			if (!is) gone.add(outside);
		} else isAny = true;
	}
	for (const name of namesListedOnce(old.declarations, now.declarations)) changed.add(name);
	const fromLost = follow([after], lost);
	const mayBeUnknown = [...now.seen.values()].some((names) =>
		[...names].some((name) => fromLost.has(name) && !all.has(name)),
	);
	const mentioned = mayBeUnknown ? after.mentioning() : undefined;
	const lostTypes = new Set(lost.filter((name) => mentioned?.has(name)));
	const nothing = !isAny && added.size === 0 && changed.size === 0 && lostTypes.size === 0;
	const isOpen = before.isGlobal || after.isGlobal || differences.everywhere || isRestOther;
	const seen = new Set([...old.seen.values(), ...now.seen.values()].flatMap((names) => [...names]));
	const isSeen = ({ names }: Differing) => [...follow(files, names)].some((name) => seen.has(name));
	const position = ({ path, before, after }: Differing): ComparableDeclaration => ({ path, before, after });
	return {
		nothing,
		added,
		changed: isAny ? undefined : changed,
		gone,
		lost: lostTypes,
		everywhere: !nothing && isOpen,
		uncertain: unsure.filter((each) => !each.names.every((name) => sure.has(name)) && isSeen(each)).map(position),
		altered: differences.altered.filter(({ names }) => names.some((name) => seen.has(name))).map(position),
	};
}

/** False if only hidden bodies differ. */
async function readDifferent(before: SourceFile, after: SourceFile): Promise<boolean> {
	const texts = differing(before.parts, after.parts);
	const [old, now] = [await before.visibleParts(texts), await after.visibleParts(texts)];
	const visible = differing(old, now);
	for (const { part, text } of old) if (visible.has(text)) await before.read(part);
	for (const { part, text } of now) if (visible.has(text)) await after.read(part);
	return visible.size > 0;
}

function differing(before: readonly Pick<Part, "text">[], after: readonly Pick<Part, "text">[]): Set<string> {
	const counts = new Map<string, number>();
	for (const { text } of before) counts.set(text, (counts.get(text) ?? 0) + 1);
	for (const { text } of after) counts.set(text, (counts.get(text) ?? 0) - 1);
	for (const [text, count] of counts) if (count === 0) counts.delete(text);
	return new Set(counts.keys());
}

function namesThatDiffer(before: SourceFile, after: SourceFile): Set<string> {
	const { names, unsure, narrowed } = differencesOf(before, after);
	for (const each of unsure) for (const name of each.names) names.add(name);
	for (const name of narrowed) names.add(name);
	const [old, now] = [before.outline.seen, after.outline.seen];
	for (const outside of new Set([...old.keys(), ...now.keys()]))
		if (!isEqual(old.get(outside), now.get(outside)) && !outside.startsWith("*"))
			for (const name of [outside, ...(old.get(outside) ?? []), ...(now.get(outside) ?? [])]) names.add(name);
	return names;
}

function differencesOf(before: SourceFile, after: SourceFile): Differences {
	const sets = { names: new Set<string>(), words: new Set<string>(), narrowed: new Set<string>() };
	const differences: Differences = { ...sets, unsure: [], altered: [], everywhere: false };
	const [old, now] = [byPath(before), byPath(after)];
	for (const path of new Set([...old.keys(), ...now.keys()])) {
		const [was, is] = [old.get(path) ?? [], now.get(path) ?? []];
		const isSame = was.length === is.length && was.every((each, index) => isSameDeclaration(each, is[index]!));
		if (!isSame) addDifference(differences, was, is, before.isGlobal || after.isGlobal);
		else if (was.some((each, index) => each.narrowing !== is[index]?.narrowing))
			for (const name of is[0]?.names ?? []) differences.narrowed.add(name);
	}
	if (differences.narrowed.size > 0) addUsersOfNarrowed(differences, old, now);
	return differences;
}

function addUsersOfNarrowed(
	{ narrowed, names, unsure, altered }: Differences,
	before: ReadonlyMap<string, Declaration[]>,
	after: ReadonlyMap<string, Declaration[]>,
): void {
	const compared = new Set([...unsure, ...altered].map(({ path }) => path));
	for (const { path, names: own, at, mentions } of [...after.values()].flat()) {
		if (compared.has(path) || ![...narrowed].some((name) => mentions.has(name))) continue;
		compared.add(path);
		const [was] = before.get(path) ?? [];
		if (at !== undefined && was?.at !== undefined) unsure.push({ path, before: was.at, after: at, names: own });
		else for (const name of own) names.add(name);
	}
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
		if (old.visible === now.visible) return void differences.unsure.push(found);
		differences.altered.push(found);
	}
	for (const { names } of both) for (const name of names) differences.names.add(name);
	for (const { merges, everywhere, visible } of both) {
		if (!merges || !(isGlobal || everywhere)) continue;
		for (const [word] of visible.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
			if (!keywords.has(word)) differences.words.add(word);
	}
}

export function inherits(text: string, names: readonly string[]): boolean {
	const bases = [...text.matchAll(/\bextends\b([^{;]*)/g)].flatMap(
		([, base = ""]) => base.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [],
	);
	return bases.some((base) => names.includes(base));
}

export function macrosIn(text: string): string {
	// Only a grammar finds the end of a Rust macro.
	if (text.includes("macro_rules!")) return text;
	return (text.match(/^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\[\s\S])*/gm) ?? []).join("\n");
}

function isSameDeclaration(a: Declaration, b: Declaration): boolean {
	return a.visible === b.visible && a.inferred === b.inferred;
}

function byPath({ outline }: SourceFile): ReadonlyMap<string, Declaration[]> {
	const found = new Map<string, Declaration[]>();
	for (const declaration of outline.declarations) {
		const known = found.get(declaration.path);
		if (known) known.push(declaration);
		else found.set(declaration.path, [declaration]);
	}
	return found;
}

function restOf({ outline }: SourceFile): string {
	return [...outline.rest].sort().join("\n");
}

function membersOf(declarations: readonly Declaration[]): ReadonlySet<string> {
	const members = new Set<string>();
	for (const { names, path } of declarations)
		if (path.includes(".")) for (const name of names.slice(1)) members.add(name);
	for (const { names, path } of declarations) if (!path.includes(".")) for (const name of names) members.delete(name);
	return members;
}

function isEqual(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
	return a !== undefined && b !== undefined && a.size === b.size && [...a].every((each) => b.has(each));
}

function namesListedOnce(before: readonly Declaration[], after: readonly Declaration[]): readonly string[] {
	const [old, now] = [before, after].map((declarations) => {
		const texts = declarations
			.filter(({ path }) => path === "__all__")
			.map(({ visible, inferred }) => visible + inferred);
		return new Set(Array.from(texts.join(" ").matchAll(/["']\s*(\w+)\s*["']/g), ([, name = ""]) => name));
	});
	return [...(old ?? []), ...(now ?? [])].filter((name) => old?.has(name) !== now?.has(name));
}
