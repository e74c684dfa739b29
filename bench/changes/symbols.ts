import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DocumentSymbol } from "vscode-languageserver-protocol";
import { counted, type Figure, wrongAnswers } from "../figures.ts";
import { Random } from "../truth/random.ts";
import { declarationFor, type Made, withStatement } from "./code.ts";
import { change, type Extent, errorsInText, moreIn, restore, type Stage, withStage } from "./stage.ts";
import type { ChangeSubject, LanguageName } from "./subjects.ts";

const kinds = ["replace_symbol", "insert_before", "insert_after", "delete_symbol"] as const;
type Kind = (typeof kinds)[number];

/** A declaration with lines of its own, from the bare server's outline. Lines are 0-based, ends exclusive. */
interface Declaration {
	readonly file: string;
	readonly name: string;
	/** Of the name. */
	readonly line: number;
	readonly start: number;
	readonly end: number;
	/** The first line of the comments and decorators above. */
	readonly top: number;
	readonly isInClass: boolean;
}

/** An edit, and the text that it makes when done manually. */
interface Order {
	readonly input: object;
	readonly manual: string;
	/** The text before the edit, where it is not the package's. */
	readonly given?: string;
}

/** Edits of declarations of a package, compared with the same edits done manually, which splice whole lines. */
export function symbolEdits(subject: ChangeSubject, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withStage(subject, async (stage) => {
		log(`${subject.name}: ${Object.keys(stage.files).length} files`);
		const declarations = await declarationsIn(stage, subject);
		const random = new Random(seed);
		const tally = { done: 0, equal: 0, refusals: 0, wrong: 0, refused: 0, untouched: 0 };
		log(`  ${declarations.length} declarations`);
		const before = errorsInText((await stage.judge()).errors, (file) => stage.files[file] ?? "");
		for (; tally.done < each && !isOver(); tally.done++) {
			const kind = kinds[tally.done % kinds.length] as Kind;
			// The deletion of an overload breaks nothing while its function has others.
			const isOnly = ({ file, name }: Declaration) =>
				declarations.filter((other) => other.file === file && other.name === name).length === 1;
			const declaration = random.pick(kind === "delete_symbol" ? declarations.filter(isOnly) : declarations);
			if (!declaration) throw new Error(`no declaration in ${subject.name}`);
			const { file, name, line } = declaration;
			const note = (what: string) => log(`  ${kind} ${file}:${line + 1} ${name}: ${what}`);
			const order = orderFor(kind, declaration, { stage, subject, random, n: tally.done });
			const path = join(stage.root, file);
			if (order.given !== undefined) writeFileSync(path, order.given);
			const outcome = await change(stage, kind, { file, ...order.input });
			const written = readFileSync(path, "utf8");
			const judged = async (text: string) => {
				writeFileSync(path, text);
				const { errors } = await stage.judge();
				return errorsInText(errors, (other) => (other === file ? text : (stage.files[other] ?? "")));
			};
			if ("refused" in outcome) {
				if (written !== (order.given ?? stage.files[file])) tally.untouched++;
				// A manual deletion of a symbol in use breaks its users.
				const isRight = kind === "delete_symbol" && moreIn(await judged(order.manual), before).length > 0;
				if (isRight) tally.refusals++;
				else tally.refused++;
				if (!isRight) note(`refused: ${outcome.refused.message}`);
			} else if (written === order.manual) tally.equal++;
			else {
				const [ours, manual] = [await judged(written), await judged(order.manual)];
				const [more, less] = [moreIn(ours, manual), moreIn(manual, ours)];
				if (more.length + less.length > 0) {
					tally.wrong++;
					note(`the compiler finds ${more.slice(0, 3).join("; ")} instead of ${less.slice(0, 3).join("; ")}`);
				}
			}
			restore(stage);
		}
		const { done, equal } = tally;
		log(`  ${equal} equal the manual edits, ${tally.refusals} were correctly refused`);
		const what = `symbols, ${subject.name}`;
		return [
			wrongAnswers(`${what}: edits that the compiler judges unlike the manual ones`, tally.wrong, done),
			wrongAnswers(`${what}: edits refused`, tally.refused + tally.untouched, done),
			counted(`${what}: deletions refused whose manual form breaks other code`, tally.refusals, done),
			counted(`${what}: edits with the bytes of the manual ones`, equal, done),
		];
	});
}

interface Around {
	readonly stage: Stage;
	readonly subject: ChangeSubject;
	readonly random: Random;
	readonly n: number;
}

