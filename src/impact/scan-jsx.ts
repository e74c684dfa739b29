import { Unsure } from "./literals.ts";
import type { Scanner } from "./scan.ts";
import { tokenKinds } from "./tokens.ts";

const tag = /<\s*([\w$.:-]*)\s*(\/>|.?)([\w$]*)/y;
const attribute = /[\w$.:-]+/y;
const mostNested = 200;

/** True if the less-than sign at `at`, where a value may stand, begins an element and no list of type parameters. */
export function beginsElement(scanner: Scanner, at: number): boolean {
	const { text } = scanner;
	tag.lastIndex = at;
	const [, name = "", next = "", word = ""] = tag.exec(text) ?? [];
	if (name === "") return next === ">";
	if (next === "/>" || next === "{") return true;
	if (next === ">") return scanner.lastOf(`</${name}`) > at;
	// `<T extends Shop>` and `<const T>` are no elements; a name with an attribute is one.
	return name !== "const" && /[\w$]/.test(next) && next + word !== "extends";
}

/** Reads an element of JSX with all that stands in it; the two outer angle brackets are a pair. */
export function scanElement(scanner: Scanner, from: number, depth = 0): number {
	const { text } = scanner;
	if (depth > mostNested) throw new Unsure();
	let at = scanner.pushOpen(from, from + 1);
	while (at < text.length) {
		const sign = text[at] ?? "";
		if (/\s/.test(sign)) at++;
		else if (sign === "{") at = braces(scanner, at);
		else if (sign === '"' || sign === "'") {
			const end = text.indexOf(sign, at + 1) + 1;
			if (end === 0) throw new Unsure();
			at = scanner.push(tokenKinds.string, at, end);
		} else if (text.startsWith("/>", at)) return scanner.pushClose(scanner.push(tokenKinds.sign, at, at + 1), at + 2);
		else if (sign === ">") return children(scanner, scanner.push(tokenKinds.sign, at, at + 1), depth);
		else {
			const comment = sign === "/" ? scanner.comment(at) : undefined;
			attribute.lastIndex = at;
			const word = attribute.exec(text)?.[0];
			at =
				comment ?? scanner.push(word === undefined ? tokenKinds.sign : tokenKinds.word, at, at + (word?.length ?? 1));
		}
	}
	throw new Unsure();
}

function children(scanner: Scanner, from: number, depth: number): number {
	const { text } = scanner;
	let at = from;
	while (at < text.length) {
		if (text[at] === "{") at = braces(scanner, at);
		else if (text.startsWith("</", at)) {
			const end = text.indexOf(">", at);
			if (end < 0) throw new Unsure();
			return scanner.pushClose(scanner.push(tokenKinds.sign, at, end), end + 1);
		} else if (text[at] === "<") at = scanElement(scanner, at, depth + 1);
		else {
			let end = at;
			while (end < text.length && text[end] !== "{" && text[end] !== "<") end++;
			const said = text.slice(at, end).replace(/\s+/g, " ").trim();
			if (said !== "") scanner.push(tokenKinds.string, at, end, said);
			at = end;
		}
	}
	throw new Unsure();
}

function braces(scanner: Scanner, at: number): number {
	const close = scanner.code(scanner.pushOpen(at, at + 1), true);
	return scanner.pushClose(close, close + 1);
}
