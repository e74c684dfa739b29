import { hashOf } from "../../util/hash.ts";
import { type Language, languageOf } from "../outline/languages.ts";
import { folded } from "../outline/unread.ts";

/** Comments that tell a compiler or a checker something. */
const pragma =
	/@ts-|@jsx|\btype:|pyright|mypy|noqa|pylint|eslint|biome-|oxlint|prettier-|go:|\+build|nolint|NOLINT|clang-|^\/\/\/\s*</;
const wordPart = /[\p{L}\p{N}_$]/u;
/** Between two of these a space may tell one operator from two: `a + +b`, `a <-b`. */
const operator = /[-+&|<>=*/!?.:%^~]/;
/** Behind and before these a line break may end a statement, a member or a type. */
const mayEnd = /[\p{L}\p{N}_$"'`)\]}>+\-!/*?]/u;
const mayBegin = /[\p{L}\p{N}_$"'`([{<+\-/@#*!~\\]/u;

/** A text beyond this many UTF-16 units means what it says, white space and comments too: it was not written by anybody. */
const maxUnits = 512 * 1024;

/** A hash that is the same for two texts which differ in comments and white space alone, as a formatter leaves them. */
export function meaningOf(path: string, text: string): string {
	const language = languageOf(path);
	return hashOf(language ? withoutComments(text, language) : folded(text));
}

/** True if two texts of a file differ in comments and white space alone. */
export function isSameMeaning(path: string, before: string, after: string): boolean {
	const language = languageOf(path);
	return language !== undefined && withoutComments(before, language) === withoutComments(after, language);
}

/** A text without comments and white space that say nothing; the text itself where it is not sure which these are. */
function withoutComments(text: string, { skipped, family, kept, grammar }: Language): string {
	if (text.length > maxUnits) return text;
	const isPython = family === "python";
	const endsLines = family === "script" || family === "go";
	// What looks like a comment may be text between two tags.
	const isMarkup = grammar === "tsx" && /<\/|\/>/.test(text);
	/** A line of the preprocessor, with those that it goes on in. */
	const directive = family === "c" ? "^[ \\t]*#(?:\\\\\\r?\\n|.)*|" : "";
	/** Brackets that are open: in Python a statement goes on within them. */
	let open = 0;
	const written: string[] = [];
	let end = "";
	/** The white space and comments since what was written last: a line break with the indentation behind the last one. */
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
			// Within a regular expression it is none.
			if (family === "script" && /[\\[/]/.test(text[index - 1] ?? "")) return text;
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
			// A template within a template.
			if (found.startsWith("`") && found.lastIndexOf("${") > found.lastIndexOf("}")) return text;
			write(found);
			if (/^[([{}\])]$/.test(found)) open += "([{".includes(found) ? 1 : -1;
		}
	}
	write(text.slice(last));
	return written.join("");
}
