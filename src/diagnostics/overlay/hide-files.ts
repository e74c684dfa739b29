import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Location, Position, Range } from "vscode-languageserver-protocol";
import type { Diagnostic } from "../../contract/check-report.ts";
import { withoutExtension } from "../../impact/index/imports.ts";
import { familyOf } from "../../impact/index/sources.ts";
import type { OpenDocument } from "../../lsp/documents.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { abortReason } from "../../util/abort.ts";
import { type LocationResult, locationsIn, positionAt, toPath } from "../../util/positions.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { documentOnDisk, type Proof } from "../sources/prove.ts";
import { importedNames } from "./gone-imports.ts";
import { OtherTargets } from "./other-targets.ts";
import { languageIn } from "./show-texts.ts";

/** Letters for names of Python that no file has. */
const firstLetter = 0xa000;
const maxGone = 1000;
/** Of all texts: as many letters stand in their place. */
const maxWords = 1000;
const maxUsers = 200;
const maxCandidates = 200;

interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly alias: string;
}

interface GoneWord {
	readonly file: string;
	readonly word: string;
}

interface Replacing {
	readonly words: GoneWord[];
	readonly others: OtherTargets;
	readonly signal: AbortSignal;
}

export interface HiddenFiles {
	readonly texts: ReadonlyMap<string, string>;
	readonly unknown: ReadonlySet<string>;
	/** As of the real text. */
	restored(proof: Proof): Proof;
}

/**
 * Imports get names that no file has, since servers look on the disk. Undefined if that fails. The server has the
 * edit's other texts.
 */
