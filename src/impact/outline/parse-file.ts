import { type Language, languageOf } from "./languages.ts";
import { type Parsed, parserOf } from "./syntax.ts";

/** The parser's last step is not interrupted. */
const maxUnits = 2 ** 18;
/** A file of 200 KB takes too long for an edit. */
const maxMs = 1_000;

export interface ParsedFile extends Parsed {
	readonly family: Language["family"];
}

/** Undefined without a grammar, or beyond a limit. */
export async function parseFile(path: string, text: string): Promise<ParsedFile | undefined> {
	const language = languageOf(path);
	if (!language || text.length > maxUnits) return undefined;
	const parser = await parserOf(language);
	const parsed = await parser.parseWhole(text, language.shown?.(text) ?? text, maxMs);
	return parsed && { ...parsed, family: language.family };
}
