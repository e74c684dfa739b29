import { languageOf } from "./outline/languages.ts";
import type { Declaration } from "./outline/outline.ts";
import { SourceFile } from "./outline/source-file.ts";
import { understood } from "./visible-change.ts";

export interface Declarations {
	readonly declarations: readonly Declaration[];
	readonly seen: ReadonlySet<string>;
}

/** Undefined without an outline reader, or if not understood. */
export async function declarationsOf(path: string, text: string): Promise<Declarations | undefined> {
	const language = languageOf(path);
	if (!language) return undefined;
	return understood(language, async (how) => {
		const file = new SourceFile(path, text, language, how);
		await file.readAll();
		const { declarations, seen } = file.outline;
		const names = new Set([...seen].flatMap(([outside, own]) => [outside, ...own]));
		return { declarations, seen: names };
	});
}
