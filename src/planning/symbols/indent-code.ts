import { type FileIndentation, indentationOf } from "../../project/indentation.ts";

export interface Indentation {
	readonly indent: string;
	/** A tab or spaces; empty if the file has no indentation: the code keeps its own. */
	readonly unit: string;
}

export function unitOf(text: string, configured?: FileIndentation): string {
	const found = indentationOf(text) ?? configured;
	if (!found) return "";
	return found.insertSpaces ? " ".repeat(found.tabSize) : "\t";
}

/** All lines, or all but the first, may have the target's indentation. `kept`: 0-based lines of multi-line texts. */
export function indentCode(code: string, { indent, unit }: Indentation, kept: ReadonlySet<number> = new Set()): string {
	const lines = code.split("\n");
	const counted = lines.flatMap((line, index) => (line.trim() === "" || kept.has(index) ? [] : [{ line, index }]));
	const rest = counted.slice(1);
	const width = ({ line }: { readonly line: string }) => leading(line).length;
	const first = counted[0] ? width(counted[0]) : 0;
	const least = Math.min(...rest.map(width), Number.POSITIVE_INFINITY);
	const last = rest.at(-1);
	const closes = last !== undefined && /^\s*[)\]}]/.test(last.line);
	const isCut = first === 0 && indent !== "" && rest.length > 0 && least >= indent.length + (closes ? 0 : unit.length);
	const common = isCut ? indent.length : Math.min(first, least);
	const level = unitIn(counted.map(({ line }) => leading(line).slice(common)));
	return lines
		.map((line, index) => {
			if (kept.has(index)) return line;
			if (line.trim() === "") return "";
			const own = isCut && index === counted[0]?.index ? "" : leading(line).slice(common);
			return indent + converted(own, level, unit) + line.trimStart();
		})
		.join("\n");
}

function leading(line: string): string {
	return /^[ \t]*/.exec(line)![0];
}

function unitIn(indents: readonly string[]): string {
	const found = indents.filter((indent) => indent !== "").sort((a, b) => a.length - b.length);
	return found[0] ?? "";
}

function converted(own: string, level: string, unit: string): string {
	if (own === "" || unit === "" || own.startsWith(unit.slice(0, 1))) return own;
	if (own.startsWith("\t")) return own.replace(/\t/g, unit);
	const levels = Math.floor(own.length / level.length);
	return unit.repeat(levels) + " ".repeat(own.length % level.length);
}
