const maxLines = 12;
const maxLength = 160;
const plainWords =
	/^(?:(?:export|default|declare|async|public|static|final|function|func|fn|def|pub(?:\([^()]*\))?|const|let|var)\s+)+/;

/** A function without its body, a type with the members that fit. */
export function declarationLine(lines: readonly string[], { line }: { readonly line: number }): string {
	const own = lines.slice(line, line + maxLines).map((text) => text.slice(0, 2 * maxLength));
	const joined = own.join("\n");
	const isType = /^\s*(?:export\s+|declare\s+|pub(?:\([^()]*\))?\s+)*(?:interface|type|struct|class|enum)\b/.test(
		joined,
	);
	const end = isType ? endOfType(joined) : endOfSignature(joined);
	const text = joined.slice(0, end).replace(/\s+/g, " ").trim().replace(plainWords, "");
	return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function endOfType(text: string): number {
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const letter = text[index];
		if (letter === "{") depth++;
		else if (letter === "}" && --depth === 0) return index + 1;
		else if (letter === "\n" && depth === 0) return index;
	}
	return text.length;
}

/** At a brace, `=>`, `=`, `;`, or a colon at the end of a line. */
function endOfSignature(text: string): number {
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const letter = text[index];
		if (letter === "(" || letter === "[" || (letter === "{" && (depth > 0 || beginsType(text, index)))) depth++;
		else if (letter === ")" || letter === "]" || letter === "}") depth--;
		else if (depth > 0) continue;
		else if (letter === "{" || letter === ";" || letter === "\n") return index;
		else if (letter === "=" && text[index + 1] !== "=") return index;
		else if (letter === ":" && /^\s*(?:\n|$)/.test(text.slice(index + 1, index + 80))) return index;
	}
	return text.length;
}

/** For the brace of `: { a: number }`. */
function beginsType(text: string, index: number): boolean {
	return /[:|&,<]\s{0,80}$/.test(text.slice(Math.max(index - 80, 0), index));
}
