import { type Language, languageOf } from "./languages.ts";
import { type Parsed, parserOf } from "./syntax.ts";

/** Beyond it a text is not parsed. */
const maxUnits = 2_000_000;
/** For a text, in milliseconds: a whole file of 200 KB takes longer than what an edit may wait for. */
const maxMs = 3_000;

export interface ParsedFile extends Parsed {
	readonly family: Language["family"];
}

/** Parses a whole file, with the bodies. Undefined for a language without a grammar, and for a text that takes too long. */
export async function parseFile(path: string, text: string): Promise<ParsedFile | undefined> {
	const language = languageOf(path);
	if (!language || text.length > maxUnits) return undefined;
	const parser = await parserOf(language);
	const parsed = parser.parse(text, language.shown?.(text) ?? text, () => false, maxMs);
	return parsed && { ...parsed, family: language.family };
}
