interface Style {
	readonly color?: string | undefined;
	readonly background?: string | undefined;
	readonly bold?: boolean | undefined;
	readonly inverse?: boolean | undefined;
}

interface Run {
	readonly column: number;
	readonly text: string;
	readonly style: Style;
}

const cell = { width: 8.4, height: 18, font: 14 };
const margin = 12;
const paper = "#18181e";
const ink = "#d4d4d4";
const basic = "#000000 #cc6666 #b5bd68 #f0c674 #81a2be #b294bb #8abeb7 #c5c8c6".split(" ");

/** Draws a terminal's frame, as `tmux capture-pane -e` records it, as an SVG of the same rows and columns. */
export function frameToSvg(frame: string, columns: number, title: string): string {
	let style: Style = {};
	const rows = frame.trimEnd().split("\n");
	const drawn = rows.map((row, index) => {
		const parsed = parseRow(row, style);
		style = parsed.style;
		return parsed.runs.map((run) => drawRun(run, index)).join("");
	});
	const width = columns * cell.width + 2 * margin;
	const height = rows.length * cell.height + 2 * margin;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${paper}"/>`,
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${cell.font}">`,
		...drawn.filter(Boolean),
		"</g>",
		"</svg>",
		"",
	].join("\n");
}

/** A row's runs of one style each; styles continue in the next row. */
function parseRow(row: string, before: Style): { readonly runs: Run[]; readonly style: Style } {
	const runs: Run[] = [];
	let style = before;
	let column = 0;
	// Splitting keeps the group: texts have even indexes, the numbers of escape sequences odd ones.
	for (const [index, part] of row.split(/\u001b\[([\d;]*)m/).entries()) {
		if (index % 2 === 1) style = applied(style, part.split(";").map(Number));
		else if (part !== "") {
			runs.push({ column, text: part, style });
			column += [...part].length;
		}
	}
	return { runs, style };
}

function applied(style: Style, codes: readonly number[]): Style {
	let next = style;
	for (let index = 0; index < codes.length; index++) {
		const code = codes[index] ?? 0;
		if (code === 0) next = {};
		else if (code === 1) next = { ...next, bold: true };
		else if (code === 22) next = { ...next, bold: false };
		else if (code === 7 || code === 27) next = { ...next, inverse: code === 7 };
		else if (code === 39) next = { ...next, color: undefined };
		else if (code === 49) next = { ...next, background: undefined };
		else if (code >= 30 && code <= 37) next = { ...next, color: basic[code - 30] };
		else if (code >= 40 && code <= 47) next = { ...next, background: basic[code - 40] };
		else if ((code === 38 || code === 48) && codes[index + 1] === 2) {
			const [red, green, blue] = codes.slice(index + 2, index + 5);
			const value = `rgb(${red},${green},${blue})`;
			next = code === 38 ? { ...next, color: value } : { ...next, background: value };
			index += 4;
		}
	}
	return next;
}

function drawRun({ column, text, style }: Run, row: number): string {
	const [x, y] = [margin + column * cell.width, margin + row * cell.height];
	const length = [...text].length * cell.width;
	const [color = ink, background] = style.inverse
		? [style.background ?? paper, style.color ?? ink]
		: [style.color, style.background];
	const box = background
		? `<rect x="${rounded(x)}" y="${y}" width="${rounded(length)}" height="${cell.height}" fill="${background}"/>`
		: "";
	if (text.trim() === "") return box;
	const weight = style.bold ? ` font-weight="bold"` : "";
	// The given length keeps the columns in any font.
	return `${box}<text x="${rounded(x)}" y="${y + 13}" fill="${color}"${weight} textLength="${rounded(length)}" xml:space="preserve">${escaped(text)}</text>`;
}

function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
