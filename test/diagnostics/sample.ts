import type { Diagnostic } from "../../src/contract/check-report.ts";

/** An error on a line; without other fields all of them are equal. */
export function error(line: number, over: Partial<Diagnostic> = {}): Diagnostic {
	return {
		line,
		column: 1,
		endLine: line,
		endColumn: 2,
		severity: "error",
		code: "1",
		source: "ts",
		message: "Wrong.",
		...over,
	};
}

/** A diagnostic of a server, an error at the start of a text. */
export function wrong(message: string): object {
	const position = { line: 0, character: 0 };
	return { range: { start: position, end: position }, severity: 1, message };
}

/** A text and the errors on its lines with the word WRONG: `WRONG x` is the message that x is wrong. */
export function judged(text: string): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
	const diagnostics = text.split(/\r\n|\n|\r/).flatMap((content, index) => {
		const match = /WRONG( \w+)?/.exec(content);
		return match ? [error(index + 1, { column: match.index + 1, message: match[0] })] : [];
	});
	return { text, diagnostics };
}
