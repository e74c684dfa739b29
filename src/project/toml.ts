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

const [longestHeader, longestValue] = [500, 200_000];

/** The text of a string value, or undefined. */
export function tomlString(text: string, section: string, key: string): string | undefined {
	const line = tomlLines(text).find((candidate) => candidate.section === section && candidate.key === key);
	return line && stringsIn(line.value)[0];
}

/** All assignments of a text, in order, each with the section that it stands in. */
export function tomlLines(text: string): Line[] {
	const found: Line[] = [];
	let section = "";
	let open: { readonly key: string; readonly parts: string[] } | undefined;
	let depth = 0;
	// What is blank at the end of a line is cut off below, a carriage return too.
	for (const raw of text.split("\n")) {
		const line = raw === "" ? "" : withoutComment(raw).trim();
		if (line === "") continue;
		if (open) {
			open.parts.push(line);
		} else {
			const header = line.length > longestHeader ? null : /^\[\[?\s*([^[\]]+?)\s*\]\]?$/.exec(line);
			if (header) section = (header[1] ?? "").replaceAll('"', "");
			const assignment = header ? null : /^"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line);
			if (!assignment) continue;
			open = { key: assignment[1] ?? "", parts: [assignment[2] ?? ""] };
			depth = 0;
		}
		// Brackets inside of strings (`"uvicorn[standard]"`) do not count.
		const bare = (open.parts.at(-1) ?? "").replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|'[^']*'?/g, "");
		depth += bare.split("[").length - bare.split("]").length;
		if (depth > 0) continue;
		found.push({ section, key: open.key, value: open.parts.join(" ") });
		open = undefined;
	}
	return found;
}

/** The strings in a value as it is written. */
export function stringsIn(value: string): string[] {
	// One without its end is taken too, or the rest would be searched again for each.
	const found = value.slice(0, longestValue).matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)("?)|'([^']*)('?)/g);
	return [...found].flatMap(([, double, end, single, singleEnd]) => (end || singleEnd ? [double ?? single ?? ""] : []));
}

function withoutComment(line: string): string {
	return /^((?:[^"'#]+|"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*')*)/.exec(line)?.[1] ?? line;
}