function orderFor(kind: Kind, declaration: Declaration, { stage, subject, random, n }: Around): Order {
	const { file, name, line, start, end, top, isInClass } = declaration;
	const lines = (stage.files[file] ?? "").split("\n");
	const symbol = `${line + 1}:${name}`;
	const indent = /^\s*/.exec(lines[start] ?? "")?.[0] ?? "";
	const isWrong = random.next() < 0.5;
	const made = (what: Made): string => declarationFor(subject.language, what);
	const gap = subject.language === "Python" && indent === "" ? ["", ""] : [""];
	const placed = (code: string) => code.split("\n").map((each) => (each === "" ? "" : indent + each));
	const spliced = (from: number, to: number, code: readonly string[]) =>
		[...lines.slice(0, from), ...code, ...lines.slice(to)].join("\n");
	switch (kind) {
		case "replace_symbol": {
			const own = lines.slice(start, end).map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each));
			const code = withStatement(subject.language, own, n, isWrong);
			return { input: { symbol, code: code.join("\n") }, manual: spliced(start, end, placed(code.join("\n"))) };
		}
		case "insert_before": {
			const code = made({ n, isWrong, isInClass });
			return { input: { symbol, code }, manual: spliced(top, top, [...placed(code), ...gap]) };
		}
		case "insert_after": {
			const code = made({ n, isWrong, isInClass });
			return { input: { symbol, code }, manual: spliced(end, end, [...gap, ...placed(code)]) };
		}
		case "delete_symbol": {
			// Every other deletion is of an unused declaration, which leaves the package as it is.
			if (n % 8 < 4) return { input: { symbol }, manual: spliced(top, end, []) };
			const code = placed(made({ n, isWrong: false, isInClass, isCommented: true }));
			const given = spliced(end, end, [...gap, ...code]);
			const at = given.split("\n").findIndex((each) => each.includes(`added${n}`) && !/^\s*(?:\/\/|#)/.test(each));
			return { input: { symbol: `${at + 1}:added${n}` }, given, manual: stage.files[file] ?? "" };
		}
	}
}

/** Functions, classes and methods of classes that have lines of their own. */
async function declarationsIn({ bare, files }: Stage, subject: ChangeSubject): Promise<Declaration[]> {
	const found: Declaration[] = [];
	for (const [file, text] of Object.entries(files)) {
		if (!subject.isSource(file)) continue;
		const lines = text.split("\n");
		const symbols = await bare.ask<DocumentSymbol[] | null>("textDocument/documentSymbol", file);
		const visit = (each: DocumentSymbol, isInClass: boolean) => {
			const declaration = declarationOf(each, lines, subject.language);
			if (declaration && isDeclared(each, subject.language)) found.push({ file, ...declaration, isInClass });
			if (each.kind === 5 && subject.language !== "C") for (const child of each.children ?? []) visit(child, true);
			// The methods of an `impl` in Rust.
			else if (each.kind === 19) for (const child of each.children ?? []) visit(child, true);
		};
		for (const each of symbols ?? []) visit(each, false);
	}
	return found;
}

/** Kinds of LSP: 5 class, 6 method, 11 interface, 12 function, 23 structure. */
function isDeclared({ kind, name }: DocumentSymbol, language: LanguageName): boolean {
	return [6, 12, ...(language === "C" ? [] : [5, 23])].includes(kind) && /^[A-Za-z_]\w*$/.test(name);
}

function declarationOf(
	{ name, range, selectionRange }: DocumentSymbol,
	lines: readonly string[],
	language: LanguageName,
) {
	const line = selectionRange.start.line;
	// Some outlines begin with the comments and decorators.
	let start = range.start.line;
	while (start < line && isAbove(lines[start] ?? "", language)) start++;
	const end = range.end.line + 1;
	const head = (lines[range.start.line] ?? "").slice(0, range.start.character);
	const tail = (lines[end - 1] ?? "").slice(range.end.character);
	if (!/^[\w\s]*$/.test(head) || !/^\s*;?\s*$/.test(tail) || end - start < 2) return undefined;
	let top = start;
	while (top > 0 && isAbove(lines[top - 1] ?? "", language)) top--;
	return { name, line, start, end, top };
}

function isAbove(line: string, language: LanguageName): boolean {
	if (language === "Python") return /^\s*[#@]/.test(line);
	if (language === "C") return /^\s*(?:\/\/|\/?\*)/.test(line);
	return /^\s*(?:\/\/|\/?\*|@\w|#!?\[)/.test(line);
}