export async function hideFiles(
	server: LanguageServer,
	gone: ReadonlySet<string>,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<HiddenFiles | undefined> {
	if (server.config.withoutFile === "package") return withoutText(gone);
	if (server.config.withoutFile !== "imports" || paths.length > maxUsers || gone.size > maxGone) return undefined;
	const others = new OtherTargets(server, gone);
	for (const path of gone) if (await others.isNextTo(path)) return undefined;
	const texts = new Map([...gone].map((path) => [path, ""]));
	const unknown = new Set<string>();
	const replacing: Replacing = { words: [], others, signal };
	const real = new Map<string, { readonly document: OpenDocument; readonly replacements: readonly Replacement[] }>();
	for (const path of paths) {
		if (gone.has(path)) continue;
		const shown = server.documents.isOverlaid(path) ? server.documents.get(path) : undefined;
		const document = shown ?? (await documentOnDisk(server, path, languageIn(server, path)).catch(() => undefined));
		if (!document) continue;
		const replacements = await replacementsIn(server, document, gone, replacing);
		if (!replacements) unknown.add(path);
		else if (replacements.length > 0) {
			texts.set(path, replaced(document.text, replacements));
			real.set(path, { document, replacements });
		}
	}
	const restored = (proof: Proof): Proof => {
		const own = real.get(proof.path);
		if (!own) return proof;
		const { text, hash } = own.document;
		const inserted = own.replacements
			.filter(({ alias }) => alias !== "")
			.map(({ end, alias }) => ({ ...positionAt(end, text, "utf-16"), length: alias.length }));
		const diagnostics = proof.diagnostics.map((each) => withRealNames(each, inserted, replacing.words));
		return { ...proof, text, hash, diagnostics };
	};
	return { texts, unknown, restored };
}

/** A Go file shows its package only what it declares. */
async function withoutText(gone: ReadonlySet<string>): Promise<HiddenFiles | undefined> {
	const texts = new Map<string, string>();
	for (const path of gone) {
		const text = (await readText(path, anySource)) ?? "";
		const clause = packageClause(text);
		if (clause === undefined) return undefined;
		const isTest = path.endsWith("_test.go");
		const names = await readdir(dirname(path)).catch(() => []);
		const others = names.filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"));
		const left = others.map((name) => join(dirname(path), name)).filter((other) => !gone.has(other));
		const same = await Promise.all(left.map(async (other) => packageClause((await readText(other, anySource)) ?? "")));
		if (!isTest && !same.some((other) => nameIn(other) === nameIn(clause))) return undefined;
		texts.set(path, `${clause}\n`);
	}
	return { texts, unknown: new Set(), restored: (proof) => proof };
}

/** With comments above, which may be build constraints. */
function packageClause(text: string): string | undefined {
	const from = endOfComments(text);
	const clause = /package[ \t]+\w+/y;
	clause.lastIndex = from;
	const found = clause.exec(text)?.[0];
	return found === undefined ? undefined : text.slice(0, from) + found;
}

function endOfComments(text: string): number {
	let at = 0;
	for (;;) {
		while (/\s/.test(text.charAt(at))) at++;
		const end = text.startsWith("//", at) ? "\n" : text.startsWith("/*", at) ? "*/" : undefined;
		if (end === undefined) return at;
		const found = text.indexOf(end, at + 2);
		if (found < 0) return text.length;
		at = found + end.length;
	}
}

function nameIn(clause: string | undefined): string | undefined {
	return clause === undefined ? undefined : /\w+$/.exec(clause)?.[0];
}

async function replacementsIn(
	server: LanguageServer,
	{ path, uri, text }: OpenDocument,
	gone: ReadonlySet<string>,
	{ words, others, signal }: Replacing,
): Promise<Replacement[] | undefined> {
	const found = new Map<number, Replacement>();
	for (const file of gone) {
		const candidates = importedNames(text, path, withoutExtension(file));
		if (candidates.length > maxCandidates) return undefined;
		for (const { at, word, alias, absolute } of candidates) {
			const position = positionAt(at, text, server.encoding);
			const place = { textDocument: { uri }, position };
			const answer = server.request<LocationResult>("textDocument/definition", place, signal);
			const targets = await answer.then(locationsIn, () => undefined);
			if (signal.aborted) throw abortReason(signal);
			if (!targets) return undefined;
			// A Python name may be declared there.
			const isModule = ({ uri: target, range }: Location) =>
				toPath(target) === file && (familyOf(path) !== "python" || isStart(range));
			if (!targets.some(isModule)) continue;
			if (!word || (absolute !== undefined && (await others.isNamed(absolute, path)))) return undefined;
			const { start, end } = word;
			const letter = letterFor({ file, word: text.slice(start, end) }, words);
			if (letter === undefined) return undefined;
			found.set(start, { start, end, text: letter.repeat(end - start), alias });
		}
	}
	return [...found.values()].sort((a, b) => a.start - b.start);
}

function letterFor({ file, word }: GoneWord, words: GoneWord[]): string | undefined {
	const known = words.findIndex((each) => each.file === file && each.word === word);
	if (known < 0 && words.length >= maxWords) return undefined;
	const index = known < 0 ? words.push({ file, word }) - 1 : known;
	return String.fromCharCode(firstLetter + index);
}

function isStart({ start, end }: Range): boolean {
	return start.line === 0 && start.character === 0 && end.line === 0 && end.character === 0;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
	let [all, from] = ["", 0];
	for (const { start, end, text: letter, alias } of replacements) {
		all += text.slice(from, start) + letter + alias;
		from = end;
	}
	return all + text.slice(from);
}

function withRealNames(
	{ message, column, endColumn, related, ...item }: Diagnostic,
	inserted: readonly (Position & { readonly length: number })[],
	words: readonly GoneWord[],
): Diagnostic {
	const real = (text: string) =>
		text.replace(
			/([\ua000-\ua3e7])\1*/g,
			(run, letter: string) => words[letter.charCodeAt(0) - firstLetter]?.word ?? run,
		);
	const moved = (at: number, from: number) => {
		let to = from;
		for (const { line, character, length } of inserted)
			if (line + 1 === at && to > character + 1) to = Math.max(to - length, character + 1);
		return to;
	};
	return {
		...item,
		message: real(message),
		column: moved(item.line, column),
		endColumn: moved(item.endLine, endColumn),
		...(related ? { related: related.map((each) => ({ ...each, message: real(each.message) })) } : {}),
	};
}
