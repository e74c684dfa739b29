import { type Declarations, declarationsOf } from "../impact/declarations.ts";
import { hunksBetween } from "../impact/hunks.ts";
import { isSameMeaning } from "../impact/index/meaning.ts";
import { type DeclaredSymbol, type DeclaredSymbols, symbolsOn } from "./declared-symbols.ts";

type ChangeKind = "body" | "signature" | "added" | "removed" | "moved";

export interface SymbolChange {
	/** Absolute. */
	readonly path: string;
	readonly symbol: string;
	readonly kind: string;
	/** 1-based; in the old text for a removed symbol. */
	readonly line: number;
	readonly change: ChangeKind;
	/** Undefined for a language without an outline reader. */
	readonly exported?: boolean;
	readonly from?: string;
	readonly source?: SymbolChange;
	readonly declared: DeclaredSymbol;
	readonly was?: DeclaredSymbol;
	readonly isUnsure?: boolean;
}

export interface TextState {
	readonly text: string;
	readonly symbols: DeclaredSymbols;
}

/** `undefined` is a missing file. */
export interface FileStates {
	readonly path: string;
	readonly before: TextState | undefined;
	readonly after: TextState | undefined;
}

/** Comments do not count. A container that came or went stands for its members. */
export async function symbolChanges({ path, before, after }: FileStates): Promise<SymbolChange[]> {
	const [old, now] = await Promise.all([
		before && declarationsOf(path, before.text),
		after && declarationsOf(path, after.text),
	]);
	const oldSymbols: DeclaredSymbols = before?.symbols ?? new Map();
	const newSymbols: DeclaredSymbols = after?.symbols ?? new Map();
	const hunks = hunksBetween(before?.text ?? "", after?.text ?? "");
	const touched = new Set([
		...symbolsOn(
			oldSymbols,
			hunks.map((hunk) => hunk.before),
		),
		...symbolsOn(
			newSymbols,
			hunks.map((hunk) => hunk.after),
		),
	]);
	const changes: SymbolChange[] = [];
	const add = (
		declared: DeclaredSymbol,
		change: ChangeKind,
		seen: Declarations | undefined,
		more: Partial<SymbolChange> = {},
	) =>
		changes.push({
			path,
			symbol: declared.path,
			kind: declared.kind,
			line: declared.at.line,
			change,
			...(seen ? { exported: isSeen(declared, seen) } : {}),
			declared,
			...more,
		});
	for (const [name, declared] of newSymbols) {
		const was = before?.symbols.get(name);
		if (!was) {
			if (declared.parent === undefined || before?.symbols.has(declared.parent) === true) add(declared, "added", now);
			continue;
		}
		if (was.text === declared.text || isSameMeaning(path, was.text, declared.text)) continue;
		const change = signatureChange({ was, declared, old, now });
		const isOwn = touched.has(name) && was.own !== declared.own && !isSameMeaning(path, was.own, declared.own);
		if (!isOwn && (change !== "different" || !containsOthers(name, after))) continue;
		add(declared, change === "same" ? "body" : "signature", now, { was, isUnsure: change === "unsure" });
	}
	for (const [name, declared] of oldSymbols) {
		if (after?.symbols.has(name)) continue;
		if (declared.parent === undefined || after?.symbols.has(declared.parent) === true) add(declared, "removed", old);
	}
	return changes;
}

/** Changes of members show where all of the container's text is seen. */
function containsOthers(name: string, state: TextState | undefined): boolean {
	return [...(state?.symbols.values() ?? [])].some(({ parent }) => parent === name);
}

interface Both {
	readonly was: DeclaredSymbol;
	readonly declared: DeclaredSymbol;
	readonly old: Declarations | undefined;
	readonly now: Declarations | undefined;
}

/** `unsure`: the text that a type is inferred from differs, or only its text is known. */
function signatureChange({ was, declared, old, now }: Both): "same" | "different" | "unsure" {
	const [before, after] = [textsOf(was.path, old), textsOf(declared.path, now)];
	if (before && after) {
		if (before.visible !== after.visible) return "different";
		return before.inferred === after.inferred ? "same" : "unsure";
	}
	const [around, nowAround] = [textsOf(was.parent, old), textsOf(declared.parent, now)];
	if (around && nowAround) return around.visible === nowAround.visible ? "same" : "different";
	if (headOf(was) !== headOf(declared)) return "different";
	if (was.own !== was.text || declared.own !== declared.text) return "same";
	return /^(?:function|method|constructor)$/.test(declared.kind) ? "unsure" : "different";
}

function textsOf(path: string | undefined, known: Declarations | undefined) {
	const found = known?.declarations.filter((each) => each.path === path) ?? [];
	if (found.length === 0) return undefined;
	return {
		visible: found.map(({ visible }) => visible).join("\n"),
		inferred: found.map(({ inferred }) => inferred).join("\n"),
	};
}

function headOf({ text, at, spans }: DeclaredSymbol): string {
	return text
		.split("\n")
		.slice(0, at.line - (spans[0]?.[0] ?? at.line) + 1)
		.join("\n");
}

export function isSeen({ path }: DeclaredSymbol, { seen }: Declarations): boolean {
	const [first = ""] = path.split(".");
	return seen.has(path) || seen.has(first);
}

export function withMoves(changes: readonly SymbolChange[]): SymbolChange[] {
	const removed = changes.filter(({ change }) => change === "removed");
	const moved = new Set<SymbolChange>();
	const joined = changes.map((each) => {
		if (each.change !== "added") return each;
		const from = removed.find(
			(other) => other.path !== each.path && !moved.has(other) && isSameText(other.declared, each.declared),
		);
		if (!from) return each;
		moved.add(from);
		return { ...each, change: "moved" as const, from: from.path, source: from };
	});
	return joined.filter((each) => !moved.has(each));
}

function isSameText(one: DeclaredSymbol, other: DeclaredSymbol): boolean {
	const plain = ({ text }: DeclaredSymbol) =>
		text
			.replace(/\s+/g, " ")
			.replace(/^ ?(?:export (?:default )?)?/, "")
			.trim();
	return one.path.split(".").at(-1) === other.path.split(".").at(-1) && plain(one) === plain(other);
}
