import { languageOf } from "./outline/languages.ts";
import type { Declaration } from "./outline/outline.ts";
import { SourceFile } from "./outline/source-file.ts";
import { understood } from "./visible-change.ts";

/** What a text declares, and what of it other files can see. */
export interface Declarations {
	readonly declarations: readonly Declaration[];
	/** The dotted names that other files can name. */
	readonly seen: ReadonlySet<string>;
}

/** Undefined where the language is not read, or the text is not understood. */
export async function declarationsOf(path: string, text: string): Promise<Declarations | undefined> {
	const language = languageOf(path);
	if (!language) return undefined;
	return understood(language, async (how) => {
		const file = new SourceFile(path, text, language, how);
		await file.readAll();
		const { declarations, seen } = file.outline;
		const names = new Set([...seen.values()].flatMap((own) => [...own]));
		return { declarations, seen: names };
	});
}
