export interface Summary {
	readonly line: string;
	readonly more: boolean;
}

const maxCharacters = 500_000;

/** What was written, counts, else the first line outside a fence. */
export function summarize(operation: string, text: string): Summary {
	const lines = text
		.slice(0, maxCharacters)
		.split("\n")
		.filter((line) => line.trim() !== "");
	const more = lines.length > 1;
	const found = lines.flatMap(severitiesOf);
	const files = new Set(lines.flatMap((line) => /^<diagnostics file="(.*)">$/.exec(line)?.[1] ?? []));
	const place = files.size === 1 ? [...files][0] : `${files.size} files`;
	const wrong = found.length > 0 ? `${counted(found)} in ${place}` : undefined;
	if (/^undo: u\d+$/.test(lines.at(-1) ?? ""))
		return { line: [lines[0]?.trim(), ...(wrong === undefined ? [] : [wrong])].join(" · "), more };
	if (wrong !== undefined) return { line: wrong, more };
	if (operation === "symbols" && more)
		return {
			line: `${lines.length} symbols, ${lines.filter((line) => !line.startsWith(" ")).length} at the top`,
			more,
		};
	return { line: (lines.find((line) => !line.startsWith("```")) ?? "").trim(), more };
}

function severitiesOf(line: string): string[] {
	const outside =
		/^(?:All (\d{1,5}) errors|(\d{1,5}) of its \d+ errors?|Its only error) ha(?:ve one|s its) cause outside the file: /.exec(
			line,
		);
	if (outside) return Array.from({ length: Number(outside[1] ?? outside[2] ?? 1) }, () => "ERROR");
	const severity = /^(ERROR|WARNING|INFO|HINT) \[/.exec(line)?.[1];
	if (severity === undefined) return [];
	const [, places = "", more = 0] = / also at (\d+:\d+(?:, \d+:\d+)*)(?: and (\d{1,5}) more)?$/.exec(line) ?? [];
	const further = places === "" ? 0 : places.split(", ").length + Number(more);
	return Array.from({ length: 1 + further }, () => severity);
}

function counted(found: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const severity of found) counts.set(severity, (counts.get(severity) ?? 0) + 1);
	return [...counts]
		.map(([severity, count]) => `${count} ${severity.toLowerCase()}${count === 1 ? "" : "s"}`)
		.join(", ");
}
