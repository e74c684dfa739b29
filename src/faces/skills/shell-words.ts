export interface Word {
	readonly text: string;
	/** It may expand to names like options. */
	readonly isPattern: boolean;
}

/** Dropped or joined streams: `2>&1`, `>/dev/null`. */
const harmlessTarget = /^>{1,2}[ \t]*(?:&\d|\/dev\/null)(?=[\s;&|]|$)/;

/** Undefined for what needs a shell: expansion, redirection, group, open quote. */
export function commandsIn(line: string): Word[][] | undefined {
	const commands: Word[][] = [[]];
	let text: string | undefined;
	let isPattern = false;
	const endWord = () => {
		if (text !== undefined) commands.at(-1)?.push({ text, isPattern });
		text = undefined;
		isPattern = false;
	};
	for (let at = 0; at < line.length; at++) {
		const char = line[at] as string;
		if (char === " " || char === "\t") endWord();
		else if (char === "#" && text === undefined) at = endOfLine(line, at) - 1;
		else if (char === ">" || line.startsWith("&>", at)) {
			const from = char === "&" ? at + 1 : at;
			const [target] = harmlessTarget.exec(line.slice(from)) ?? [];
			if (target === undefined) return undefined;
			if (text !== undefined && /^\d$/.test(text)) text = undefined;
			endWord();
			at = from + target.length - 1;
		} else if ("\n;|&".includes(char)) {
			endWord();
			commands.push([]);
		} else if (char === "'") {
			const end = line.indexOf("'", at + 1);
			if (end < 0) return undefined;
			text = (text ?? "") + line.slice(at + 1, end);
			at = end;
		} else if (char === '"') {
			const quoted = doubleQuoted(line, at + 1);
			if (!quoted) return undefined;
			text = (text ?? "") + quoted.text;
			at = quoted.end;
		} else if (char === "\\") {
			at++;
			if (at === line.length) return undefined;
			if (line[at] !== "\n") text = (text ?? "") + line[at];
		} else if ("$`<(){}".includes(char)) return undefined;
		else {
			isPattern ||= "*?[".includes(char);
			text = (text ?? "") + char;
		}
	}
	endWord();
	return commands.filter((words) => words.length > 0);
}

function endOfLine(line: string, from: number): number {
	const end = line.indexOf("\n", from);
	return end < 0 ? line.length : end;
}

function doubleQuoted(line: string, from: number): { readonly text: string; readonly end: number } | undefined {
	let text = "";
	for (let at = from; at < line.length; at++) {
		const char = line[at] as string;
		if (char === '"') return { text, end: at };
		if (char === "$" || char === "`") return undefined;
		if (char === "\\" && '"\\$`\n'.includes(line[at + 1] ?? "")) {
			at++;
			if (line[at] !== "\n") text += line[at];
		} else text += char;
	}
	return undefined;
}
