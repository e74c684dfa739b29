/**
 * The little of TOML that is read here: names and lists of strings, out of files that other tools have written. What
 * cannot be read is not there.
 */

interface Line {
	readonly section: string;
	readonly key: string;
	/** The value as it is written, a list over several lines in one. */
	readonly value: string;
}

/** The text of a string value, or undefined. */
export function tomlString(text: string, section: string, key: string): string | undefined {
	const line = tomlLines(text).find((candidate) => candidate.section === section && candidate.key === key);
	return line && stringsIn(line.value)[0];
}

/** All assignments of a text, in order, each with the section that it stands in. */
export function tomlLines(text: string): Line[] {
	const found: Line[] = [];
	let section = "";
	let open: { key: string; value: string } | undefined;
	for (const raw of text.split(/\r?\n/)) {
		const line = withoutComment(raw).trim();
		if (open) {
			open.value += ` ${line}`;
		} else {
			const header = /^\[\[?\s*([^[\]]+?)\s*\]\]?$/.exec(line);
			if (header) section = (header[1] ?? "").replaceAll('"', "");
			const assignment = header ? null : /^"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line);
			if (!assignment) continue;
			open = { key: assignment[1] ?? "", value: assignment[2] ?? "" };
		}
		// Brackets inside of strings (`"uvicorn[standard]"`) do not count.
		const bare = open.value.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "");
		if (bare.split("[").length > bare.split("]").length) continue;
		found.push({ section, ...open });
		open = undefined;
	}
	return found;
}

/** The strings in a value as it is written. */
export function stringsIn(value: string): string[] {
	return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? "");
}

function withoutComment(line: string): string {
	return /^((?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*)/.exec(line)?.[1] ?? line;
}
