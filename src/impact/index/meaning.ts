import { hashOf } from "../../util/hash.ts";
import { type Language, languageOf } from "../outline/languages.ts";
import { folded } from "../outline/unread.ts";

const pragma =
	/@ts-|@jsx|\btype:|pyright|mypy|noqa|pylint|eslint|biome-|oxlint|prettier-|go:|\+build|nolint|NOLINT|clang-|^\/\/\/\s*</;
const wordPart = /[\p{L}\p{N}_$]/u;
/** Spaces may separate operators: `a + +b`, `a <-b`. */
const operator = /[-+&|<>=*/!?.:%^~]/;
/** A line break between these may end a statement or member. */
const mayEnd = /[\p{L}\p{N}_$"'`)\]}>+\-!/*?]/u;
const mayBegin = /[\p{L}\p{N}_$"'`([{<+\-/@#*!~\\]/u;

const maxUnits = 512 * 1024;

export function meaningOf(path: string, text: string): string {
	const language = languageOf(path);
	return hashOf(language ? withoutComments(text, language) : folded(text));
}

export function isSameMeaning(path: string, before: string, after: string): boolean {
	const language = languageOf(path);
	return language !== undefined && withoutComments(before, language) === withoutComments(after, language);
}

function withoutComments(text: string, { skipped, family, kept, grammar }: Language): string {
	if (text.length > maxUnits) return text;
	const isPython = family === "python";
	const endsLines = family === "script" || family === "go";
	// Text between tags may look like a comment.
	const isMarkup = grammar === "tsx" && /<\/|\/>/.test(text);
	const directive = family === "c" ? "^[ \\t]*#(?:\\\\\\r?\\n|.)*|" : "";
	let open = 0;
	const written: string[] = [];
	let end = "";
	let gap = "";
	const write = (words: string) => {
		if (words === "") return;
		const begin = words[0] ?? "";
		if (gap !== "" && end !== "") {
			const isBreak = gap.includes("\n");
			const isWord = wordPart.test(end) && /[\p{L}\p{N}_$"'`]/u.test(begin);
			if (isPython && open <= 0 && isBreak) written.push(gap);
			else if (endsLines && isBreak && mayEnd.test(end) && mayBegin.test(begin)) written.push("\n");
			else if (isWord || (operator.test(end) && operator.test(begin))) written.push(" ");
		}
		written.push(words);
		end = words.at(-1) ?? "";
		gap = "";
	};
	let last = 0;
	for (const { 0: found, index } of text.matchAll(new RegExp(`${directive}${skipped.source}|\\s+|[([{}\\])]`, "gm"))) {
		write(text.slice(last, index));
		last = index + found.length;
		const isComment = isPython ? found.startsWith("#") : /^\/[/*]/.test(found);
		if (isComment) {
			const isUnclosed = found.startsWith("/*") && !found.endsWith("*/");
			if (isUnclosed || (family === "script" && /[\\[/]/.test(text[index - 1] ?? ""))) return text;
			if (isMarkup || pragma.test(found) || kept.test(found)) write(`${found}\n`);
			else gap = gap.includes("\n") ? gap : found.includes("\n") ? "\n" : " ";
		} else if (found.trim() === "") {
			if (found.includes("\n")) gap = `\n${found.slice(found.lastIndexOf("\n") + 1)}`;
			else gap ||= " ";
		} else if (directive !== "" && /^\s*#/.test(found)) {
			written.push(`\n${found}\n`);
			end = "\n";
			gap = "";
		} else {
			// Templates nest.
			if (found.startsWith("`") && found.lastIndexOf("${") > found.lastIndexOf("}")) return text;
			write(found);
			if (/^[([{}\])]$/.test(found)) open += "([{".includes(found) ? 1 : -1;
		}
	}
	write(text.slice(last));
	return written.join("");
}
