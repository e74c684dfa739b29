import { resolve } from "node:path";
import type { Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { type Diagnostic, severities } from "../../contract/check-report.ts";
import { harmlessData } from "../../render/harmless.ts";
import { toUri } from "../../util/positions.ts";

/** Paths are absolute or relative to `cwd`. */
export function toProtocol(diagnostics: readonly Diagnostic[], cwd: string): ProtocolDiagnostic[] {
	return diagnostics.map(({ line, column, endLine, endColumn, severity, code, source, message, related }) => ({
		range: {
			start: { line: line - 1, character: column - 1 },
			end: { line: endLine - 1, character: endColumn - 1 },
		},
		severity: (severities.indexOf(severity) + 1) as NonNullable<ProtocolDiagnostic["severity"]>,
		...(code === undefined ? {} : { code: codeOf(code) }),
		...(source === undefined ? {} : { source: harmlessData(source) }),
		message: harmlessData(message),
		...(related === undefined ? {} : { relatedInformation: related.map((place) => relatedOf(place, cwd)) }),
	}));
}

function codeOf(code: string): string | number {
	return /^[1-9]\d{0,8}$/.test(code) ? Number(code) : harmlessData(code);
}

function relatedOf(
	{ path, line, message }: { readonly path: string; readonly line: number; readonly message: string },
	cwd: string,
) {
	const start = { line: line - 1, character: 0 };
	return { location: { uri: toUri(resolve(cwd, path)), range: { start, end: start } }, message: harmlessData(message) };
}
