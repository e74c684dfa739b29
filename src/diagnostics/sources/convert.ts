import type { Position, Diagnostic as ProtocolDiagnostic } from "vscode-languageserver-protocol";
import { byPosition, type Diagnostic, type RelatedLocation, severities } from "../../contract/check-report.ts";
import { type PositionEncoding, toPath, toSpots } from "../../util/positions.ts";
import { TimeSlices } from "../../util/time-slices.ts";

/** clangd adds this once another file shows it the header. */
const fixCount = / \(fix(?:es)? available\)$/;

/** In slices: a file may have 100,000 diagnostics. */
export async function convertDiagnostics(
	items: readonly ProtocolDiagnostic[],
	lines: readonly string[],
	encoding: PositionEncoding,
): Promise<Diagnostic[]> {
	const converted = new Map<string, Diagnostic>();
	const slices = new TimeSlices();
	for (const item of items) {
		if (slices.isOver) await slices.next();
		const { start, end } = toSpots(item.range, lines, encoding);
		const diagnostic: Diagnostic = {
			line: start.line,
			column: start.column,
			endLine: end.line,
			endColumn: end.column,
			severity: severities[(item.severity ?? 1) - 1] ?? "error",
			...(item.code === undefined || item.code === null ? {} : { code: String(item.code) }),
			...(typeof item.source === "string" && item.source ? { source: item.source } : {}),
			message: (typeof item.message === "string" ? item.message : item.message.value).replace(fixCount, ""),
			...relatedOf(item),
		};
		converted.set(diagnosticKey(diagnostic), diagnostic);
	}
	return [...converted.values()].sort(byPosition);
}

const maxRelated = 5;

function relatedOf({ relatedInformation }: ProtocolDiagnostic): Pick<Diagnostic, "related"> {
	if (!Array.isArray(relatedInformation)) return {};
	const related = relatedInformation.slice(0, maxRelated).flatMap((item): RelatedLocation[] => {
		const { location, message } = item ?? {};
		const path = typeof location?.uri === "string" ? toPath(location.uri) : undefined;
		if (path === undefined || typeof message !== "string" || !isRange(location?.range)) return [];
		return [{ path, line: location.range.start.line + 1, message }];
	});
	return related.length > 0 ? { related } : {};
}

function isRange(range: unknown): boolean {
	const { start, end } = (range ?? {}) as Partial<Record<"start" | "end", Partial<Position> | null>>;
	return [start?.line, start?.character, end?.line, end?.character].every((number) => typeof number === "number");
}

export function diagnosticKey({ line, column, severity, message }: Diagnostic): string {
	return JSON.stringify([line, column, severity, message]);
}
