import type { CheckReport, Diagnostic, FileReport, SignatureChange } from "../../src/contract/check-report.ts";

/** An error like no other one, on a line. */
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

/** So many errors, each on a line and with a message of its own. */
export function errors(count: number, over: Partial<Diagnostic> = {}): Diagnostic[] {
	return Array.from({ length: count }, (_, index) => error(index + 1, over));
}

/** So many errors with one message: what is left of callers whose property has gone. */
export function alike(count: number, over: Partial<Diagnostic> = {}): Diagnostic[] {
	return errors(count, { code: "2339", message: "Property 'w' does not exist on type 'Rect'.", new: true, ...over });
}

export function file(path: string, diagnostics: readonly Diagnostic[], over: Partial<FileReport> = {}): FileReport {
	return { path, role: "edited", state: "fresh", diagnostics, ...over };
}

/** Another file, newly broken. */
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

export const lines = (text: string | undefined) => (text ?? "").split("\n");
export const shown = (text: string | undefined) => lines(text).filter((line) => line.startsWith("ERROR"));
