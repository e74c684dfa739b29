import type { DocumentSymbolEntry } from "../../query/document-symbols.ts";

/** 1-based, `endLine` inclusive. */
export interface SourceLines {
	readonly line: number;
	readonly endLine: number;
	readonly lines: readonly string[];
}

/** Of shared lines only the declaration's part. `doc` adds the comment and attributes above. */
export function sourceLines(
	group: readonly DocumentSymbolEntry[],
	lines: readonly string[],
	{ doc = false }: { readonly doc?: boolean } = {},
): SourceLines {
	const [first] = group;
	const last = group.at(-1);
	if (!first || !last) return { line: 1, endLine: 0, lines: [] };
	const [line, endLine] = [first.start.line, last.end.line];
	const whole = lines.slice(line - 1, endLine);
	const before = (whole[0] ?? "").slice(0, first.start.column - 1);
	const after = (whole.at(-1) ?? "").slice(last.end.column - 1);
	if (ownsLines(before, after)) {
		const above = doc ? commentAbove(lines, line) : line;
		return { line: above, endLine, lines: lines.slice(above - 1, endLine) };
	}
	const part = partOf(whole, first.start.column, last.end.column);
	const bare = part.join("\n").trim() === first.name;
	return { line, endLine, lines: bare ? whole : part };
}

function ownsLines(before: string, after: string): boolean {
	return /^[\s\w@]*$/.test(before) && /^[\s;,)}\]]*(?:\/[/*].*|#.*)?$/.test(after);
}

function partOf(whole: readonly string[], column: number, endColumn: number): string[] {
	return whole.map((text, index) => {
		const until = index === whole.length - 1 ? endColumn - 1 : text.length;
		return text.slice(index === 0 ? column - 1 : 0, until);
	});
}

const lineComment = /^\s*(?:\/\/|#(?:[\s#!:]|$)|--|;;|%)/;
const attribute = /^\s*(?:@\w|#!?\[|\[\w)/;

function commentAbove(lines: readonly string[], line: number): number {
	let at = line;
	while (at > 1) {
		const above = lines[at - 2] ?? "";
		if (lineComment.test(above) || attribute.test(above)) at--;
		else if (/\*\/\s*$/.test(above)) {
			let start = at - 1;
			while (start > 1 && !(lines[start - 1] ?? "").includes("/*")) start--;
			if (!/^\s*\/\*/.test(lines[start - 1] ?? "")) return at;
			at = start;
		} else return at;
	}
	return at;
}
