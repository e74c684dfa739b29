import type { SignatureChange } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { escapeTags, oneLine } from "../escape.ts";

const maxChanges = 3;
const maxLength = 160;

export function signatureLines(changes: readonly SignatureChange[]): string[] {
	const shown = [...changes].sort((a, b) => b.failing - a.failing).slice(0, maxChanges);
	const cut = changes.length - shown.length;
	return [...shown.map(signatureLine), ...(cut > 0 ? [`… and ${cut} more`] : [])];
}

function signatureLine({ name, before, after, callers, files, failing }: SignatureChange): string {
	const [was, is] = shortened(oneLine(name), oneLine(before), oneLine(after)).map((text) => escapeTags(cut(text)));
	const suffer = failing > 0 ? `, ${count(failing, "fails", "fail")}` : "";
	return `exported ${was} is now ${is}; ${count(callers, "caller", "callers")} in ${count(files, "file", "files")}${suffer}`;
}

/** The full old one, and the new one without their common beginning. */
function shortened(name: string, before: string, after: string): [string, string] {
	const own = name.slice(name.lastIndexOf(".") + 1);
	const written = [name, own].find((word) => indexOfWord(before, word) >= 0);
	if (written === undefined) return [`${name}: ${before}`, after];
	const at = indexOfWord(before, written);
	const head = before.slice(0, at + written.length);
	const was = `${before.slice(0, at)}${name}${before.slice(head.length)}`;
	const rest = after.slice(head.length);
	if (!after.startsWith(head) || isName(rest[0]) || rest.trim() === "") return [was, after];
	const mark = /^\s*[:=]\s*/.exec(rest)?.[0];
	const same = mark !== undefined && before.startsWith(mark, head.length);
	return [was, (same ? rest.slice(mark.length) : rest).trim()];
}

function indexOfWord(text: string, word: string): number {
	if (word === "") return -1;
	let at = text.indexOf(word);
	while (at >= 0 && (isName(text[at - 1]) || isName(text[at + word.length]))) at = text.indexOf(word, at + 1);
	return at;
}

function isName(character: string | undefined): boolean {
	return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

function cut(text: string): string {
	if (text.length <= maxLength) return text;
	const half = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? "");
	return `${text.slice(0, half ? maxLength - 1 : maxLength)}…`;
}
