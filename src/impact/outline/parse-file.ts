import { type Language, languageOf } from "./languages.ts";
import { type Parsed, parserOf } from "./syntax.ts";

/** Beyond it a text is not parsed: what the parser does at its end, at a stretch, grows with the text. */
const maxUnits = 2 ** 18;
/** For a text, in milliseconds: a whole file of 200 KB takes longer than what an edit may wait for. */
const maxMs = 1_000;

export interface ParsedFile extends Parsed {
	readonly family: Language["family"];
}

/** Parses a whole file, with the bodies. Undefined for a language without a grammar, and for a text that takes too long. */
export async function parseFile(path: string, text: string): Promise<ParsedFile | undefined> {
	const language = languageOf(path);
	if (!language || text.length > maxUnits) return undefined;
	const parser = await parserOf(language);
	const parsed = await parser.parseWhole(text, language.shown?.(text) ?? text, maxMs);
	return parsed && { ...parsed, family: language.family };
}
