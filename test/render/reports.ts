import type { CheckReport, Diagnostic, FileReport, SignatureChange } from "../../src/contract/check-report.ts";
import type { OutlineSymbol } from "../../src/operations/symbols.ts";

/** An error with a message of its own. */
export function error(line: number, over: Partial<Diagnostic> = {}): Diagnostic {
	return {
		line,
		column: 5,
		endLine: line,
		endColumn: 6,
		severity: "error",
		code: "2322",
		source: "ts",
		message: `Wrong ${line}.`,
		...over,
	};
}

/** Errors with different lines and messages. */
export function errors(count: number, over: Partial<Diagnostic> = {}): Diagnostic[] {
	return Array.from({ length: count }, (_, index) => error(index + 1, over));
}

/** Errors with the same message. */
export function alike(count: number, over: Partial<Diagnostic> = {}): Diagnostic[] {
	return errors(count, { code: "2339", message: "Property 'w' does not exist on type 'Rect'.", new: true, ...over });
}

export function file(path: string, diagnostics: readonly Diagnostic[], over: Partial<FileReport> = {}): FileReport {
	return { path, role: "edited", state: "fresh", diagnostics, ...over };
}

/** A newly broken affected file. */
export function affected(path: string, count: number): FileReport {
	return file(path, errors(count, { new: true }), { role: "affected" });
}

export function report(...files: FileReport[]): CheckReport {
	return { files, servers: [], omitted: { diagnostics: 0, files: 0 } };
}

export function change(over: Partial<SignatureChange> = {}): SignatureChange {
	return {
		name: "area",
		before: "area(w: number, h: number): number",
		after: "area(w: number): string",
		callers: 7,
		files: 3,
		failing: 2,
		...over,
	};
}

/** A symbol on one line, without children. */
export function outlineSymbol(name: string, kind: string, line: number): OutlineSymbol {
	return { name, kind, line, column: 1, endLine: line, endColumn: 2, nameLine: line, nameColumn: 1, children: [] };
}

export const lines = (text: string | undefined) => (text ?? "").split("\n");
export const shown = (text: string | undefined) => lines(text).filter((line) => line.startsWith("ERROR"));
