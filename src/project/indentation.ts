export interface FileIndentation {
	/** Columns. */
	readonly tabSize: number;
	readonly insertSpaces: boolean;
}

const maxRead = 200_000;

export function indentationOf(text: string): FileIndentation | undefined {
	const indents = Array.from(text.slice(0, maxRead).matchAll(/^([ \t]+)(?=[^\s*])/gm), ([, indent = ""]) => indent);
	if (indents.length === 0) return undefined;
	const tabs = indents.filter((indent) => indent.startsWith("\t")).length;
	if (tabs * 2 >= indents.length) return { tabSize: 4, insertSpaces: false };
	const widths = new Map<number, number>();
	let last = 0;
	for (const { length } of indents) {
		const step = Math.abs(length - last);
		if (step > 1) widths.set(step, (widths.get(step) ?? 0) + 1);
		last = length;
	}
	const [width = 4] = [...widths].sort((a, b) => b[1] - a[1])[0] ?? [];
	return { tabSize: Math.min(width, 8), insertSpaces: true };
}
