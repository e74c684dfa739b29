import { cOutline } from "./declarations-c.ts";
import { goOutline } from "./declarations-go.ts";
import { pythonOutline } from "./declarations-python.ts";
import { rustOutline } from "./declarations-rust.ts";
import { scriptOutline } from "./declarations-script.ts";
import { languageOf } from "./languages.ts";
import type { Outline } from "./outline.ts";
import { tokensOf } from "./scan.ts";

const readers = {
	script: scriptOutline,
	python: pythonOutline,
	go: goOutline,
	c: cOutline,
	rust: rustOutline,
} as const;

/** Reads what a file declares; undefined where its text is not understood, or its language not read. */
export function outlineOf(path: string, text: string): Outline | undefined {
	const language = languageOf(path);
	const tokens = language && tokensOf(text, language);
	try {
		return language && tokens && readers[language.family](tokens, path);
	} catch (error) {
		// Namespaces within each other by the thousands.
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}
