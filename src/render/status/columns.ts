export function columns(rows: readonly (readonly string[])[]): readonly string[] {
	const count = Math.max(0, ...rows.map((row) => row.length));
	const widths = Array.from({ length: count }, (_, column) =>
		Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	return rows.map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join("  ")
			.trimEnd(),
	);
}
