import type { FormattingOptions } from "vscode-languageserver-protocol";

/** Lines that are looked at. */
const maxLines = 2000;

/** How a text is indented, for servers that have no settings of their own: by tabs, or by its smallest usual step of spaces. */
export function indentationOf(lines: readonly string[]): FormattingOptions {
	const steps = new Map<number, number>();
	let [tabs, spaces, before] = [0, 0, 0];
	for (const line of lines.slice(0, maxLines)) {
		const { length } = /^ *(?=[^\s*])/.exec(line)?.[0] ?? "";
		if (line.startsWith("\t")) tabs++;
		else if (length > 1) spaces++;
		const step = length - before;
		if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
		if (line.trim() !== "") before = length;
	}
	const [[tabSize] = [4]] = [...steps].sort((a, b) => b[1] - a[1]);
	return { tabSize, insertSpaces: spaces >= tabs };
}
